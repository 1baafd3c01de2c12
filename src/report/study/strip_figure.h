// SPDX-License-Identifier: MIT
// Settings compared (the paper's Tables II to IV): a strip a setting with every participant as a dot, the mean, the
// middle half as a bar, and the published number as an open star. One panel a measure, side by side.
#pragma once

#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>
#include <report/study/plotted_values.h>

#include <string>
#include <vector>

namespace heed::report {

struct Strip {
  PlottedValues values{};
  std::optional<PublishedMark> published{};
};

struct StripPanel {
  MeasureAxis measure{};
  std::vector<Strip> strips{};  // one a row
};

struct StripPicture {
  std::vector<std::string> rows{};  // names of the settings, from top to bottom
  std::vector<StripPanel> panels{};
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // as in SweepPicture
};

// Dots of a strip that would hide each other are moved apart up and down. Throws invalid_argument where rows and
// strips do not match, bad_data where there is no value at all.
[[nodiscard]] Drawing draw_strips(const StripPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
