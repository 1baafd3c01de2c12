// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/ink/svg.h>

namespace heed::report {
namespace {

Drawing one_shape(Shape shape) {
  return {.width = 100, .height = 50, .title = "", .description = "", .groups = {{"g", {std::move(shape)}}}};
}

bool has(const std::string& svg, const std::string& part) { return svg.find(part) != std::string::npos; }

Path path_through(std::vector<Point> points, bool closed = false) {
  return {.pieces = {std::move(points)}, .closed = closed, .fill = {}, .stroke = Stroke{}, .hint = {}};
}

TEST(Svg, SaysWhatItIsToThoseWhoCannotSeeIt) {
  Drawing drawing = one_shape(Text{});
  drawing.title = "A <b> & \"c\"";
  drawing.description = "Two speakers.";
  const std::string svg = svg_text(drawing);
  EXPECT_TRUE(has(svg, "role=\"img\""));
  EXPECT_TRUE(has(svg, "aria-label=\"A &lt;b&gt; &amp; &quot;c&quot;\""));
  EXPECT_TRUE(has(svg, "<title>A &lt;b&gt; &amp; &quot;c&quot;</title>"));
  EXPECT_TRUE(has(svg, "<desc>Two speakers.</desc>"));
  EXPECT_TRUE(has(svg, "viewBox=\"0 0 100 50\""));
  EXPECT_TRUE(has(svg, "width=\"35.28mm\" height=\"17.64mm\""));
  EXPECT_TRUE(has(svg, "font-family=\"sans-serif\""));
}

TEST(Svg, PathsTakeShortStepsThatDoNotDrift) {
  EXPECT_TRUE(
      has(svg_text(one_shape(path_through({{1, 2}, {1.5, 2}, {1.5, 1.25}, {4, 5}}))), "d=\"M1 2h.5v-.75l2.5 3.75\""));
  EXPECT_TRUE(has(svg_text(one_shape(path_through({{0, 0}, {-.5, .1}, {-.5, .1}}, true))), "d=\"M0 0l-.5 .1z\""));
  // Three steps of a third each end on the whole number, not on .99.
  EXPECT_TRUE(
      has(svg_text(one_shape(path_through({{0, 0}, {1 / 3.0, 0}, {2 / 3.0, 0}, {1, 0}}))), "d=\"M0 0h.33h.34h.33\""));
}

TEST(Svg, PaintIsWrittenOut) {
  Path path = path_through({{0, 0}, {1, 1}});
  path.stroke = Stroke{{1, 2, 255}, 0.6, 2.5};
  path.hint = "why & how";
  const std::string svg = svg_text(one_shape(path));
  EXPECT_TRUE(has(svg, "fill=\"none\" stroke=\"#0102ff\" stroke-width=\".6\" stroke-dasharray=\"2.5\""));
  EXPECT_TRUE(has(svg, "<title>why &amp; how</title></path>"));
  Circle circle{.centre = {3, 4}, .radius = 2, .fill = Colour{255, 255, 255, 0.4}, .stroke = {}, .hint = {}};
  EXPECT_TRUE(
      has(svg_text(one_shape(circle)), "<circle cx=\"3\" cy=\"4\" r=\"2\" fill=\"#ffffff\" fill-opacity=\".4\"/>"));
}

TEST(Svg, TextStaysText) {
  const Text text{.at = {5, 6},
                  .text = "p < .1\xFF",
                  .size = 7.5,
                  .anchor = Anchor::end,
                  .colour = {},
                  .bold = true,
                  .climbs = true};
  EXPECT_TRUE(has(svg_text(one_shape(text)),
                  "<text x=\"5\" y=\"6\" font-size=\"7.5\" text-anchor=\"end\" font-weight=\"bold\" "
                  "transform=\"rotate(-90 5 6)\" fill=\"#000000\">p &lt; .1?</text>"));
}

}  // namespace
}  // namespace heed::report
