// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <live/sources/open_source.h>
#include <support/expect_error.h>
#include <support/io_redirect.h>
#include <support/io_temporary_folder.h>
#include <support/loopback.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace heed::live {
namespace {

constexpr const char* header = "{\"speakers\":[\"left\",\"right\"],\"window\":1}\n";

SourceRequest request_of(const std::string& text) { return {.address = parse_address(text, EndKind::source)}; }

std::string score_line(int number) {
  return "{\"t\":" + std::to_string(number) + ",\"scores\":[" + std::to_string(number) + ",0]}\n";
}

// Opens a source that connects to a server which does `serve` with it.
struct Served {
  explicit Served(const std::function<void(io::FileDescriptor)>& serve)
      : peer([this, serve] { serve(server.accept()); }) {}
  ~Served() { peer.join(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  Served(Served&&) = delete;
  Served& operator=(Served&&) = delete;

  [[nodiscard]] std::unique_ptr<Source> open() const {
    return open_source(request_of("tcp://" + server.host() + "?connect=1"));
  }
  test::LoopbackServer server;
  std::thread peer;
};

// Blocks until the end; what is thrown on the way is passed on.
std::vector<Block> drain(Source& source) {
  std::vector<Block> blocks;
  Block block;
  while (true) {
    const Arrival arrival = source.next(block, Seconds{60});
    if (arrival == Arrival::ended) return blocks;
    if (arrival == Arrival::nothing) throw std::runtime_error("nothing came");
    blocks.push_back(block);
  }
}

TEST(NdjsonSource, OverTcpWithoutLossToASlowSession) {
  constexpr int count = 3000;
  const Served served([](const io::FileDescriptor& peer) {
    std::string text = header;
    for (int k = 0; k < count; ++k) text += score_line(k);
    EXPECT_TRUE(test::send_bytes(peer, text));
  });
  const auto source = served.open();
  EXPECT_EQ(source->description().content, StreamContent::scores);
  EXPECT_FALSE(source->is_stored());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the queue is full by now
  const auto blocks = drain(*source);
  ASSERT_EQ(blocks.size(), static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) ASSERT_EQ(blocks[static_cast<std::size_t>(k)].values[0], k);
  EXPECT_EQ(source->counts(), SourceCounts{});
}

TEST(NdjsonSource, ALastLineWithoutItsEndCountsIfItIsWhole) {
  const Served served([](const io::FileDescriptor& peer) {
    EXPECT_TRUE(test::send_bytes(peer, std::string(header) + "{\"scores\":[1,2]}"));
  });
  EXPECT_EQ(drain(*served.open()).size(), 1U);
}

TEST(NdjsonSource, AStreamThatIsCutIsAnErrorAfterItsLastWholeLine) {
  const Served served([](const io::FileDescriptor& peer) {
    EXPECT_TRUE(test::send_bytes(peer, header + score_line(0) + score_line(1) + "{\"t\":2,\"sco"));
  });
  const auto source = served.open();
  Block block;
  EXPECT_EQ(source->next(block, Seconds{60}), Arrival::block);
  EXPECT_EQ(source->next(block, Seconds{60}), Arrival::block);
  test::expect_error(ErrorKind::bad_data, {served.server.host(), "line 4", "in the middle of this line"},
                     [&] { (void)source->next(block, Seconds{60}); });
  EXPECT_EQ(source->next(block, Seconds{60}), Arrival::ended);
}

TEST(NdjsonSource, AConnectionThatIsLostIsAnError) {
  const test::LoopbackServer server;
  std::thread sender;
  std::atomic<bool> opened = false;
  sender = std::thread([&] {
    io::FileDescriptor peer = server.accept();
    EXPECT_TRUE(test::send_bytes(peer, header + score_line(0)));
    while (!opened) std::this_thread::yield();
    test::reset(std::move(peer));
  });
  const auto source = open_source(request_of("tcp://" + server.host() + "?connect=1"));
  opened = true;
  test::expect_error(ErrorKind::io, {server.host(), "connection was lost"}, [&] { (void)drain(*source); });
  sender.join();
}

TEST(NdjsonSource, WrongHugeAndEmptyStreams) {
  struct Case {
    std::string text;
    std::string words;
  };
  for (const auto& [text, words] : std::vector<Case>{
           {"", "ended before its first line"},
           {"\n\n", "ended before its first line"},
           {"GET / HTTP/1.1\r\n\r\n", "line 1, column 1"},
           {"{\"speakers\":[\"left\"", "in the middle"},
           {std::string(header) + "{\"scores\":[1]}\n", "line 2"},
           {std::string(std::size_t{5} << 20U, 'x'), "longer than"},
       }) {
    const Served served([&text = text](const io::FileDescriptor& peer) { (void)test::send_bytes(peer, text); });
    test::expect_error(ErrorKind::bad_data, {served.server.host(), words}, [&] { (void)served.open(); });
  }
}

TEST(NdjsonSource, ListensAtAUnixSocket) {
  const test::TemporaryFolder folder;
  const Address address = parse_address("unix:" + (folder.path() / "heed").string(), EndKind::source);
  std::thread sender([&] {
    while (true) {
      try {
        const io::FileDescriptor client = connect_to(address, endpoints_of(address), Waker{}, Seconds{60});
        EXPECT_TRUE(test::send_bytes(client, header + score_line(0)));
        return;
      } catch (const Error&) {
        std::this_thread::yield();  // it does not listen yet
      }
    }
  });
  const auto source = open_source({.address = address});
  sender.join();
  EXPECT_EQ(drain(*source).size(), 1U);
  EXPECT_TRUE(folder.names().empty());
}

TEST(NdjsonSource, StandardInput) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("in.ndjson", header + score_line(0) + score_line(1));
  const test::Redirect input(STDIN_FILENO, file, O_RDONLY);
  const auto source = open_source(request_of("-"));
  EXPECT_EQ(source->description().name, "standard input");
  EXPECT_EQ(drain(*source).size(), 2U);
}

// The sender is connected and silent: neither opening nor closing may wait for it.
TEST(NdjsonSource, EndsAtOnceWhileItsSenderIsSilent) {
  std::atomic<bool> stop = false;
  std::atomic<bool> over = false;
  const Served served([&](const io::FileDescriptor& peer) {
    EXPECT_TRUE(test::send_bytes(peer, header + score_line(0)));
    while (!over) std::this_thread::yield();
  });
  {
    const auto source = served.open();
    Block block;
    EXPECT_EQ(source->next(block, Seconds{60}), Arrival::block);
    EXPECT_EQ(source->next(block, Seconds{0.001}), Arrival::nothing);
  }
  over = true;
  std::atomic<bool> silent_over = false;
  const Served silent([&](const io::FileDescriptor&) {
    stop = true;
    while (!silent_over) std::this_thread::yield();
  });
  SourceRequest request = request_of("tcp://" + silent.server.host() + "?connect=1");
  request.stop = &stop;
  test::expect_error(ErrorKind::io, {"stopped while waiting for the first lines"}, [&] { (void)open_source(request); });
  silent_over = true;
}

TEST(NdjsonSource, ScoresAndSignalsAreNotMistakenForEachOther) {
  const Served scores([](const io::FileDescriptor& peer) { (void)test::send_bytes(peer, header + score_line(0)); });
  SourceRequest request = request_of("tcp://" + scores.server.host() + "?connect=1");
  request.decoder.emplace();
  test::expect_error(ErrorKind::bad_data, {"holds no EEG"}, [&] { (void)open_source(request); });
  const Served signals([](const io::FileDescriptor& peer) {
    (void)test::send_bytes(peer, R"({"speakers":["a","b"],"rate":64,"channels":["Fz"],"audio_rate":8000})"
                                 "\n");
  });
  request = request_of("tcp://" + signals.server.host() + "?connect=1");
  request.scores = true;
  test::expect_error(ErrorKind::bad_data, {"holds EEG"}, [&] { (void)open_source(request); });
}

}  // namespace
}  // namespace heed::live
