// SPDX-License-Identifier: MIT
// One file of EEG, replayed with sound from files beside it.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <live/sources/open_source.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/edf_bytes.h"
#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::live {
namespace {

using test::annotation_list;
using Told = std::vector<std::pair<double, std::string>>;

class RecordingReplayTest : public testing::Test {
 protected:
  RecordingReplayTest() {
    const Envelope envelope{.sampling_frequency = {64}, .columns = {"envelope"}, .values = Matrix::Ones(640, 1)};
    for (const char* name : {"left", "right"}) {
      io::write_envelope(folder_.path() / (std::string(name) + ".tsv"), envelope);
      request_.sounds.push_back({name, folder_.path() / (std::string(name) + ".tsv")});
    }
  }

  // Two channels of EEG at 4 Hz, which count up, beside a slower one and one of light.
  static test::EdfBytes recording() {
    test::EdfBytes file{.records = 3};
    file.signals = {{.label = "Fz", .values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
                    {.label = "slow", .samples = 1},
                    {.label = "light", .unit = "mV"},
                    {.label = "Cz", .values = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111}}};
    return file;
  }

  void open(const test::EdfBytes& bytes) {
    const auto path = folder_.path() / "alone.edf";
    std::ofstream(path, std::ios::binary) << bytes.bytes();
    request_.address = parse_address("replay:" + path.string(), EndKind::source);
    source_ = open_source(request_);
  }

  void replay() {
    Block block;
    while (source_->next(block, Seconds{0}) == Arrival::block) {
      if (block.kind == BlockKind::trial) trials_.emplace_back(block.stamp->value, block.text);
      if (block.kind == BlockKind::marker) markers_.emplace_back(block.stamp->value, block.text);
      if (block.kind != BlockKind::eeg) continue;
      for (Index row = 0; row < block.rows; ++row) {
        times_.push_back(block.stamp->value + (0.25 * static_cast<double>(row)));
        fz_.push_back(block.samples[static_cast<std::size_t>(2 * row)]);
        EXPECT_EQ(block.samples[static_cast<std::size_t>((2 * row) + 1)], fz_.back() + 100);
      }
      const double marked = markers_.empty() ? 0 : markers_.back().first;
      EXPECT_LT(marked, times_.back() + 0.25) << "a marker comes with its EEG";
    }
  }

  test::TemporaryFolder folder_;
  SourceRequest request_;
  std::unique_ptr<Source> source_;
  Told trials_{};
  Told markers_{};
  std::vector<double> times_{};
  std::vector<float> fz_{};
};

TEST_F(RecordingReplayTest, SendsTheEegOfOneRateAndUnit) {
  open(recording());
  const StreamDescription& stream = source_->description();
  EXPECT_EQ(stream.channels, (std::vector<std::string>{"Fz", "Cz"}));
  EXPECT_EQ(stream.unit, "uV");
  EXPECT_EQ(stream.sampling_frequency, Hertz{4});
  EXPECT_EQ(stream.speakers, (std::vector<std::string>{"left", "right"}));
  EXPECT_TRUE(stream.stored);
  EXPECT_FALSE(stream.named_trials);
  replay();
  ASSERT_EQ(fz_.size(), 12U);
  for (std::size_t k = 0; k < fz_.size(); ++k) {
    EXPECT_EQ(fz_[k], static_cast<float>(k));
    EXPECT_EQ(times_[k], 0.25 * static_cast<double>(k));
  }
  EXPECT_TRUE(trials_.empty());
}

TEST_F(RecordingReplayTest, EventsAreMarkersAndPausesBeginTrials) {
  test::EdfBytes bytes = recording();
  bytes.reserved = "EDF+D";
  bytes.signals.push_back(
      {.label = "EDF Annotations",
       .samples = 24,
       .texts = {annotation_list("+10", {""}) + annotation_list("+10.25", {"go"}), annotation_list("+11", {""}),
                 annotation_list("+20.5", {""}) + annotation_list("+21", {"late"})}});
  open(bytes);
  EXPECT_TRUE(source_->description().named_trials);
  replay();
  EXPECT_EQ(trials_, (Told{{0, "part-1"}, {10.5, "part-2"}}));
  EXPECT_EQ(markers_, (Told{{0.25, "go"}, {11, "late"}}));
  ASSERT_EQ(fz_.size(), 12U);
  EXPECT_EQ(times_[7], 1.75);
  EXPECT_EQ(times_[8], 10.5);
  EXPECT_EQ(fz_.back(), 11);
}

// More than is read at once, and blocks that do not divide it.
TEST_F(RecordingReplayTest, LongOnesAreReadPieceByPiece) {
  test::EdfBytes bytes = recording();
  bytes.records = 40;
  for (auto* const values : {&bytes.signals.front().values, &bytes.signals.back().values}) {
    const int first = values->front();
    values->clear();
    for (int k = 0; k < 160; ++k) values->push_back(first + k);
  }
  request_.block = Seconds{0.75};
  open(bytes);
  replay();
  ASSERT_EQ(fz_.size(), 160U);
  for (std::size_t k = 0; k < fz_.size(); ++k) EXPECT_EQ(fz_[k], static_cast<float>(k));
}

TEST_F(RecordingReplayTest, WithoutSoundOrItsFileItSaysSo) {
  request_.sounds.pop_back();
  test::expect_error(ErrorKind::invalid_argument, {"brings EEG alone"}, [&] { open(recording()); });
  request_.address = parse_address("replay:" + (folder_.path() / "absent.bdf").string(), EndKind::source);
  test::expect_error(ErrorKind::not_found, {"absent.bdf"}, [&] { (void)open_source(request_); });
}

}  // namespace
}  // namespace heed::live
