// SPDX-License-Identifier: MIT
// A pause too long to fill in: what follows is decided as by a session that begins there.
#include <gtest/gtest.h>
#include <heed/live/session.h>

#include <span>
#include <utility>
#include <vector>

#include "support/live_faults.h"

namespace heed::live {
namespace {

constexpr double pause = 700;  // s; 600 are filled in at most

struct Row {
  Index trial_number = 0;
  Index window = 0;
  double onset = 0;
  double end = 0;
  std::vector<double> posterior{};
  Speaker attended = unknown_speaker;
  friend bool operator==(const Row&, const Row&) = default;
};

class Rows final : public Sink {
 public:
  void decided(const Decision& decision) override {
    rows.push_back({decision.trial_number,
                    decision.window,
                    decision.onset.value,
                    decision.end.value,
                    {decision.posterior.begin(), decision.posterior.end()},
                    decision.attended});
  }
  std::vector<Row> rows{};
};

// What a recording would be told.
class Told final : public SignalTap {
 public:
  void eeg_begins(Seconds stamp) override { begun.push_back(stamp.value); }
  void sound_begins(Index, Seconds) override {}
  void restarts() override {}
  void eeg(std::span<const float>, Index) override {}
  void audio(Index, std::span<const float>) override {}
  void envelope(Index, std::span<const double>) override {}
  void attended(Seconds stamp, Speaker speaker) override { attention.emplace_back(stamp.value, speaker); }
  std::vector<double> begun{};
  std::vector<std::pair<double, Speaker>> attention{};
};

// A quarter of a second of everything, from `begin` to `end`.
void play(Session& session, double begin, double end, Sink& sink) {
  const test::FaultSignals signals(5, 2 * pause);
  for (double time = begin; time < end; time += 0.25) {
    Block eeg{.kind = BlockKind::eeg, .stamp = Seconds{time}, .rows = 16};
    for (Index t = 0; t < eeg.rows; ++t) {
      for (Index c = 0; c < 3; ++c) eeg.samples.push_back(signals.eeg(c, (64 * time) + static_cast<double>(t)));
    }
    session.push(eeg, {time + 0.25}, sink);
    for (Index feed = 0; feed < 2; ++feed) {
      Block sound{.kind = BlockKind::sound, .stamp = Seconds{time}, .rows = 16, .feed = feed};
      for (Index t = 0; t < 16; ++t) {
        sound.values.push_back(signals.envelope(static_cast<std::size_t>(feed), (64 * time) + static_cast<double>(t)));
      }
      session.push(sound, {time + 0.25}, sink);
    }
  }
}

void attend(Session& session, double time, Speaker speaker, Sink& sink) {
  session.push({.kind = BlockKind::attended, .stamp = Seconds{time}, .speaker = speaker}, {time}, sink);
}

TEST(LongPause, SignalsBeginAnew) {
  Session session(test::fault_stream(), test::fault_options());
  Told told;
  session.tap(&told);
  Rows sink;
  attend(session, 100, 1, sink);
  play(session, 100, 110, sink);
  const std::size_t before = sink.rows.size();
  ASSERT_GE(before, 9U);
  play(session, 110 + pause, 120 + pause, sink);
  EXPECT_EQ(session.counts().clock.jumps, 1);
  EXPECT_EQ(session.counts().clock.gaps, 0);

  Session fresh(test::fault_stream(), test::fault_options());
  Rows expected;
  attend(fresh, 110 + pause, 1, expected);  // what was told holds
  play(fresh, 110 + pause, 120 + pause, expected);
  for (Row& row : expected.rows) row.trial_number = 1;
  EXPECT_EQ(std::vector<Row>(sink.rows.begin() + static_cast<std::ptrdiff_t>(before), sink.rows.end()), expected.rows);
  EXPECT_EQ(expected.rows.front().onset, 110 + pause);
  EXPECT_EQ(expected.rows.front().attended, 1);
  // A recording of the session begins another run, which is told the same.
  EXPECT_EQ(told.begun, (std::vector<double>{100, 110 + pause}));
  EXPECT_EQ(told.attention, (std::vector<std::pair<double, Speaker>>{{100, 1}, {110 + pause, 1}}));
}

TEST(LongPause, ScoresBeginAnew) {
  const StreamDescription stream{.content = StreamContent::scores, .speakers = {"left", "right"}};
  const TrackingOptions tracking = test::fault_options().tracking;
  const auto push = [](Session& one, double end, Sink& sink) {
    one.push({.kind = BlockKind::scores, .stamp = Seconds{end}, .rows = 1, .values = {0.6, 0.1}}, {end}, sink);
  };
  Session session(stream, {.tracking = tracking});
  Session fresh(stream, {.tracking = tracking});
  Rows sink;
  Rows expected;
  for (int k = 1; k <= 10; ++k) push(session, k, sink);
  for (int k = 1; k <= 3; ++k) {
    push(session, 10 + pause + k, sink);
    push(fresh, 10 + pause + k, expected);
  }
  ASSERT_EQ(sink.rows.size(), 13U);
  for (Row& row : expected.rows) row.trial_number = 1;
  EXPECT_EQ(std::vector<Row>(sink.rows.begin() + 10, sink.rows.end()), expected.rows);
  EXPECT_EQ(sink.rows[10].end, 11 + pause);
}

}  // namespace
}  // namespace heed::live
