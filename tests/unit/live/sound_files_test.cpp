// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <live/sources/open_source.h>
#include <support/expect_error.h>
#include <support/io_temporary_folder.h>

#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace heed::live {
namespace {

// EEG alone, as it was told.
class EegAlone final : public Source {
 public:
  explicit EegAlone(std::deque<Block> blocks) : blocks_(std::move(blocks)) {
    stream_.name = "device";
    stream_.sampling_frequency = {64};
    stream_.channels = {"Fz"};
  }
  [[nodiscard]] const StreamDescription& description() const override { return stream_; }
  Arrival next(Block& block, Seconds) override {
    if (blocks_.empty()) return Arrival::ended;
    block = blocks_.front();
    blocks_.pop_front();
    return Arrival::block;
  }
  StreamDescription stream_;

 private:
  std::deque<Block> blocks_;
};

Block eeg(std::optional<Seconds> stamp, Index rows) {
  Block block{.kind = BlockKind::eeg, .stamp = stamp, .rows = rows};
  block.samples.assign(static_cast<std::size_t>(rows), 1.0F);
  return block;
}

Block marker(Seconds stamp, const std::string& text) {
  return {.kind = BlockKind::marker, .stamp = stamp, .text = text};
}

class SoundFilesTest : public testing::Test {
 protected:
  // left: two seconds at 8000 Hz; right: one second, an envelope at 64 Hz.
  SoundFilesTest() {
    Sound sound{.sampling_frequency = {8000}, .samples = std::vector<float>(16000)};
    for (std::size_t k = 0; k < sound.samples.size(); ++k) sound.samples[k] = static_cast<float>(k) / 32768;
    io::write_audio(folder_.path() / "left.wav", sound);
    Envelope envelope{.sampling_frequency = {64}, .columns = {"envelope"}, .values = Matrix(64, 1)};
    for (Index k = 0; k < 64; ++k) envelope.values(k, 0) = static_cast<double>(k);
    io::write_envelope(folder_.path() / "right.tsv", envelope);
    request_.sounds = {{"left", folder_.path() / "left.wav"}, {"right", folder_.path() / "right.tsv"}};
  }

  struct Heard {
    std::vector<float> samples;
    std::vector<double> values;
    std::optional<Seconds> first;
    int ends = 0;
  };

  std::map<Index, Heard> played(std::deque<Block> blocks) {
    const auto source = with_sound_files(std::make_unique<EegAlone>(std::move(blocks)), request_);
    std::map<Index, Heard> heard;
    Block block;
    double eeg_end = 0;
    while (source->next(block, Seconds{1}) == Arrival::block) {
      if (block.kind == BlockKind::eeg) {
        eeg_end = block.stamp.value_or(Seconds{eeg_end}).value + (static_cast<double>(block.rows) / 64);
      }
      if (block.kind != BlockKind::sound && block.kind != BlockKind::feed_end) continue;
      Heard& feed = heard[block.feed];
      feed.ends += block.kind == BlockKind::feed_end ? 1 : 0;
      if (!feed.first) feed.first = block.stamp;
      feed.samples.insert(feed.samples.end(), block.samples.begin(), block.samples.end());
      feed.values.insert(feed.values.end(), block.values.begin(), block.values.end());
    }
    return heard;
  }

  test::TemporaryFolder folder_;
  SourceRequest request_;
};

TEST_F(SoundFilesTest, StartWithTheEegAndEndByThemselves) {
  std::deque<Block> blocks;
  for (int k = 0; k < 30; ++k) blocks.push_back(eeg(k == 0 ? std::optional(Seconds{100}) : std::nullopt, 7));
  const auto heard = played(blocks);  // 3.28 s
  EXPECT_EQ(heard.at(0).first, Seconds{100});
  ASSERT_EQ(heard.at(0).samples.size(), 16000U);
  for (std::size_t k = 0; k < 16000; ++k) ASSERT_NEAR(heard.at(0).samples[k], static_cast<float>(k) / 32768, 1e-6);
  ASSERT_EQ(heard.at(1).values.size(), 64U);
  EXPECT_EQ(heard.at(1).values[63], 63);
  EXPECT_EQ(heard.at(0).ends, 1);
  EXPECT_EQ(heard.at(1).ends, 1);
}

TEST_F(SoundFilesTest, OffsetsAndGaps) {
  request_.audio_offset = Seconds{0.5};
  const auto heard = played({eeg(Seconds{10}, 64), eeg(Seconds{11.5}, 16)});  // EEG up to 11.75 s
  EXPECT_EQ(heard.at(0).first, Seconds{10.5});
  EXPECT_EQ(heard.at(0).samples.size(), 10000U);  // 1.25 s: sound goes on while EEG is missing
}

TEST_F(SoundFilesTest, StartByAMarker) {
  request_.marker = "254";
  EXPECT_TRUE(played({eeg(Seconds{0}, 64), marker(Seconds{0.5}, "1")}).empty());
  const auto heard =
      played({eeg(Seconds{0}, 64), marker(Seconds{0.5}, "254"), eeg(std::nullopt, 16), marker(Seconds{1.1}, "254")});
  EXPECT_EQ(heard.at(0).first, Seconds{0.5});
  EXPECT_EQ(heard.at(0).samples.size(), 6000U);  // 0.5 s to 1.25 s
}

TEST_F(SoundFilesTest, RefusalsNameTheRemedy) {
  request_.sounds.pop_back();
  test::expect_error(ErrorKind::invalid_argument, {"device", "brings EEG alone"}, [&] { (void)played({}); });
  request_.sounds.push_back({"right", folder_.path() / "absent.wav"});
  test::expect_error(ErrorKind::not_found, {"absent.wav"}, [&] { (void)played({}); });
  auto named = std::make_unique<EegAlone>(std::deque<Block>{});
  named->stream_.speakers = {"left", "right"};
  request_.sounds.pop_back();
  test::expect_error(ErrorKind::invalid_argument, {"no sound of 'right'"},
                     [&] { (void)with_sound_files(std::move(named), request_); });
  named = std::make_unique<EegAlone>(std::deque<Block>{});
  named->stream_.speakers = {"a", "b"};
  test::expect_error(ErrorKind::invalid_argument, {"'left', who is not one of the speakers"},
                     [&] { (void)with_sound_files(std::move(named), request_); });
  named = std::make_unique<EegAlone>(std::deque<Block>{});
  named->stream_.feeds = {{0, FeedKind::audio, {8000}}};
  test::expect_error(ErrorKind::invalid_argument, {"needs no sound files"},
                     [&] { (void)with_sound_files(std::move(named), request_); });
}

}  // namespace
}  // namespace heed::live
