// SPDX-License-Identifier: MIT
// From measured clock offsets to a correction of time stamps: a robust straight line over each stretch between two
// resets of the clock. Offsets are measured every few seconds, some of them badly.
#pragma once

#include <heed/data/matrix.h>

#include <span>
#include <vector>

namespace heed::io {

struct ClockOffset {
  double time = 0;         // on the clock of the stamps
  double offset = 0;       // to be added to stamps
  Index first_sample = 0;  // where the stamps jumped since the offset before it; else those that follow in the file
};

// stamp + intercept + slope (stamp - centre).
struct ClockLine {
  Index first_sample = 0;  // from here on, to the next line
  double centre = 0;
  double intercept = 0;
  double slope = 0;
  [[nodiscard]] double corrected(double stamp) const noexcept { return stamp + intercept + slope * (stamp - centre); }
  [[nodiscard]] double stretch() const noexcept { return 1 + slope; }  // of differences
};

// Offsets that change by more in between two measurements are either wrong or a reset.
inline constexpr double sudden_offset = 1;

// At least one line; without offsets it corrects nothing. A reset is where offset and collection time jump together;
// the line after it begins with the first sample of its offset.
[[nodiscard]] std::vector<ClockLine> clock_lines(std::span<const ClockOffset> offsets);

}  // namespace heed::io
