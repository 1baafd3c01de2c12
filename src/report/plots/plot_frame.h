// SPDX-License-Identifier: MIT
// What plots share: the frame with its ticks and axis titles, lines over what is known, the line of chance.
#pragma once

#include <heed/report/drawing.h>
#include <report/axis.h>
#include <report/ink/shapes.h>

#include <span>
#include <string>
#include <vector>

namespace heed::report {

inline constexpr double plot_left_margin = 40;    // for tick labels and the title that climbs
inline constexpr double plot_bottom_margin = 30;  // for tick labels and the title
inline constexpr double plot_tick_size = 7;       // of tick labels

struct PlacedTick {
  double at = 0;  // on paper
  std::string label{};
};

struct PlotAxis {
  std::string title{};
  std::vector<PlacedTick> ticks{};
};

struct FrameStyle {
  bool boxed = true;    // else the axes alone, with a mark at each tick
  bool upright = true;  // a hair line at each tick across
  bool level = true;    // and at each tick up
};

struct PlotFrame {
  Rectangle area{};
  PlotAxis across{};
  PlotAxis up{};
  FrameStyle style{};
};

// Group "axes": grid, labels, titles, and the frame as its last path. What has no words has none.
[[nodiscard]] Group framed_plot(const PlotFrame& frame);

// So many numbers of up to five signs stand below the plot without meeting.
[[nodiscard]] int ticks_across(const Rectangle& area);
// About `wanted` ticks of an even scale.
[[nodiscard]] PlotAxis linear_axis(std::string title, const LinearScale& scale, int wanted);

// Group "chance": a dashed line at this height, named at its right end.
[[nodiscard]] Group chance_line(const Rectangle& area, double height);

// A line through the points whose height is a number, with gaps at the others; a point alone becomes a dot.
[[nodiscard]] std::vector<Shape> broken_line(std::span<const Point> points, const Stroke& stroke,
                                             const std::string& hint);

}  // namespace heed::report
