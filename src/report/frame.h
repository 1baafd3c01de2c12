// SPDX-License-Identifier: MIT
// What figures share: paper with titles and caption, the legend, the frame of a plot with its axes, and lines with
// gaps.
#pragma once

#include <heed/report/drawing.h>
#include <report/axis.h>
#include <report/shapes.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::report {

// Empty paper with its titles; its height ends below them. A stamp, such as "simulated data", stands in a box of its
// own at the top right (group "stamp"). Throws invalid_argument if the width, in millimetres, leaves no room for a
// figure.
[[nodiscard]] Drawing titled_drawing(double width, const std::string& title, const std::string& subtitle,
                                     const std::string& stamp = {});
// " Simulated data." as the last sentence of a description; nothing without a stamp.
[[nodiscard]] std::string stamp_sentence(const std::string& stamp);

struct CaptionPlace {
  double left = 0;
  double room = 0;
};

// At most five lines of small print below what is drawn; the drawing grows by them.
void append_caption(Drawing& drawing, const std::string& text, const CaptionPlace& place);

struct LegendEntry {
  std::string text{};
  std::vector<Shape> sign{};           // drawn around the origin
  std::optional<double> sign_width{};  // of its box, if not the legend's; entries below each other share one width
};

inline constexpr double legend_line = 11;   // points from line to line
inline constexpr double legend_swatch = 8;  // side of a square of colour
[[nodiscard]] Rectangle swatch_area();      // such a square around the origin

struct Legend {
  Group group{"legend", {}};
  double height = 0;
};

struct LegendPlace {
  Point top_left{};
  double room = 0;                    // width of a line
  double sign_width = legend_swatch;  // of the boxes that signs are drawn in
  bool one_per_line = false;
};

// Entries from left to right, wrapped; names too long for a line are cut.
[[nodiscard]] Legend lay_out_legend(const std::vector<LegendEntry>& entries, const LegendPlace& place);
// The drawing grows by the legend.
void append_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, const LegendPlace& place);

inline constexpr double plot_left_margin = 40;    // for tick labels and the vertical title
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
  bool upright = true;  // a hairline at each tick of the horizontal axis
  bool level = true;    // and of the vertical one
};

struct PlotFrame {
  Rectangle area{};
  PlotAxis across{};
  PlotAxis up{};
  FrameStyle style{};
};

// Group "axes": grid, labels, titles, and the frame as its last shape. Empty titles and labels are not drawn.
[[nodiscard]] Group framed_plot(const PlotFrame& frame);

// As many ticks as numbers of up to five characters fit below the plot.
[[nodiscard]] int ticks_across(const Rectangle& area);
[[nodiscard]] std::vector<PlacedTick> placed(const Axis& axis, const std::vector<Tick>& ticks);
// With about `wanted` ticks.
[[nodiscard]] PlotAxis titled_axis(std::string title, const Axis& axis, int wanted);

// Group "chance": a dashed line at this height, named at its right end.
[[nodiscard]] Group chance_line(const Rectangle& area, double height);

// A line through the points whose height is a number, with gaps at the others; an isolated point becomes a dot.
[[nodiscard]] std::vector<Shape> broken_line(std::span<const Point> points, const Stroke& stroke,
                                             const std::string& hint);

// Unless it is empty.
void append_group(Drawing& drawing, Group group);

}  // namespace heed::report
