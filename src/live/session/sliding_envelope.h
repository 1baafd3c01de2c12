// SPDX-License-Identifier: MIT
// An envelope that is moved by parts of a sample to keep up with the EEG: between its samples it is interpolated by
// cubics (Catmull and Rom). Until it is moved for the first time it stays as it is, bit for bit.
#pragma once

#include <heed/data/matrix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace heed::live {

class SlidingEnvelope {
 public:
  // More (positive: part of it comes again) or fewer (negative: part of it is left out) samples from now on. What lies
  // farther back than it remembers is not repeated.
  void slide(double samples) noexcept {
    place_ = std::max(place_ - samples, static_cast<double>(received_ - kept + 1));
    moved_ = true;
  }

  [[nodiscard]] bool has_moved() const noexcept { return moved_; }

  // Appends to `slid`, unless it was never moved: then the values are to be used as they are. Allocates where there is
  // no room.
  void push(std::span<const double> values, std::vector<double>& slid) {
    for (const double value : values) {
      recent_[index(received_)] = value;
      ++received_;
      if (!moved_) {
        place_ += 1;
        continue;
      }
      // Four samples are looked at: one before the place, and two behind it.
      while (std::floor(place_) + 2 < static_cast<double>(received_)) {
        slid.push_back(at(place_));
        place_ += 1;
      }
    }
  }

  void reset() noexcept { *this = SlidingEnvelope(); }

 private:
  static constexpr Index kept = 64;

  static std::size_t index(Index sample) noexcept { return static_cast<std::size_t>(sample % kept); }
  [[nodiscard]] double value(Index sample) const noexcept {
    return recent_[index(std::clamp<Index>(sample, std::max<Index>(0, received_ - kept), received_ - 1))];
  }
  [[nodiscard]] double at(double place) const noexcept {
    const auto before = static_cast<Index>(std::floor(place));
    const double part = place - std::floor(place);
    const double a = value(before - 1);
    const double b = value(before);
    const double c = value(before + 1);
    const double d = value(before + 2);
    return b + (0.5 * part * (c - a + (part * ((2 * a) - (5 * b) + (4 * c) - d + (part * ((3 * (b - c)) + d - a))))));
  }

  std::array<double, kept> recent_{};
  Index received_ = 0;
  double place_ = 0;  // of the next sample to be handed on, among those received
  bool moved_ = false;
};

}  // namespace heed::live
