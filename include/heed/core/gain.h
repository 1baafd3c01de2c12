// SPDX-License-Identifier: MIT
// From posteriors to gains for a hearing aid: a map from `suppressed` (surely not attended) to `enhanced` (surely
// attended), a limit on how fast a gain may move, and a hard safety range applied last, whatever the rest computed.
// docs/mathematics.md, gains, has the maps; all but `amplitude` keep the mean of the gains in decibels where it is.
#pragma once

#include <heed/core/elementary.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

namespace heed::core {

enum class GainMap {
  decibels,          // a straight line in decibels: doubts are heard as loudness half-way
  amplitude,         // a straight line in amplitude: doubts suppress less
  decision,          // the most probable speaker is enhanced, all others are suppressed; on a tie nobody is chosen
  decibels_per_nat,  // so many decibels apart as speakers are nats of log-probability apart, within the range
  dead_zone,         // the same as decision where a speaker is probable enough; where not, nobody is chosen
  intelligibility,   // what makes most words understood, on average; for two speakers
};

template <std::floating_point Real>
struct GainOptions {
  GainMap map = GainMap::dead_zone;  // docs/evidence.md has the measurement behind it
  Real enhanced_decibel = 0;         // gain of a speaker attended with certainty
  Real suppressed_decibel = -12;     // gain of a speaker surely not attended; further apart = harder to listen around
  Real slew_decibel_per_second = 6;  // slower is calmer to listen to, faster follows a switch sooner
  Real lowest_decibel = -20;         // safety range: no gain ever leaves it
  Real highest_decibel = 0;          // above 0 the device may amplify: set it only with a limiter behind
  Real decibels_per_nat = 2;         // decibels_per_nat only; more is bolder
  Real certainty = Real(0.8);        // dead_zone only: a speaker is chosen above it; higher is calmer
  Real margin_decibel = 3;           // intelligibility only: level above the speech reception threshold
  Real slope_per_decibel = Real(0.12);  // intelligibility only: of the psychometric function at that threshold
  friend bool operator==(const GainOptions&, const GainOptions&) = default;
};

template <std::floating_point Real, std::size_t MaxStates>
class GainRule {
 public:
  // Nothing unless every option is finite, enhanced is above suppressed, slew, step and the parameters of the map are
  // positive, certainty is below 1, lowest <= highest, and 1 <= states <= MaxStates (2 for intelligibility). Starts
  // every speaker at the gain of an undecided posterior, 1/states.
  static std::optional<GainRule> make(std::size_t states, Real seconds_per_step,
                                      const GainOptions<Real>& options = {}) noexcept {
    const bool finite = std::isfinite(range_of(options)) && std::isfinite(options.lowest_decibel) &&
                        std::isfinite(options.highest_decibel) && std::isfinite(options.slew_decibel_per_second) &&
                        std::isfinite(seconds_per_step);
    if (!finite || states < 1 || states > MaxStates) return std::nullopt;
    if (!(range_of(options) > 0) || options.lowest_decibel > options.highest_decibel) return std::nullopt;
    if (!(options.slew_decibel_per_second > 0) || !(seconds_per_step > 0)) return std::nullopt;
    if (!has_valid_map(states, options)) return std::nullopt;
    return GainRule(states, options, seconds_per_step);
  }

  // posterior: one probability for each speaker. NaN or a number outside [0, 1] anywhere holds all gains where they
  // are; so does Step::wrong_size.
  Step step(std::span<const Real> posterior) noexcept { return move(posterior, largest_change_); }
  // The same after a time of its own: a step that is not a window. Time that does not pass moves nothing.
  Step step(std::span<const Real> posterior, Real seconds) noexcept {
    return move(posterior, seconds > 0 ? options_.slew_decibel_per_second * seconds : Real{0});
  }

  [[nodiscard]] std::span<const Real> decibels() const noexcept { return {decibels_.data(), states_}; }
  // Amplitude factor, for multiplying samples.
  [[nodiscard]] Real linear(std::size_t speaker) const noexcept { return factor(decibels_[speaker]); }

  // Goes on from where another is. Not if it has another number of speakers.
  void start_from(const GainRule& other) noexcept {
    if (other.states_ == states_) decibels_ = other.decibels_;
  }

 private:
  using Shares = std::array<Real, MaxStates>;

  GainRule(std::size_t states, const GainOptions<Real>& options, Real seconds_per_step) noexcept
      : states_(states),
        options_(options),
        largest_change_(options.slew_decibel_per_second * seconds_per_step),
        ceiling_(ceiling_of(options)) {
    decibels_.fill(safe(target(even_share())));
  }

  static Real range_of(const GainOptions<Real>& options) noexcept {
    return options.enhanced_decibel - options.suppressed_decibel;
  }
  // tanh(2 s M): the intelligibility that can be gained at all.
  static Real ceiling_of(const GainOptions<Real>& options) noexcept {
    return hyperbolic_tangent(2 * options.slope_per_decibel * options.margin_decibel);
  }

