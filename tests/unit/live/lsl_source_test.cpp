// SPDX-License-Identifier: MIT
// Streams of the lab streaming layer, with the faults that laboratories know, from a library that has no network.
#include <gtest/gtest.h>
#include <live/lsl/lsl_streams.h>
#include <live/sources/open_source.h>
#include <support/expect_error.h>
#include <support/fake_lsl.h>

#include <chrono>
#include <string>
#include <vector>

namespace heed::live {
namespace {

using test::expect_error;
using test::FakeLsl;

constexpr const char* voices = "stream mics Audio 2 1000 5 4000 anna,bert\n";

std::unique_ptr<Source> open(const std::string& address) {
  SourceRequest request{.address = parse_address(address, EndKind::source)};
  request.lsl_library = FakeLsl::library();
  return open_source(request);
}

struct Received {
  std::vector<double> stamps{};  // of rows of EEG
  std::vector<float> first{};    // their first channel
  std::vector<Block> others{};
  Index blocks = 0;
};

// Until so many rows of EEG, and so many other blocks, were there.
Received receive(Source& source, std::size_t rows, std::size_t others = 0) {
  Received received;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const double period = 1 / source.description().sampling_frequency.value;
  const std::size_t channels = source.description().channels.size();
  for (Block block; received.stamps.size() < rows || received.others.size() < others;) {
    if (std::chrono::steady_clock::now() > end) ADD_FAILURE() << "not everything came";
    if (std::chrono::steady_clock::now() > end || source.next(block, {0.1}) == Arrival::ended) break;
    if (block.kind != BlockKind::eeg) {
      if (block.kind != BlockKind::end) received.others.push_back(block);
      block.kind = BlockKind::end;
      continue;
    }
    ++received.blocks;
    for (Index row = 0; row < block.rows; ++row) {
      received.stamps.push_back(block.stamp->value + static_cast<double>(row) * period);
      received.first.push_back(block.samples.at(static_cast<std::size_t>(row) * channels));
    }
    block.kind = BlockKind::end;
  }
  return received;
}

void expect_all_rows(const Received& received, std::size_t rows) {
  ASSERT_EQ(received.first.size(), rows);
  for (std::size_t k = 0; k < rows; ++k) {
    ASSERT_EQ(received.first[k], static_cast<float>(10 * k));
    ASSERT_NEAR(received.stamps[k], 1000 + 0.01 * static_cast<double>(k), 1e-9) << k;
  }
}

TEST(LslSource, BringsEveryRowOnThisComputersClock) {
  const FakeLsl lsl(std::string("stream amp EEG 3 100 1 400 Fz,Cz\noffset 5000\n") + voices);
  const auto source = open("lsl:amp");
  const StreamDescription& stream = source->description();
  EXPECT_EQ(stream.channels, (std::vector<std::string>{"Fz", "Cz", "ch3"}));
  EXPECT_EQ(stream.unit, "uV");
  EXPECT_EQ(stream.speakers, (std::vector<std::string>{"anna", "bert"}));
  ASSERT_EQ(stream.feeds.size(), 2U);
  EXPECT_EQ(stream.feeds[1].kind, FeedKind::audio);
  const Received received = receive(*source, 400, 10);
  expect_all_rows(received, 400);
  // Integers become sound of full scale 1: sample k of channel c is 10 k + c.
  const Block& sound = received.others.at(1);
  EXPECT_EQ(sound.kind, BlockKind::sound);
  EXPECT_EQ(sound.feed, 1);
  EXPECT_FLOAT_EQ(sound.samples.at(3), 31.0F / 32768);
  EXPECT_EQ(source->counts(), SourceCounts{});
}

TEST(LslSource, AStreamThatIsLostOrVanishesIsReceivedAgain) {
  for (const char* fault : {"lose 120\n", "vanish 120\n", "lose 60\nlose 180\n"}) {
    const FakeLsl lsl(std::string("stream amp EEG 1 100 1 300 Fz\n") + fault + voices);
    const auto source = open("lsl:amp");
    expect_all_rows(receive(*source, 300), 300);
    EXPECT_EQ(source->counts().reconnects, std::string(fault).find("180") == std::string::npos ? 1 : 2) << fault;
  }
}

TEST(LslSource, AStreamThatComesBackAsAnotherIsAnError) {
  const FakeLsl lsl(std::string("stream amp EEG 1 100 1 300 Fz\nchange 100\n") + voices);
  const auto source = open("lsl:amp");
  expect_error(ErrorKind::bad_data, {"lsl:amp", "other channels"}, [&] { (void)receive(*source, 300); });
}

TEST(LslSource, AClockThatIsResetIsCorrectedAgain) {
  const FakeLsl lsl(std::string("stream amp EEG 1 100 1 400 Fz\nreset 200 -200000\n") + voices);
  const auto source = open("lsl:amp");
  const Received received = receive(*source, 400);
  ASSERT_EQ(received.stamps.size(), 400U);
  EXPECT_NEAR(received.stamps[199], 1001.99, 1e-9);
  EXPECT_NEAR(received.stamps[399], 1003.99, 1e-9);
}

TEST(LslSource, AGapWithinAChunkBeginsABlock) {
  const FakeLsl lsl(std::string("stream amp EEG 1 100 1 200 Fz\ngap 90 3\n") + voices);
  const auto source = open("lsl:amp");
  const Received received = receive(*source, 200);
  ASSERT_EQ(received.stamps.size(), 200U);
  EXPECT_NEAR(received.stamps[89], 1000.89, 1e-9);
  EXPECT_NEAR(received.stamps[90], 1003.9, 1e-9);
}

TEST(LslSource, MarkersTellWhoIsAttended) {
  const FakeLsl lsl(std::string("stream amp EEG 1 100 1 100 Fz\nstream events Markers 1 0 3 3 go,attended/bert\n") +
                    voices);
  const auto source = open("lsl:");
  std::vector<Block> told;
  for (Block block; told.size() < 4;) {
    ASSERT_NE(source->next(block, {5}), Arrival::nothing);
    if (block.kind == BlockKind::marker || block.kind == BlockKind::attended) told.push_back(block);
  }
  EXPECT_EQ(told[0].text, "go");
  EXPECT_NEAR(told[0].stamp->value, 1000, 1e-9);
  EXPECT_EQ(told[2].kind, BlockKind::attended);
  EXPECT_EQ(told[2].speaker, 1);
  EXPECT_EQ(told[3].text, "marker-2");
}

TEST(LslSource, StreamsAreChosenByName) {
  const FakeLsl lsl(std::string("stream amp EEG 1 100 1 100 Fz\nstream amp2 signal 1 100 1 100 Fz\n") + voices);
  const auto source = open("lsl:amp2?speakers=left:mics%231,right:mics%230");
  EXPECT_EQ(source->description().speakers, (std::vector<std::string>{"left", "right"}));
  expect_error(ErrorKind::invalid_argument, {"several streams", "'amp'", "'amp2'"}, [] { (void)open("lsl:"); });
  expect_error(ErrorKind::not_found, {"'none'", "'mics' (Audio)"}, [] { (void)open("lsl:none?timeout=0"); });
  expect_error(ErrorKind::not_found, {"'mic'"}, [] { (void)open("lsl:amp?speakers=a:mic,b:mics"); });
  expect_error(ErrorKind::invalid_argument, {"2 channels"}, [] { (void)open("lsl:amp?speakers=a:mics%235,b:mics"); });
  expect_error(ErrorKind::not_found, {"'stim'"}, [] { (void)open("lsl:amp?markers=stim"); });
}

TEST(LslSource, WhatCannotBeEeg) {
  const FakeLsl lsl("stream words EEG 1 0 3 100 x\n");
  expect_error(ErrorKind::bad_data, {"cannot be EEG"}, [] { (void)open("lsl:words"); });
}

TEST(LslLibrary, SaysWhatToDoWhereThereIsNone) {
  expect_error(ErrorKind::unsupported, {"liblsl", "HEED_LSL_LIB", "/none.so"},
               [] { (void)LslLibrary::open("/none.so"); });
  const auto library = LslLibrary::open(FakeLsl::library());
  EXPECT_EQ(library->version(), "1.16");
  EXPECT_EQ(lsl_format_name(5), "int16");
  EXPECT_EQ(lsl_format_name(99), "undefined");
}

}  // namespace
}  // namespace heed::live
