// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sources/ndjson_reader.h>
#include <rapidcheck/gtest.h>
#include <support/allocation_counter.h>
#include <support/expect_error.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heed::live {
namespace {

constexpr const char* score_header = R"({"speakers":["left","right"],"window":1})";
constexpr const char* signal_header =
    R"({"speakers":["left","right"],"rate":64,"channels":["Fz","Cz"],"audio_rate":16000,"attended":true,"trials":true})";

std::vector<Block> blocks_of(NdjsonReader& reader, const std::string& line) {
  reader.read(line);
  std::vector<Block> blocks;
  Block block;
  while (reader.take(block)) blocks.push_back(std::exchange(block, {}));
  return blocks;
}

TEST(NdjsonReader, Scores) {
  NdjsonReader reader("-");
  EXPECT_TRUE(blocks_of(reader, score_header).empty());
  EXPECT_FALSE(reader.is_described());
  const auto first = blocks_of(reader, R"({"t":12.0,"scores":[0.1,0.02]})");
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(reader.is_described());
  EXPECT_EQ(reader.description().content, StreamContent::scores);
  EXPECT_EQ(first[0].kind, BlockKind::scores);
  EXPECT_EQ(first[0].stamp, Seconds{12});
  EXPECT_EQ(first[0].rows, 1);
  EXPECT_EQ(first[0].values, (std::vector<double>{0.1, 0.02}));
  EXPECT_TRUE(blocks_of(reader, "  ").empty());
  const auto missing = blocks_of(reader, R"({"scores":[null,-1]})");
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_FALSE(missing[0].stamp);
  EXPECT_TRUE(std::isnan(missing[0].values[0]));
  EXPECT_EQ(reader.lines(), 4U);
}

TEST(NdjsonReader, LogLikelihoods) {
  NdjsonReader reader("-");
  reader.read(std::string("\xef\xbb\xbf") + score_header);
  const auto blocks = blocks_of(reader, R"({"log_likelihoods":[-1,-1e300]})");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(reader.description().content, StreamContent::log_likelihoods);
  EXPECT_EQ(blocks[0].kind, BlockKind::log_likelihoods);
  test::expect_error(ErrorKind::bad_data, {"line 3, column", "something else"},
                     [&] { reader.read(R"({"scores":[1,2]})"); });
}

TEST(NdjsonReader, SignalsInTheOrderOfASession) {
  NdjsonReader reader("-");
  reader.read(signal_header);
  EXPECT_TRUE(reader.is_described());
  const auto blocks = blocks_of(
      reader,
      R"({"eeg":[[1,2],[3,null],[5,6]],"audio":{"right":[0.5],"left":[0.25,-1]},"marker":"go","attended":"right","trial":"a","t":7})");
  ASSERT_EQ(blocks.size(), 6U);
  EXPECT_EQ(blocks[0].kind, BlockKind::trial);
  EXPECT_EQ(blocks[0].text, "a");
  EXPECT_EQ(blocks[1].kind, BlockKind::attended);
  EXPECT_EQ(blocks[1].speaker, 1);
  EXPECT_EQ(blocks[2].kind, BlockKind::marker);
  EXPECT_EQ(blocks[2].text, "go");
  EXPECT_EQ(blocks[3].kind, BlockKind::sound);
  EXPECT_EQ(blocks[3].feed, 0);
  EXPECT_EQ(blocks[3].samples, (std::vector<float>{0.25F, -1.0F}));
  EXPECT_EQ(blocks[4].feed, 1);
  EXPECT_EQ(blocks[4].rows, 1);
  EXPECT_EQ(blocks[5].kind, BlockKind::eeg);
  EXPECT_EQ(blocks[5].rows, 3);
  EXPECT_EQ(blocks[5].samples[2], 3.0F);
  EXPECT_TRUE(std::isnan(blocks[5].samples[3]));
  for (const Block& block : blocks) EXPECT_EQ(block.stamp, Seconds{7});
  const auto nobody = blocks_of(reader, R"({"attended":null})");
  ASSERT_EQ(nobody.size(), 1U);
  EXPECT_EQ(nobody[0].speaker, unknown_speaker);
}

TEST(NdjsonReader, RefusalsNameLineAndRemedy) {
  struct Case {
    const char* header;
    const char* line;
    const char* words;
  };
  for (const auto& [header, line, words] : std::initializer_list<Case>{
           {score_header, R"({"t":1})", "no data"},
           {score_header, R"({"marker":"x"})", "must hold scores"},
           {score_header, R"({"scores":[1]})", "1 values for 2 speakers"},
           {score_header, R"({"scores":[1,2,3]})", "3 values for 2 speakers"},
           {score_header, R"({"scores":[NaN,1]})", "write null"},
           {score_header, R"({"score":[1,2]})", "did you mean 'scores'"},
           {score_header, R"({"scores":[1,2],"scores":[1,2]})", "twice"},
           {score_header, R"({"scores":[1,2],"log_likelihoods":[1,2]})", "twice"},
           {score_header, R"({"t":1e300,"scores":[1,2]})", "t is in seconds"},
           {score_header, R"({"t":null,"scores":[1,2]})", "a number"},
           {score_header, R"({"eeg":[[1,2]]})", "\"rate\":512"},
           {score_header, R"({"scores":[1,2],"attended":"left"})", "\"attended\":true"},
           {score_header, R"({"scores":[1,2],"trial":"a"})", "\"trials\":true"},
           {score_header, R"({"scores":[1,2])", "line ends"},
           {score_header, R"({"scores":[1,2]}})", "end of the line"},
           {signal_header, R"({"scores":[1,2]})", "leave channels out"},
           {signal_header, R"({"eeg":[]})", "eeg is empty"},
           {signal_header, R"({"eeg":[[1,2],[3]]})", "row 2 has 1 values for 2 channels"},
           {signal_header, R"({"eeg":[1,2]})", "a list"},
           {signal_header, R"({"eeg":[[1,1e39]]})", "too large for a sample"},
           {signal_header, R"({"audio":{"centre":[1]}})", "'centre' is not one of the speakers"},
           {signal_header, R"({"audio":{"left":[1],"left":[2]}})", "twice"},
           {signal_header, R"({"audio":{"left":[null]}})", "a number"},
           {signal_header, R"({"audio":{"left":[]}})", "sound is empty"},
           {signal_header, R"({"envelope":{"left":[1]}})", "\"envelope_rate\":64"},
           {signal_header, R"({"attended":"centre"})", "'centre' is not one of the speakers"},
           {signal_header, R"({"trial":""})", "empty"},
       }) {
    NdjsonReader reader("-");
    reader.read(header);
    test::expect_error(ErrorKind::bad_data, {"line 2, column", words}, [&, text = line] { reader.read(text); });
    Block block;
    EXPECT_FALSE(reader.take(block)) << line;
  }
}

TEST(NdjsonReader, DoesNotAllocateOnceLinesHaveBeenAsLong) {
  NdjsonReader reader("-");
  reader.read(
      R"({"speakers":["left","somebody with a long name"],"rate":64,"channels":["Fz","Cz"],"audio_rate":16000})");
  const std::string line =
      R"({"t":1.5,"eeg":[[1.25,2],[3,4]],"audio":{"left":[1,2,3],"somebody with a long name":[1,2,3]}})";
  Block block;
  const auto pass = [&] {
    reader.read(line);
    while (reader.take(block)) {
    }
  };
  for (int k = 0; k < 10; ++k) pass();
  const test::AllocationCount allocations;
  for (int k = 0; k < 100; ++k) pass();
  EXPECT_EQ(allocations.so_far(), 0U);
}

// A sender that writes the shortest text of a sample loses nothing: what is recorded or replayed through NDJSON has the
// same bits.
RC_GTEST_PROP(NdjsonReader, SamplesKeepTheirBits, (std::uint32_t first, std::uint32_t second)) {
  const std::array<float, 2> sent{std::bit_cast<float>(first), std::bit_cast<float>(second)};
  RC_PRE(std::isfinite(sent[0]) && std::isfinite(sent[1]));
  std::string line = R"({"eeg":[[)";
  for (const float sample : sent) {
    std::array<char, 32> digits{};
    line.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), sample).ptr);
    line += ',';
  }
  line.back() = ']';
  NdjsonReader reader("-");
  reader.read(signal_header);
  const auto blocks = blocks_of(reader, line + "]}");
  RC_ASSERT(blocks.size() == 1U);
  RC_ASSERT(std::bit_cast<std::uint32_t>(blocks[0].samples[0]) == first);
  RC_ASSERT(std::bit_cast<std::uint32_t>(blocks[0].samples[1]) == second);
}

// Whatever another library writes is read back, whichever way the numbers are spread over rows.
RC_GTEST_PROP(NdjsonReader, EegIsReadBack, ()) {
  const auto rows = *rc::gen::container<std::vector<std::vector<int>>>(
      rc::gen::container<std::vector<int>>(2, rc::gen::arbitrary<int>()));
  RC_PRE(!rows.empty());
  NdjsonReader reader("-");
  reader.read(signal_header);
  const auto blocks = blocks_of(reader, nlohmann::json{{"eeg", rows}}.dump());
  RC_ASSERT(blocks.size() == 1U);
  RC_ASSERT(blocks[0].rows == static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    RC_ASSERT(blocks[0].samples[2 * k] == static_cast<float>(rows[k][0]));
    RC_ASSERT(blocks[0].samples[(2 * k) + 1] == static_cast<float>(rows[k][1]));
  }
}

}  // namespace
}  // namespace heed::live