  static bool has_valid_map(std::size_t states, const GainOptions<Real>& options) noexcept {
    const auto positive = [](Real value) { return std::isfinite(value) && value > 0; };
    switch (options.map) {
      case GainMap::decibels:
      case GainMap::decision:
        return true;
      case GainMap::amplitude:
        return std::isfinite(factor(options.enhanced_decibel) - factor(options.suppressed_decibel));
      case GainMap::decibels_per_nat:
        return positive(options.decibels_per_nat);
      case GainMap::dead_zone:
        return options.certainty >= 0 && options.certainty < 1;
      case GainMap::intelligibility:
        return states == 2 && positive(options.margin_decibel) && positive(options.slope_per_decibel) &&
               ceiling_of(options) > 0;
    }
    return false;
  }

  Step move(std::span<const Real> posterior, Real largest_change) noexcept {
    const auto is_probability = [](Real p) { return p >= 0 && p <= 1; };
    if (posterior.size() != states_) return Step::wrong_size;
    if (!std::ranges::all_of(posterior, is_probability)) return Step::held;
    const Shares shares = shares_of(posterior);
    for (std::size_t j = 0; j < states_; ++j) {
      const Real wanted = safe(target(shares[j]));
      const Real before = decibels_[j];
      const Real after = before + std::clamp(wanted - before, -largest_change, largest_change);
      // A gain that another rule left outside the range comes back no faster than any gain moves.
      decibels_[j] =
          std::clamp(after, std::min(options_.lowest_decibel, before), std::max(options_.highest_decibel, before));
    }
    return Step::updated;
  }

  // What part of the way from suppressed to enhanced each speaker goes.
  [[nodiscard]] Shares shares_of(std::span<const Real> posterior) const noexcept {
    Shares shares{};
    if (options_.map == GainMap::decision || options_.map == GainMap::dead_zone) {
      choose(posterior, options_.map == GainMap::decision ? Real{0} : options_.certainty, shares);
    } else if (options_.map == GainMap::decibels_per_nat || options_.map == GainMap::intelligibility) {
      lower(posterior, shares);
    } else {
      std::ranges::copy(posterior, shares.begin());
    }
    return shares;
  }

  // All for the most probable speaker above `certainty`; even shares where there is none or more than one.
  void choose(std::span<const Real> posterior, Real certainty, Shares& shares) const noexcept {
    const Real most = std::ranges::max(posterior);
    const bool chosen = most > certainty && std::ranges::count(posterior, most) == 1;
    for (std::size_t j = 0; j < states_; ++j) {
      shares[j] = chosen ? static_cast<Real>(posterior[j] == most) : even_share();
    }
  }

  // Every other speaker is lowered against the most probable one; then the mean is brought to where it always is.
  void lower(std::span<const Real> posterior, Shares& shares) const noexcept {
    const Real most = std::ranges::max(posterior);
    Real sum = 0;
    for (std::size_t j = 0; j < states_; ++j) {
      const Real probability = std::abs(posterior[j]);  // -0 is 0, too
      shares[j] = probability < most ? -lowered_by(natural_logarithm(most / probability)) : Real{0};
      sum += shares[j];
    }
    const Real shift = even_share() - (sum / static_cast<Real>(states_));
    for (std::size_t j = 0; j < states_; ++j) shares[j] += shift;
  }

  // As a part of the range, for a speaker who is so many nats less probable.
  [[nodiscard]] Real lowered_by(Real nats) const noexcept {
    const Real range = range_of(options_);
    if (options_.map == GainMap::decibels_per_nat) return std::min(options_.decibels_per_nat * nats / range, Real{1});
    const Real understood = hyperbolic_tangent(nats / 4) / ceiling_;
    if (!(understood < 1)) return 1;
    return std::min(inverse_hyperbolic_tangent(understood) / (2 * options_.slope_per_decibel) / range, Real{1});
  }

  [[nodiscard]] Real even_share() const noexcept { return Real{1} / static_cast<Real>(states_); }
  [[nodiscard]] static Real factor(Real decibel) noexcept { return power_of_ten(decibel / 20); }

  [[nodiscard]] Real target(Real share) const noexcept {
    if (options_.map == GainMap::amplitude) {
      const Real suppressed = factor(options_.suppressed_decibel);
      const Real per_neper = static_cast<Real>(8.685889638065036553);  // 20 / ln 10
      return per_neper * natural_logarithm(suppressed + (share * (factor(options_.enhanced_decibel) - suppressed)));
    }
    return options_.suppressed_decibel + (share * range_of(options_));
  }
  [[nodiscard]] Real safe(Real decibel) const noexcept {
    return std::clamp(decibel, options_.lowest_decibel, options_.highest_decibel);
  }

  std::size_t states_;
  GainOptions<Real> options_;
  Real largest_change_;  // dB per step
  Real ceiling_;
  std::array<Real, MaxStates> decibels_{};
};

}  // namespace heed::core
