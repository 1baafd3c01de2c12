// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sources/biosemi_decoder.h>
#include <rapidcheck/gtest.h>
#include <support/allocation_counter.h>
#include <support/biosemi_bytes.h>
#include <support/expect_error.h>

#include <cmath>
#include <vector>

namespace heed::live {
namespace {

using test::BiosemiBytes;

std::vector<Block> decoded(BiosemiDecoder& decoder, std::span<const std::uint8_t> bytes, std::size_t piece = 4096) {
  std::vector<Block> blocks;
  Block block;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(piece, bytes.size()));
    decoder.feed(part);
    while (decoder.take(block)) blocks.push_back(block);
    bytes = bytes.subspan(part.size());
  }
  return blocks;
}

std::vector<float> samples_of(const std::vector<Block>& blocks) {
  std::vector<float> samples;
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::eeg) samples.insert(samples.end(), block.samples.begin(), block.samples.end());
  }
  return samples;
}

TEST(BiosemiDecoder, MicrovoltsExactly) {
  BiosemiDecoder decoder({.channels = 2, .status = false, .rate = {512}});
  // 1, -1, the largest and the smallest number.
  const std::vector<std::uint8_t> bytes{1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0x80};
  const auto blocks = decoded(decoder, bytes);
  EXPECT_EQ(samples_of(blocks), (std::vector<float>{1 / 32.0F, -1 / 32.0F, 8388607 / 32.0F, -8388608 / 32.0F}));
  EXPECT_EQ(blocks.front().stamp, Seconds{0});
  EXPECT_EQ(decoder.time(), Seconds{2 / 512.0});
}

TEST(BiosemiDecoder, FindsOutWhetherStatusIsSent) {
  for (const bool status : {true, false}) {
    for (const Index channels : {2, 8, 64, 128}) {
      BiosemiBytes stream(channels, status);
      BiosemiDecoder decoder({.channels = channels, .rate = {2048}});
      const auto blocks = decoded(decoder, stream.rows(3000));
      EXPECT_EQ(decoder.has_status(), status) << channels;
      EXPECT_EQ(samples_of(blocks), stream.sent()) << channels;
    }
  }
}

// The same however the network cuts it.
RC_GTEST_PROP(BiosemiDecoder, AnyPieces, ()) {
  const auto piece = *rc::gen::inRange<std::size_t>(1, 5000);
  BiosemiBytes stream(16, true);
  BiosemiDecoder decoder({.channels = 16, .rate = {512}, .block_rows = 8});
  const auto blocks = decoded(decoder, stream.rows(700), piece);
  RC_ASSERT(samples_of(blocks) == stream.sent());
  double next = 0;
  for (const Block& block : blocks) {
    RC_ASSERT(block.rows <= 8);
    RC_ASSERT(std::abs(block.stamp->value - next) < 1e-9);
    next += static_cast<double>(block.rows) / 512;
  }
}

TEST(BiosemiDecoder, AWrongNumberOfChannelsIsToldWithTheRightOne) {
  for (const auto& [sent, given] : {std::pair<Index, Index>{64, 72}, {72, 64}, {64, 63}, {32, 64}, {16, 17}}) {
    for (const std::optional<bool> status : {std::optional<bool>(true), std::optional<bool>()}) {
      BiosemiBytes stream(sent, true);
      BiosemiDecoder decoder({.channels = given, .status = status, .rate = {2048}});
      test::expect_error(ErrorKind::bad_data, {"not where it should be", std::to_string(sent) + " channels and Status"},
                         [&] { (void)decoded(decoder, stream.rows(4000)); });
    }
  }
  BiosemiBytes without(64, false);
  BiosemiDecoder decoder({.channels = 64, .status = true, .rate = {2048}});
  test::expect_error(ErrorKind::bad_data, {"does not look like Status", "status=0"},
                     [&] { (void)decoded(decoder, without.rows(4000)); });
}

TEST(BiosemiDecoder, AJumpLaterOnIsAnErrorToo) {
  BiosemiBytes stream(8, true);
  BiosemiDecoder decoder({.channels = 8, .status = true, .rate = {512}});
  (void)decoded(decoder, stream.rows(2000));
  auto bytes = stream.rows(100);
  bytes.erase(bytes.begin(), bytes.begin() + 3);
  test::expect_error(ErrorKind::bad_data, {"sample 2001", "jumped"}, [&] { (void)decoded(decoder, bytes); });
}

