// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/report/drawing.h>
#include <report/shapes.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heed::report {
namespace {

Drawing one_shape(Shape shape) {
  return {.width = 100, .height = 50, .title = "", .description = "", .groups = {{"g", {std::move(shape)}}}};
}

std::string svg_of(const Drawing& drawing) { return render(drawing, FigureFormat::svg); }

bool has(const std::string& svg, const std::string& part) { return svg.find(part) != std::string::npos; }

Polyline path_through(std::vector<Point> points, bool closed = false) {
  return {.pieces = {std::move(points)}, .closed = closed, .fill = {}, .stroke = Stroke{}, .hint = {}};
}

TEST(Svg, SaysWhatItIsToThoseWhoCannotSeeIt) {
  Drawing drawing = one_shape(Text{});
  drawing.title = "A <b> & \"c\"";
  drawing.description = "Two speakers.";
  const std::string svg = svg_of(drawing);
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
      has(svg_of(one_shape(path_through({{1, 2}, {1.5, 2}, {1.5, 1.25}, {4, 5}}))), "d=\"M1 2h.5v-.75l2.5 3.75\""));
  EXPECT_TRUE(has(svg_of(one_shape(path_through({{0, 0}, {-.5, .1}, {-.5, .1}}, true))), "d=\"M0 0l-.5 .1z\""));
  // Three steps of a third each end on the whole number, not on .99.
  EXPECT_TRUE(
      has(svg_of(one_shape(path_through({{0, 0}, {1 / 3.0, 0}, {2 / 3.0, 0}, {1, 0}}))), "d=\"M0 0h.33h.34h.33\""));
}

TEST(Svg, PaintIsWrittenOut) {
  Polyline path = path_through({{0, 0}, {1, 1}});
  path.stroke = Stroke{{1, 2, 255}, 0.6, 2.5};
  path.hint = "why & how";
  const std::string svg = svg_of(one_shape(path));
  EXPECT_TRUE(has(svg, "fill=\"none\" stroke=\"#0102ff\" stroke-width=\".6\" stroke-dasharray=\"2.5\""));
  EXPECT_TRUE(has(svg, "<title>why &amp; how</title></path>"));
  Circle circle{.centre = {3, 4}, .radius = 2, .fill = Colour{255, 255, 255, 0.4}, .stroke = {}, .hint = {}};
  EXPECT_TRUE(
      has(svg_of(one_shape(circle)), "<circle cx=\"3\" cy=\"4\" r=\"2\" fill=\"#ffffff\" fill-opacity=\".4\"/>"));
}

TEST(Svg, TextStaysText) {
  const Text text{.at = {5, 6},
                  .text = "p < .1\xFF",
                  .size = 7.5,
                  .anchor = Anchor::end,
                  .colour = {},
                  .bold = true,
                  .climbs = true};
  EXPECT_TRUE(has(svg_of(one_shape(text)),
                  "<text x=\"5\" y=\"6\" font-size=\"7.5\" text-anchor=\"end\" font-weight=\"bold\" "
                  "transform=\"rotate(-90 5 6)\" fill=\"#000000\">p &lt; .1?</text>"));
}

Drawing sample() {
  return {.width = 144,
          .height = 72,
          .title = "A figure",
          .description = "A square, a dot and words.",
          .groups = {
              {"g",
               {filled({10, 10, 20, 20}, {0, 114, 178}),
                filled_mark(MarkShape::circle, {60, 30}, 8, {230, 159, 0, 0.5}), line({0, 60}, {144, 60}, {ink, 1, 2}),
                Text{.at = {80, 40}, .text = "µ = −0.1 \xFF", .size = 9, .climbs = true}}}}};
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The checksum of PNG, bit by bit.
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    value ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~value;
}

struct Chunk {
  std::string type;
  std::string data;
  bool checks = false;
};

