// SPDX-License-Identifier: MIT
// The scores of a window on a device: Pearson's correlation of a reconstructed envelope with that of each speaker,
// taken in sample by sample, so that no sample is kept. Means are removed as they become known (Welford 1962), which
// keeps its digits in single precision. No allocation, no lock.
#pragma once

#include <heed/core/elementary.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace heed::core {

template <std::floating_point Real, std::size_t MaxSpeakers>
class WindowCorrelation {
 public:
  // Nothing unless 1 <= speakers <= MaxSpeakers.
  static constexpr std::optional<WindowCorrelation> make(std::size_t speakers) noexcept {
    if (speakers < 1 || speakers > MaxSpeakers) return std::nullopt;
    return WindowCorrelation(speakers);
  }

  // The next sample: of the reconstruction, and of each speaker's envelope. A sample that is not finite breaks the
  // window.
  constexpr Step add(Real reconstruction, std::span<const Real> envelopes) noexcept {
    if (envelopes.size() != speakers_) return Step::wrong_size;
    ++samples_;
    const Real share = Real{1} / static_cast<Real>(samples_);
    const Real before = reconstruction - mean_;
    mean_ += before * share;
    squares_ += before * (reconstruction - mean_);
    for (std::size_t j = 0; j < speakers_; ++j) {
      Sums& talker = sums_[j];
      const Real envelope_before = envelopes[j] - talker.mean;
      talker.mean += envelope_before * share;
      const Real envelope_after = envelopes[j] - talker.mean;
      talker.squares += envelope_before * envelope_after;
      talker.products += before * envelope_after;
    }
    return Step::updated;
  }

  // The window has ended: one correlation per speaker, and the next window begins. Held, and all NaN, where one of them
  // does not exist: less than two samples, no variation, or a sample that was not finite.
  Step finish(std::span<Real> scores) noexcept {
    if (scores.size() != speakers_) return Step::wrong_size;
    bool complete = true;
    for (std::size_t j = 0; j < speakers_; ++j) {
      const Real correlation = sums_[j].products / (square_root(squares_) * square_root(sums_[j].squares));
      complete = complete && correlation > -2 && correlation < 2;  // NaN is neither
      scores[j] = std::clamp(correlation, Real{-1}, Real{1});      // rounding may lead beyond
    }
    if (!complete) std::ranges::fill(scores, std::numeric_limits<Real>::quiet_NaN());
    reset();
    return complete ? Step::updated : Step::held;
  }

  [[nodiscard]] constexpr std::size_t samples() const noexcept { return samples_; }

  // The window begins anew.
  constexpr void reset() noexcept { *this = WindowCorrelation(speakers_); }

 private:
  struct Sums {
    Real mean = 0;
    Real squares = 0;
    Real products = 0;
  };

  constexpr explicit WindowCorrelation(std::size_t speakers) noexcept : speakers_(speakers) {}

  std::size_t speakers_;
  std::size_t samples_ = 0;
  Real mean_ = 0;
  Real squares_ = 0;
  std::array<Sums, MaxSpeakers> sums_{};
};

}  // namespace heed::core
