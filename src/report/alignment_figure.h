// SPDX-License-Identifier: MIT
// Are EEG and audio in step? A score against a shift of the one against the other: the expected place of the peak is
// shaded, the found one marked.
#pragma once

#include <heed/data/units.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

struct AlignmentPicture {
  std::vector<Seconds> shifts{};           // rising, at least two
  std::vector<double> scores{};            // one a shift; NaN: not known, the line has a gap there
  std::string score_name = "correlation";  // with its unit, if it has one
  std::string shift_name = "shift";        // what is on the axis, e.g. "delay of the EEG behind the sound"
  Seconds expected_first{};                // the peak should lie between these
  Seconds expected_last{};
  std::optional<Seconds> peak{};  // found; nothing: no peak stands out
  std::string title{};
  std::string subtitle{};
  std::string caption{};  // e.g. what positive means
};

// Shifts are shown in milliseconds. Throws invalid_argument if scores and shifts differ in number, shifts do not
// rise, the expected place ends before it begins or the peak lies outside the shifts; bad_data without any score.
[[nodiscard]] Drawing draw_alignment(const AlignmentPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
