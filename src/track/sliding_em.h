// SPDX-License-Identifier: MIT
// The EM of the state-space model over the windows that it slides along, of one trial or of eight side by side: what a
// window waits for in the one before is the same for all of them.
#pragma once

#include <heed/track/rivals.h>

#include <cstddef>

namespace heed::track {

// What is known of each window, and, in front of the first, of the state before it.
enum class Known {
  seen,  // 1, or 0 of a missing window; missing ones and the state before have 0 for all that comes of scores
  first,
  second,  // log-markers
  drift,   // eta
  z,
  variance,  // smoothed
  filtered_z,
  logistic_z,             // of filtered_z, of windows that were seen
  kept,                   // what follows is made anew by each step
  responsibility = kept,  // e, P(first attended | markers)
  filtered_variance,
  predicted_z,
  predicted_variance,
  gain,  // S, of the smoother, towards the next window
  count
};

// Means and precisions of the markers, in the order in which they are stored.
enum class Markers { attended_mean, attended_precision, unattended_mean, unattended_precision, count };

// Where the numbers are: (window 0 is the state before, trial) of what is known, one after the other.
struct SlidingWindows {
  static constexpr std::size_t lanes = StateSpaceFilter::most_trials;

  double* numbers;
  std::size_t size;    // windows
  std::size_t trials;  // 1 or `lanes`

  // Whole registers may be read and written from any number on.
  [[nodiscard]] std::size_t stride() const noexcept { return ((size + 1) * trials) + lanes; }
  [[nodiscard]] std::size_t room() const noexcept {
    return (static_cast<std::size_t>(Known::count) * stride()) + (static_cast<std::size_t>(Markers::count) * lanes);
  }
  [[nodiscard]] double* of(Known quantity, std::size_t window = 0) const noexcept {
    return numbers + (static_cast<std::size_t>(quantity) * stride()) + (window * trials);
  }
  // `lanes` numbers; of one trial all the same.
  [[nodiscard]] double* of(Markers quantity) const noexcept {
    return numbers + (static_cast<std::size_t>(Known::count) * stride()) + (static_cast<std::size_t>(quantity) * lanes);
  }
};

double logistic(double z) noexcept;

// All EM steps of the options. Every trial's bits are those it has alone, on every machine.
void settle(const SlidingWindows& windows, const StateSpaceOptions& options) noexcept;

}  // namespace heed::track
