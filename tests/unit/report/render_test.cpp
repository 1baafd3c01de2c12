// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/report/render.h>
#include <report/ink/shapes.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heed::report {
namespace {

Drawing sample() {
  return {.width = 144,
          .height = 72,
          .title = "A figure",
          .description = "A square, a dot and words.",
          .groups = {{"g",
                      {filled({10, 10, 20, 20}, {0, 114, 178}), marker(Marker::circle, {60, 30}, 8, {230, 159, 0, 0.5}),
                       line({0, 60}, {144, 60}, {ink, 1, 2}),
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
    std::get<Path>(other.groups[0].shapes[0]).fill = Colour{200, 0, 0};
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
