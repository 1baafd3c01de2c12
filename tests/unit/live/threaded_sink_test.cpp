// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sinks/threaded_sink.h>
#include <poll.h>
#include <support/expect_error.h>

#include <array>
#include <chrono>

namespace heed::live {
namespace {

constexpr std::array<double, 2> numbers{0.5, 0.5};

Decision decision(int window) { return {.end = {static_cast<double>(window)}, .posterior = numbers, .gains = numbers}; }

// Waits for the waker before every report but the first few.
class Stuck final : public Speech {
 public:
  bool deliver(const Report& report, const Waker& waker) override {
    return report.time.value < 3 || wait_for(waker.descriptor(), POLLIN, waker, Seconds{60}) == Waited::too_long;
  }
  [[nodiscard]] std::string trouble() const override { return "stuck"; }
  [[nodiscard]] SinkCounts counts() const noexcept override { return {}; }
};

class Broken final : public Speech {
 public:
  bool deliver(const Report&, const Waker&) override { throw Error(ErrorKind::io, "the disk is full"); }
  [[nodiscard]] std::string trouble() const override { return ""; }
  [[nodiscard]] SinkCounts counts() const noexcept override { return {}; }
};

TEST(ThreadedSink, OneThatIsStuckNeverDelaysTheSession) {
  ThreadedSink sink(std::make_unique<Stuck>(), ThreadedSink::Room{4, Seconds{0.01}}, 2);
  const auto start = std::chrono::steady_clock::now();
  constexpr int count = 1000;
  for (int k = 0; k < count; ++k) sink.decided(decision(k));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));  // 10 s if each waited
  test::expect_error(ErrorKind::io, {"stuck"}, [&] { sink.finish(); });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));  // a minute if it waited for its end
  EXPECT_GE(sink.counts().dropped, count - 4 - 3);
  EXPECT_LE(sink.counts().dropped, count);
}

TEST(ThreadedSink, OneThatIsBrokenSaysSoAtTheEnd) {
  ThreadedSink sink(std::make_unique<Broken>(), ThreadedSink::Room{4, Seconds{0.01}}, 2);
  for (int k = 0; k < 100; ++k) sink.decided(decision(k));
  test::expect_error(ErrorKind::io, {"disk is full"}, [&] { sink.finish(); });
  EXPECT_TRUE(sink.counts().broken);
  sink.finish();  // said once
}

}  // namespace
}  // namespace heed::live
