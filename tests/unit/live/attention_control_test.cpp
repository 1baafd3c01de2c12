// SPDX-License-Identifier: MIT
// Attention that is moved from outside: by lines over a socket, and by markers of the stream.
#include <gtest/gtest.h>
#include <live/connections/endpoint.h>
#include <live/sources/attention_control.h>
#include <live/sources/open_source.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/loopback.h"

namespace heed::live {
namespace {

// What happens on another thread, waited for.
bool comes_true(const std::function<bool()>& condition) {
  for (int k = 0; k < 60000 && !condition(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

TEST(AttentionControl, MovesAttentionAndTellsOfNamesThatAreNone) {
  const test::TemporaryFolder folder;
  const Address address = parse_address("unix:" + (folder.path() / "control").string(), EndKind::source);
  std::atomic<Speaker> attended = unknown_speaker;
  std::mutex mutex;
  std::vector<std::string> told;
  const auto tell = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    told.push_back(text);
  };
  AttentionControl control(
      address.text, {"left", "right"}, [&](Speaker speaker) { attended = speaker; }, tell);
  {
    const auto peer = connect_to(address, endpoints_of(address), Waker{}, Seconds{60});
    ASSERT_TRUE(test::send_bytes(peer, "rihgt\n\n  right \r\n"));
    EXPECT_TRUE(comes_true([&] { return attended == 1; }));
  }
  // Another one may come.
  const auto peer = connect_to(address, endpoints_of(address), Waker{}, Seconds{60});
  ASSERT_TRUE(test::send_bytes(peer, "left\n"));
  EXPECT_TRUE(comes_true([&] { return attended == 0; }));
  const std::lock_guard lock(mutex);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told.front().find("there is no speaker 'rihgt'"), std::string::npos);
  EXPECT_NE(told.front().find("left, right"), std::string::npos);
}

TEST(AttentionControl, RefusesPlacesWhereNobodyCanSpeak) {
  const auto control = [](const std::string& address) {
    AttentionControl(address, {"left", "right"}, [](Speaker) {}, {});
  };
  test::expect_error(ErrorKind::invalid_argument, {"control=replay:x"}, [&] { control("replay:x"); });
  const test::LoopbackServer server;
  test::expect_error(ErrorKind::io, {"in use"}, [&] { control("tcp://" + server.host()); });
}

TEST(AttentionControl, IsWhatASimulatedListenerFollows) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "control").string();
  const Address control = parse_address("unix:" + path, EndKind::source);
  const auto source = open_source(
      {.address = parse_address("simulated:?channels=19&duration=3000&control=unix:" + path, EndKind::source)});
  EXPECT_TRUE(source->description().labelled);
  const auto peer = connect_to(control, endpoints_of(control), Waker{}, Seconds{60});
  ASSERT_TRUE(test::send_bytes(peer, "right\n"));
  Block block;
  Speaker told = unknown_speaker;
  while (told != 1 && source->next(block, Seconds{1}) == Arrival::block) {
    if (block.kind == BlockKind::attended) told = block.speaker;
  }
  EXPECT_EQ(told, 1);
}

// Markers, and nothing else.
class Markers final : public Source {
 public:
  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  Arrival next(Block& block, Seconds) override {
    if (next_ == texts_.size()) return Arrival::ended;
    block.kind = BlockKind::marker;
    block.stamp = Seconds{static_cast<double>(next_)};
    block.text = texts_[next_++];
    return Arrival::block;
  }

 private:
  StreamDescription description_{.name = "device", .speakers = {"left", "right"}};
  std::vector<std::string> texts_{"254", "11", "12"};
  std::size_t next_ = 0;
};

TEST(AttentionMarkers, SayWhoIsAttended) {
  const auto source = with_attention_markers(std::make_unique<Markers>(), {{"11", "left"}, {"12", "right"}});
  EXPECT_TRUE(source->description().labelled);
  Block block;
  std::vector<Speaker> told;
  while (source->next(block, {}) == Arrival::block) {
    told.push_back(block.kind == BlockKind::attended ? block.speaker : unknown_speaker);
  }
  EXPECT_EQ(told, (std::vector<Speaker>{unknown_speaker, 0, 1}));
  test::expect_error(ErrorKind::invalid_argument, {"device", "'middle'"}, [] {
    (void)with_attention_markers(std::make_unique<Markers>(), {{"1", "middle"}});
  });
}

}  // namespace
}  // namespace heed::live
