// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sinks/open_sink.h>
#include <support/expect_error.h>
#include <support/loopback.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

namespace heed::live {
namespace {

std::unique_ptr<Sink> open(const std::string& text) {
  SinkRequest request{.address = parse_address(text, EndKind::sink)};
  request.stream.speakers = {"left", "right"};
  return open_sink(request);
}

void decide(Sink& sink, double first, double second) {
  const std::array<double, 2> gains{first, second};
  sink.decided({.posterior = gains, .gains = gains});
}

TEST(MhaSink, SetsTheVariableAndReadsTheAnswer) {
  const test::LoopbackServer server;
  const auto sink = open("mha://" + server.host() + "/mha.gain.gains");
  const io::FileDescriptor mha = server.accept();
  decide(*sink, -3, -12);
  EXPECT_EQ(test::receive_line(mha), "mha.gain.gains=[-3 -12]");
  ASSERT_TRUE(test::send_bytes(mha, "(MHA:success)\n"));
  const std::array<double, 2> relaxed{0.5, 1.0 / 3};
  sink->relaxed({.posterior = relaxed, .gains = relaxed});
  EXPECT_EQ(test::receive_line(mha), "mha.gain.gains=[0.5 0.333333]");
  ASSERT_TRUE(test::send_bytes(mha, "(MHA:success)\n"));
  sink->finish();
  EXPECT_EQ(sink->counts(), SinkCounts{});
}

TEST(MhaSink, ARefusalIsCountedAndTold) {
  const test::LoopbackServer server;
  const auto sink = open("mha://" + server.host() + "/mha.gains");
  const io::FileDescriptor mha = server.accept();
  decide(*sink, 0, 0);
  (void)test::receive_line(mha);
  ASSERT_TRUE(test::send_bytes(mha, "(mha_parser) no such variable 'gains'\n(MHA:failure)\n"));
  test::expect_error(ErrorKind::io, {"openMHA refused the gains", "no such variable"}, [&] { sink->finish(); });
  EXPECT_EQ(sink->counts().refused, 1);
}

// One that does not answer: newer gains replace older ones, and the session goes on.
TEST(MhaSink, OnlyTheNewestGainsWait) {
  const test::LoopbackServer server;
  const auto sink = open("mha://" + server.host() + "/g");
  const io::FileDescriptor mha = server.accept();
  decide(*sink, 1, 0);
  EXPECT_EQ(test::receive_line(mha), "g=[1 0]");  // and the answer is awaited
  const auto start = std::chrono::steady_clock::now();
  for (int k = 2; k <= 100; ++k) decide(*sink, k, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));  // 10 s if each waited
  ASSERT_TRUE(test::send_bytes(mha, "(MHA:success)\n"));
  EXPECT_EQ(test::receive_line(mha), "g=[100 0]");
  ASSERT_TRUE(test::send_bytes(mha, "(MHA:success)\n"));
  sink->finish();
  EXPECT_EQ(sink->counts().dropped, 98);
}

TEST(MhaSink, ConnectsAgain) {
  const test::LoopbackServer server;
  const auto sink = open("mha://" + server.host() + "/g");
  test::reset(server.accept());
  for (int k = 0; sink->counts().reconnects == 0 && k < 60000; ++k) {
    decide(*sink, 1, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const io::FileDescriptor mha = server.accept();
  EXPECT_EQ(test::receive_line(mha), "g=[1 0]");
  ASSERT_TRUE(test::send_bytes(mha, "(MHA:success)\n"));
  EXPECT_EQ(sink->counts().reconnects, 1);
  EXPECT_GT(sink->counts().dropped, 0);
}

TEST(MhaSink, RefusalsNameTheRemedy) {
  test::expect_error(ErrorKind::io, {"refused"},
                     [] { (void)open("mha://127.0.0.1:" + std::to_string(test::free_port()) + "/g"); });
  test::expect_error(ErrorKind::invalid_argument, {"cannot be a variable", "mha.gain.gains"},
                     [] { (void)open("mha://127.0.0.1:33337/a=1%0Acmd=quit"); });
}

}  // namespace
}  // namespace heed::live
