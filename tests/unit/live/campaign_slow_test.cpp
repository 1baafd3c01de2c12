// SPDX-License-Identifier: MIT
// What takes long: many more scripts of faults (`./dev campaign live` runs a million, and goes on where it was), and a
// day of windows in virtual time.
#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "support/live_faults.h"

namespace heed::test {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  return text == nullptr ? otherwise : std::stoull(text);
}

struct Range {
  std::uint64_t first = number_from("HEED_FIRST_SCRIPT", 2001);
  std::uint64_t end = first + number_from("HEED_SCRIPTS", 20000);
};

TEST(Campaign, RandomScripts) {
  const Range scripts;
  for (std::uint64_t seed = scripts.first; seed < scripts.end; ++seed) EXPECT_EQ(failure_of(random_script(seed)), "");
}

// They take six times as long, so it is every twentieth.
TEST(Campaign, RandomScriptsWithAudio) {
  const Range scripts;
  for (std::uint64_t seed = scripts.first; seed < scripts.end; ++seed) {
    if (seed % 20 != 0) continue;
    FaultScript script = random_script(seed);
    script.sound = live::FeedKind::audio;
    EXPECT_EQ(failure_of(script), "");
  }
}

class Nobody final : public live::Sink {
 public:
  void decided(const live::Decision&) override { ++windows; }
  Index windows = 0;
};

// Twenty-four hours with a gap every hour: neither memory nor the time per window grows.
TEST(Campaign, ADayOfWindows) {
  live::Session session(fault_stream(), fault_options());
  Nobody sink;
  RandomStream random(1);
  live::Block eeg{.kind = live::BlockKind::eeg, .rows = 16, .samples = std::vector<float>(48)};
  live::Block sound{.kind = live::BlockKind::sound, .rows = 16, .values = std::vector<double>(16)};
  const auto quarter = [&](Index k) {
    const Seconds stamp{0.25 * static_cast<double>(k)};
    for (float& x : eeg.samples) x = static_cast<float>(20 * random.normal());
    for (double& x : sound.values) x = random.normal();
    eeg.stamp = sound.stamp = stamp;
    const Seconds now = stamp + Seconds{0.25};
    if (k % 14400 >= 40) session.push(eeg, now, sink);  // ten seconds an hour are missing
    for (sound.feed = 0; sound.feed < 2; ++sound.feed) session.push(sound, now, sink);
    session.wait(now, sink);
  };
  const auto hour = [&](Index number) {
    const auto start = std::chrono::steady_clock::now();
    for (Index k = 0; k < 14400; ++k) quarter((number * 14400) + k);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double first = hour(0);
  const std::size_t before = ::mallinfo2().uordblks;
  double last = 0;
  for (Index number = 1; number < 24; ++number) last = hour(number);
  EXPECT_LT(static_cast<double>(::mallinfo2().uordblks) - static_cast<double>(before), 1 << 20);
  EXPECT_LT(last, (2 * first) + 1);
  EXPECT_GE(sink.windows, 86380);
  EXPECT_EQ(session.counts().clock.gaps, 23);
}

}  // namespace
}  // namespace heed::test
