// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <live/sources/open_source.h>
#include <support/biosemi_bytes.h>
#include <support/expect_error.h>
#include <support/io_temporary_folder.h>
#include <support/loopback.h>

#include <string>
#include <thread>
#include <vector>

namespace heed::live {
namespace {

class BiosemiSource : public testing::Test {
 protected:
  [[nodiscard]] SourceRequest request(const std::string& host, const std::string& options) const {
    SourceRequest made{.address = parse_address("biosemi://" + host + "?" + options, EndKind::source)};
    for (const char* speaker : {"left", "right"}) {
      const auto path = folder_.path() / (std::string(speaker) + ".wav");
      io::write_audio(path, Sound{.sampling_frequency = {8000}, .samples = std::vector<float>(8000, 0.25F)});
      made.sounds.push_back({speaker, path});
    }
    return made;
  }

  static bool send(const io::FileDescriptor& peer, const std::vector<std::uint8_t>& bytes) {
    return test::send_bytes(peer, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  // Rows of EEG until so many have come.
  static std::vector<Block> eeg(Source& source, Index rows) {
    std::vector<Block> blocks;
    Block block;
    while (rows > 0 && source.next(block, Seconds{60}) == Arrival::block) {
      if (block.kind != BlockKind::eeg) continue;
      rows -= block.rows;
      blocks.push_back(block);
    }
    return blocks;
  }

  test::TemporaryFolder folder_;
};

TEST_F(BiosemiSource, HandsOnWhatIsSentWithSound) {
  const test::LoopbackServer server;
  const auto source = open_source(request(server.host(), "channels=8&rate=512&samples=16"));
  EXPECT_EQ(source->description().channels.size(), 8U);
  EXPECT_EQ(source->description().speakers, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(source->description().feeds.size(), 2U);
  const io::FileDescriptor peer = server.accept();
  test::BiosemiBytes stream(8, true);
  ASSERT_TRUE(send(peer, stream.rows(2000)));
  std::vector<float> received;
  for (const Block& block : eeg(*source, 2000))
    received.insert(received.end(), block.samples.begin(), block.samples.end());
  EXPECT_EQ(received, stream.sent());
  EXPECT_EQ(source->counts(), SourceCounts{});
}

// The device goes away and comes back: the stream goes on after a gap as long as that.
TEST_F(BiosemiSource, ConnectsAgain) {
  const test::LoopbackServer server;
  const auto source = open_source(request(server.host(), "channels=8&rate=512&status=1"));
  test::BiosemiBytes stream(8, true);
  {
    const io::FileDescriptor peer = server.accept();
    ASSERT_TRUE(send(peer, stream.rows(2000)));
    EXPECT_EQ(eeg(*source, 2000).back().stamp->value < 2000 / 512.0, true);
  }
  const io::FileDescriptor peer = server.accept();
  ASSERT_TRUE(send(peer, stream.rows(100)));
  const auto blocks = eeg(*source, 100);
  ASSERT_FALSE(blocks.empty());
  EXPECT_GT(blocks.front().stamp->value, 2000 / 512.0);
  EXPECT_LT(blocks.front().stamp->value, (2000 / 512.0) + 60);
  EXPECT_EQ(source->counts().reconnects, 1);
}

TEST_F(BiosemiSource, AWrongNumberOfChannelsIsTold) {
  const test::LoopbackServer server;
  const auto source = open_source(request(server.host(), "channels=64&rate=512"));
  const io::FileDescriptor peer = server.accept();
  test::BiosemiBytes stream(72, true);
  ASSERT_TRUE(send(peer, stream.rows(500)));
  Block block;
  test::expect_error(ErrorKind::bad_data, {server.host(), "72 channels and Status"},
                     [&] { (void)source->next(block, Seconds{60}); });
}

TEST_F(BiosemiSource, RefusalsNameTheRemedy) {
  const std::string nowhere = "127.0.0.1:" + std::to_string(test::free_port());
  const auto refusal = [&](ErrorKind kind, const std::string& options, const std::string& words) {
    test::expect_error(kind, {words}, [&] { (void)open_source(request(nowhere, options)); });
  };
  refusal(ErrorKind::io, "channels=64&rate=2048", "TCP server must be started");
  refusal(ErrorKind::invalid_argument, "channels=64", "give channels and rate");
  refusal(ErrorKind::invalid_argument, "rate=64", "give channels and rate");
  refusal(ErrorKind::invalid_argument, "rate=64&channels=999", "1 to 280");
  refusal(ErrorKind::invalid_argument, "rate=64&channels=2&cap=Fz", "cap names 1 channels");
  const test::LoopbackServer server;
  SourceRequest silent = request(server.host(), "channels=2&rate=64&cap=Fz,Cz");
  silent.sounds.clear();
  test::expect_error(ErrorKind::invalid_argument, {"brings EEG alone"}, [&] { (void)open_source(silent); });
}

}  // namespace
}  // namespace heed::live
