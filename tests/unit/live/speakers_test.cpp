// SPDX-License-Identifier: MIT
// Speakers whose sounds are not alike: of different rates, or one that ends before the EEG does.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "support/live_faults.h"

namespace heed::live {
namespace {

struct Seen final : Sink {
  struct Row {
    double attended = 0;
    double ignored = 0;
    bool held = false;
    Standing standing = Standing::unknown;
  };
  void decided(const Decision& decision) override {
    rows.push_back({decision.scores[0], decision.scores[1], decision.held, decision.standing});
  }
  std::vector<Row> rows{};
};

// A listener to the first of two speakers, in blocks of a quarter second. The second one ends at `end`.
std::vector<Seen::Row> listened(const std::array<double, 2>& rates, Index seconds, Index end) {
  const test::FaultSignals signals(5, static_cast<double>(seconds));
  StreamDescription stream = test::fault_stream();
  for (std::size_t s = 0; s < 2; ++s) stream.feeds[s].sampling_frequency = {rates[s]};
  Session session(stream, test::fault_options());
  Seen seen;
  constexpr Index per_second = 4;
  const Index eeg_rows = static_cast<Index>(test::fault_rate.value) / per_second;
  for (Index k = 0; k < per_second * seconds; ++k) {
    const Seconds stamp{static_cast<double>(k) / per_second};
    const Seconds now = stamp + Seconds{1.0 / per_second};
    for (std::size_t s = 0; s < 2; ++s) {
      const auto rows = static_cast<Index>(rates[s]) / per_second;
      Block sound{.kind = BlockKind::sound, .stamp = stamp, .rows = rows, .feed = static_cast<Index>(s)};
      for (Index t = 0; t < rows; ++t) {
        sound.values.push_back(
            signals.envelope(s, static_cast<double>((k * rows) + t) * test::fault_rate.value / rates[s]));
      }
      if (s == 0 || k < per_second * end) session.push(sound, now, seen);
      if (s == 1 && k == per_second * end) {
        session.push(Block{.kind = BlockKind::feed_end, .feed = 1}, now, seen);
      }
    }
    Block eeg{.kind = BlockKind::eeg, .stamp = stamp, .rows = eeg_rows};
    for (Index t = 0; t < eeg_rows; ++t) {
      for (Index c = 0; c < 3; ++c) {
        eeg.samples.push_back(signals.eeg(c, static_cast<double>((k * eeg_rows) + t)));
      }
    }
    session.push(eeg, now, seen);
  }
  return seen.rows;
}

TEST(Speakers, MayComeAtDifferentRates) {
  for (const std::array<double, 2>& rates :
       {std::array{64.0, 128.0}, std::array{128.0, 64.0}, std::array{256.0, 100.0}}) {
    const auto rows = listened(rates, 20, 20);
    ASSERT_GE(rows.size(), 19U);
    for (std::size_t k = 2; k < rows.size(); ++k) {
      EXPECT_FALSE(rows[k].held) << k;
      EXPECT_GT(rows[k].attended, 0.5) << rates[0] << " and " << rates[1] << " Hz, window " << k;
      EXPECT_GT(rows[k].attended, rows[k].ignored) << k;
    }
  }
}

TEST(Speakers, OneWhoEndsBeforeTheEegLeavesWindowsWithoutEvidence) {
  const auto rows = listened({64, 64}, 20, 10);
  ASSERT_GE(rows.size(), 19U);
  // The lags of the window that ends with the sound reach beyond it.
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(rows[k].held, k >= 9) << k;
  EXPECT_EQ(rows[9].standing, Standing::tracking);
  for (std::size_t k = 10; k < rows.size(); ++k) EXPECT_EQ(rows[k].standing, Standing::unknown) << k;
}

}  // namespace
}  // namespace heed::live
