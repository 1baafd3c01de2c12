// SPDX-License-Identifier: MIT
// A measure along a parameter (the paper's Figs 3, 4, 6 and 7): a line a series through means, the middle half of the
// participants as error bars, every participant a faint dot, published numbers as open stars. Panels share the axis.
#pragma once

#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>
#include <report/study/plotted_values.h>

#include <string>
#include <vector>

namespace heed::report {

struct SweepPoint {
  double across = 0;
  PlottedValues values{};
  std::optional<PublishedMark> published{};
};

struct SweepPanel {
  MeasureAxis measure{};
  std::vector<std::vector<SweepPoint>> series{};  // [series] in order of `across`
};

struct SweepPicture {
  std::vector<std::string> series{};  // names, told apart by colour and sign
  std::vector<SweepPanel> panels{};   // one to three, side by side where there is room, else below each other
  std::string across{};               // title of the axis, with its unit
  bool logarithmic = false;           // that axis
  bool diagonal = false;              // draw y = x: reliability
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // "simulated": over every figure of simulated data; empty: none
};

// Throws invalid_argument where series and panels do not match or a logarithmic axis meets a value that is not
// positive; bad_data where there is no mean at all.
[[nodiscard]] Drawing draw_sweep(const SweepPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
