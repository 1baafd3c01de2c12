// SPDX-License-Identifier: MIT
// From posteriors to gains for a hearing aid: a map from `suppressed` (surely not attended) to `enhanced` (surely
// attended), a limit on how fast a gain may move, and a hard safety range applied last, whatever the rest computed.
#pragma once

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
  decibels,   // a straight line in decibels: doubts are heard as loudness half-way
  amplitude,  // a straight line in amplitude: doubts suppress less
  decision,   // the most probable speaker is enhanced, all others are suppressed; on a tie nobody is chosen
};

template <std::floating_point Real>
struct GainOptions {
  GainMap map = GainMap::decibels;
  Real enhanced_decibel = 0;         // gain of a speaker attended with certainty
  Real suppressed_decibel = -12;     // gain of a speaker surely not attended; further apart = harder to listen around
  Real slew_decibel_per_second = 6;  // slower is calmer to listen to, faster follows a switch sooner
  Real lowest_decibel = -20;         // safety range: no gain ever leaves it
  Real highest_decibel = 0;          // above 0 the device may amplify: set it only with a limiter behind
  friend bool operator==(const GainOptions&, const GainOptions&) = default;
};

template <std::floating_point Real, std::size_t MaxStates>
class GainRule {
 public:
  // Nothing unless every option and the span from suppressed to enhanced is finite, slew and step are
  // positive, lowest <= highest, and 1 <= states <= MaxStates. Starts every speaker at the gain of an
  // undecided posterior, 1/states.
  static std::optional<GainRule> make(std::size_t states, Real seconds_per_step,
                                      const GainOptions<Real>& options = {}) noexcept {
    const bool finite = std::isfinite(options.enhanced_decibel - options.suppressed_decibel) &&
                        std::isfinite(options.lowest_decibel) && std::isfinite(options.highest_decibel) &&
                        std::isfinite(options.slew_decibel_per_second) && std::isfinite(seconds_per_step);
    const Real span = factor(options.enhanced_decibel) - factor(options.suppressed_decibel);
    if (options.map == GainMap::amplitude && !std::isfinite(span)) return std::nullopt;
    if (!finite || states < 1 || states > MaxStates) return std::nullopt;
    if (!(options.slew_decibel_per_second > 0) || !(seconds_per_step > 0)) return std::nullopt;
    if (options.lowest_decibel > options.highest_decibel) return std::nullopt;
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
  GainRule(std::size_t states, const GainOptions<Real>& options, Real seconds_per_step) noexcept
      : states_(states), options_(options), largest_change_(options.slew_decibel_per_second * seconds_per_step) {
    decibels_.fill(safe(target(Real{1} / static_cast<Real>(states))));
  }

  Step move(std::span<const Real> posterior, Real largest_change) noexcept {
    const auto is_probability = [](Real p) { return p >= 0 && p <= 1; };
    if (posterior.size() != states_) return Step::wrong_size;
    if (!std::ranges::all_of(posterior, is_probability)) return Step::held;
    const Real most = std::ranges::max(posterior);
    const bool tie = std::ranges::count(posterior, most) > 1;
    for (std::size_t j = 0; j < states_; ++j) {
      const Real decided = tie ? Real{1} / static_cast<Real>(states_) : static_cast<Real>(posterior[j] == most);
      const Real wanted = safe(target(options_.map == GainMap::decision ? decided : posterior[j]));
      const Real before = decibels_[j];
      const Real after = before + std::clamp(wanted - before, -largest_change, largest_change);
      // A gain that another rule left outside the range comes back no faster than any gain moves.
      decibels_[j] =
          std::clamp(after, std::min(options_.lowest_decibel, before), std::max(options_.highest_decibel, before));
    }
    return Step::updated;
  }

  [[nodiscard]] static Real factor(Real decibel) noexcept { return std::pow(Real{10}, decibel / 20); }

  [[nodiscard]] Real target(Real probability) const noexcept {
    if (options_.map == GainMap::amplitude) {
      const Real suppressed = factor(options_.suppressed_decibel);
      return 20 * std::log10(suppressed + (probability * (factor(options_.enhanced_decibel) - suppressed)));
    }
    return options_.suppressed_decibel + (probability * (options_.enhanced_decibel - options_.suppressed_decibel));
  }
  [[nodiscard]] Real safe(Real decibel) const noexcept {
    return std::clamp(decibel, options_.lowest_decibel, options_.highest_decibel);
  }

  std::size_t states_;
  GainOptions<Real> options_;
  Real largest_change_;  // dB per step
  std::array<Real, MaxStates> decibels_{};
};

}  // namespace heed::core