// Nothing if the chunks do not add up to the file.
std::optional<std::vector<Chunk>> chunks_of(std::string_view png) {
  constexpr std::string_view signature{"\x89PNG\r\n\x1a\n", 8};
  if (!png.starts_with(signature)) return std::nullopt;
  std::vector<Chunk> chunks;
  for (std::size_t at = signature.size(); at < png.size();) {
    if (at + 12 > png.size()) return std::nullopt;
    const std::size_t length = big_endian(png, at);
    if (at + 12 + length > png.size()) return std::nullopt;
    chunks.push_back({std::string(png.substr(at + 4, 4)), std::string(png.substr(at + 8, length)),
                      crc(png.substr(at + 4, 4 + length)) == big_endian(png, at + 8 + length)});
    at += 12 + length;
  }
  return chunks;
}

TEST(FigureFormat, IsTheEnding) {
  EXPECT_EQ(figure_format("a.svg"), FigureFormat::svg);
  EXPECT_EQ(figure_format("../x.y/a.PDF"), FigureFormat::pdf);
  EXPECT_EQ(figure_format("a.b.Png"), FigureFormat::png);
  for (const char* bad : {"a.jpg", "svg", ".svg", "a.svg.gz", "", "a"}) {
    try {
      (void)figure_format(bad);
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      for (const char* named : {".svg", ".pdf", ".png"}) {
        EXPECT_NE(std::string_view(error.what()).find(named), std::string_view::npos) << named;
      }
    }
  }
}

TEST(Render, PngHasItsSizeItsResolutionAndSoundChunks) {
  const std::string png = render(sample(), FigureFormat::png);
  const auto chunks = chunks_of(png);
  ASSERT_TRUE(chunks);
  EXPECT_EQ(chunks->front().type, "IHDR");
  EXPECT_EQ(big_endian(chunks->front().data, 0), 600U) << "2 inches at 300 dots";
  EXPECT_EQ(big_endian(chunks->front().data, 4), 300U);
  EXPECT_EQ(chunks->back().type, "IEND");
  bool resolution = false;
  for (const Chunk& chunk : *chunks) {
    EXPECT_TRUE(chunk.checks) << chunk.type;
    EXPECT_NE(chunk.type, "tIME");
    if (chunk.type == "pHYs") {
      resolution = true;
      EXPECT_EQ(big_endian(chunk.data, 0), 11811U) << "dots a metre";
      EXPECT_EQ(chunk.data[8], 1);
    }
  }
  EXPECT_TRUE(resolution);
}

TEST(Render, PdfIsWholeAndHasNoDate) {
  const std::string pdf = render(sample(), FigureFormat::pdf);
  EXPECT_TRUE(pdf.starts_with("%PDF-1."));
  EXPECT_TRUE(pdf.ends_with("%%EOF\n"));
  EXPECT_NE(pdf.find("startxref"), std::string::npos);
  EXPECT_NE(pdf.find("(A figure)"), std::string::npos) << "the document's title";
  EXPECT_NE(pdf.find("/MediaBox [ 0 0 144 72 ]"), std::string::npos);
  EXPECT_EQ(pdf.find("CreationDate"), std::string::npos);
}

TEST(Render, SameDrawingSameBytes) {
  for (const FigureFormat format : {FigureFormat::svg, FigureFormat::pdf, FigureFormat::png}) {
    EXPECT_EQ(render(sample(), format), render(sample(), format));
    Drawing other = sample();
    std::get<Polyline>(other.groups[0].shapes[0]).fill = Colour{200, 0, 0};
    EXPECT_NE(render(other, format), render(sample(), format)) << "the test can fail";
  }
}

TEST(Render, APictureTooLargeForPngIsRefused) {
  Drawing huge = sample();
  huge.width = 10000;
  EXPECT_THROW((void)render(huge, FigureFormat::png), Error);
  EXPECT_NO_THROW((void)render(huge, FigureFormat::pdf));
}

TEST(Render, WorksWithoutAnyShape) {
  const Drawing empty{.width = 72, .height = 72, .title = "", .description = "", .groups = {}};
  EXPECT_TRUE(chunks_of(render(empty, FigureFormat::png)));
  EXPECT_TRUE(render(empty, FigureFormat::pdf).ends_with("%%EOF\n"));
}

}  // namespace

}  // namespace heed::report