TEST(BiosemiDecoder, RangeBatteryAndTriggers) {
  BiosemiBytes stream(4, true);
  BiosemiDecoder decoder({.channels = 4, .status = true, .rate = {1024}});
  (void)decoded(decoder, stream.rows(2048));
  EXPECT_FALSE(decoder.battery_low());
  stream.in_range = false;
  const auto away = decoded(decoder, stream.rows(10));
  for (const float sample : samples_of(away)) EXPECT_TRUE(std::isnan(sample));
  EXPECT_EQ(decoder.out_of_range(), 10);
  stream.in_range = true;
  stream.battery_low = true;
  stream.trigger = 254;
  const auto marked = decoded(decoder, stream.rows(4));
  ASSERT_EQ(marked.size(), 2U);
  EXPECT_EQ(marked[0].kind, BlockKind::eeg);
  EXPECT_FALSE(std::isnan(marked[0].samples[0]));
  EXPECT_EQ(marked[1].kind, BlockKind::marker);
  EXPECT_EQ(marked[1].text, "254");
  EXPECT_EQ(marked[1].stamp, Seconds{2058 / 1024.0});
  EXPECT_TRUE(decoder.battery_low());
  stream.trigger = 0;
  EXPECT_EQ(decoded(decoder, stream.rows(4)).size(), 1U);
  EXPECT_EQ(decoder.out_of_range(), 10);
}

TEST(BiosemiDecoder, RestartsAtItsTime) {
  BiosemiBytes stream(4, true);
  BiosemiDecoder decoder({.channels = 4, .status = true, .rate = {512}});
  (void)decoded(decoder, stream.rows(2000));
  decoder.feed(std::vector<std::uint8_t>(7));  // half a row is lost with the connection
  decoder.restart(Seconds{10});
  const auto blocks = decoded(decoder, stream.rows(3));
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].stamp, Seconds{10});
  EXPECT_EQ(decoder.rows(), 2003);
}

TEST(BiosemiDecoder, DoesNotAllocate) {
  BiosemiBytes stream(64, true);
  BiosemiDecoder decoder({.channels = 64, .status = true, .rate = {2048}, .block_rows = 32});
  const auto bytes = stream.rows(200);
  Block block;
  const auto pass = [&] {
    decoder.feed(bytes);
    while (decoder.take(block)) {
    }
  };
  for (int k = 0; k < 5; ++k) pass();
  const test::AllocationCount allocations;
  for (int k = 0; k < 20; ++k) pass();
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(BiosemiDecoder, LayoutsAndRatesThatCannotBe) {
  for (const BiosemiLayout& layout :
       {BiosemiLayout{.channels = 0, .rate = {2048}}, BiosemiLayout{.channels = 281, .rate = {2048}},
        BiosemiLayout{.channels = 8, .rate = {0}}, BiosemiLayout{.channels = 8, .rate = {1e6}},
        BiosemiLayout{.channels = 8, .rate = {2048}, .block_rows = -1}}) {
    test::expect_error(ErrorKind::invalid_argument, {"must"}, [&] { const BiosemiDecoder decoder(layout); });
  }
  check_biosemi_rate(10300, Seconds{5}, Hertz{2048});
  test::expect_error(ErrorKind::bad_data, {"about 512 samples", "not 2048"},
                     [] { check_biosemi_rate(2560, Seconds{5}, Hertz{2048}); });
  test::expect_error(ErrorKind::bad_data, {"about 4096 samples"},
                     [] { check_biosemi_rate(20480, Seconds{5}, Hertz{2048}); });
}

TEST(BiosemiDecoder, NamesOfChannels) {
  EXPECT_EQ(biosemi_channels(64).front(), "Fp1");
  EXPECT_EQ(biosemi_channels(64).back(), "O2");
  EXPECT_EQ(biosemi_channels(72).at(63), "O2");
  EXPECT_EQ(biosemi_channels(72).back(), "EXG8");
  EXPECT_EQ(biosemi_channels(32).size(), 32U);
  EXPECT_EQ(biosemi_channels(40).back(), "EXG8");
  EXPECT_EQ(biosemi_channels(128).at(32), "B1");
  EXPECT_EQ(biosemi_channels(256).back(), "H32");
}

}  // namespace
}  // namespace heed::live
