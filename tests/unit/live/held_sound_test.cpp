// SPDX-License-Identifier: MIT
// Sound that comes while there is no EEG: how much of it is kept is bounded, and where it lies is not forgotten.
#include <gtest/gtest.h>
#include <heed/live/session.h>

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "support/allocation_counter.h"
#include "support/live_faults.h"

namespace heed::live {
namespace {

constexpr double quarter = 0.25;  // s: the length of a block
constexpr Index block_rows = 16;
constexpr double hours = 3 * 3600;
constexpr double tracked = 30;  // s

struct Row {
  double onset = 0;
  std::vector<double> scores{};
  std::vector<double> posterior{};
  bool held = false;
  friend bool operator==(const Row&, const Row&) = default;
};

class Rows final : public Sink {
 public:
  void decided(const Decision& decision) override {
    rows.push_back({decision.onset.value,
                    {decision.scores.begin(), decision.scores.end()},
                    {decision.posterior.begin(), decision.posterior.end()},
                    decision.held});
  }
  std::vector<Row> rows{};
};

// What a recording is told of the first speaker's sound.
class Told final : public SignalTap {
 public:
  void eeg_begins(Seconds) override {}
  void sound_begins(Index feed, Seconds stamp) override {
    if (feed == 0) sound_begin = stamp.value;
  }
  void restarts() override {}
  void eeg(std::span<const float>, Index) override {}
  void audio(Index, std::span<const float>) override {}
  void envelope(Index feed, std::span<const double> values) override {
    if (feed == 0) sound.insert(sound.end(), values.begin(), values.end());
  }
  std::optional<double> sound_begin{};
  std::vector<double> sound{};
};

struct Clocks {
  bool stamped = true;
  double fast = 0;                                           // the sound's samples come so much faster than announced
  double jump_at = std::numeric_limits<double>::infinity();  // s: all clocks jump then
  double jump = 0;                                           // s
};

const test::FaultSignals& signals() {
  static const test::FaultSignals made(5, hours + 100);
  return made;
}

Block eeg(double begin, std::optional<Seconds> stamp) {
  Block block{.kind = BlockKind::eeg, .stamp = stamp, .rows = block_rows};
  for (Index t = 0; t < block_rows; ++t) {
    for (Index c = 0; c < 3; ++c) block.samples.push_back(signals().eeg(c, (64 * begin) + static_cast<double>(t)));
  }
  return block;
}

// Samples that lie `apart` nominal ones from each other.
Block sound(Index feed, double begin, double apart, std::optional<Seconds> stamp) {
  Block block{.kind = BlockKind::sound, .stamp = stamp, .rows = block_rows, .feed = feed};
  for (Index t = 0; t < block_rows; ++t) {
    const double sample = (64 * begin) + (static_cast<double>(t) * apart);
    block.values.push_back(signals().envelope(static_cast<std::size_t>(feed), sample));
  }
  return block;
}

// Everything that comes from `begin` on, in virtual time.
class World {
 public:
  World(double begin, const Clocks& clocks) : clocks_(clocks), now_(begin) {
    sound_blocks_ = static_cast<Index>(begin / sound_block());
  }

  void play(Session& session, double seconds, bool with_eeg, Sink& sink) {
    for (const double end = now_ + seconds; now_ < end;) {
      now_ += quarter;
      for (; static_cast<double>(sound_blocks_ + 1) * sound_block() <= now_ + 1e-9; ++sound_blocks_) {
        const double begin = static_cast<double>(sound_blocks_) * sound_block();
        for (Index feed = 0; feed < 2; ++feed) {
          session.push(sound(feed, begin, sound_block() / quarter, stamp(begin)), {now_}, sink);
        }
      }
      if (with_eeg) session.push(eeg(now_ - quarter, stamp(now_ - quarter)), {now_}, sink);
    }
  }

 private:
  [[nodiscard]] double sound_block() const { return quarter / (1 + clocks_.fast); }
  [[nodiscard]] std::optional<Seconds> stamp(double time) const {
    if (!clocks_.stamped) return std::nullopt;
    return Seconds{time + (now_ > clocks_.jump_at ? clocks_.jump : 0)};
  }
  Clocks clocks_;
  Index sound_blocks_ = 0;
  double now_;
};

struct Played {
  std::vector<Row> rows{};
  ClockCounts counts{};
  std::size_t peak_bytes = 0;
  std::optional<double> sound_begin{};  // of a recording
  std::vector<double> sound{};
};

// Sound alone from `begin` on, then EEG beside it.
Played played(double begin, const Clocks& clocks) {
  Session session(test::fault_stream(), test::fault_options());
  Told told;
  session.tap(&told);
  Rows sink;
  World world(begin, clocks);
  (void)signals();
  const test::AllocationCount allocations;
  world.play(session, hours - begin, false, sink);
  const std::size_t peak = allocations.peak_bytes();
  EXPECT_TRUE(sink.rows.empty());
  EXPECT_EQ(session.awaited(), std::vector<std::string>{"EEG"});
  world.play(session, tracked, true, sink);
  session.tap(nullptr);
  return {sink.rows, session.counts().clock, peak, told.sound_begin, told.sound};
}

// The windows are right: filters run in on the sound before, so all of them count.
void expect_right(const Played& one, double onset) {
  ASSERT_GE(one.rows.size(), static_cast<std::size_t>(tracked) - 2);
  EXPECT_NEAR(one.rows.front().onset, onset, 0.02);
  for (std::size_t k = 2; k < one.rows.size(); ++k) {
    EXPECT_FALSE(one.rows[k].held);
    EXPECT_GT(one.rows[k].scores[0], 0.8) << k;
  }
}

TEST(HeldSound, IsBoundedAndDecidesAsIfItHadBegunLater) {
  const Played waited = played(0, {});
  EXPECT_LT(waited.peak_bytes, 1U << 20);  // eleven times as much came
  EXPECT_EQ(waited.counts, ClockCounts{});
  expect_right(waited, hours);
  const Played later = played(hours - 60, {});
  EXPECT_EQ(waited.rows, later.rows);
  // So does a recording, which begins with what the filters see.
  EXPECT_EQ(waited.sound_begin, hours - 10);
  EXPECT_EQ(waited.sound_begin, later.sound_begin);
  EXPECT_EQ(waited.sound, later.sound);
}

TEST(HeldSound, WithoutStampsLiesWhereItCame) {
  const Played unstamped = played(0, {.stamped = false});
  EXPECT_LT(unstamped.peak_bytes, 1U << 20);
  EXPECT_EQ(unstamped.rows, played(hours - 60, {}).rows);
}

TEST(HeldSound, MayDriftMeanwhile) {
  for (const double fast : {-5e-4, 5e-4}) {
    const Played drifted = played(0, {.fast = fast});
    expect_right(drifted, hours);
    EXPECT_EQ(drifted.counts.gaps, 0);
    EXPECT_LE(drifted.counts.shifted, 16);  // 15 ms in half a minute, 2 ms at once, of two feeds
  }
}

TEST(HeldSound, MayJumpMeanwhile) {
  const Played jumped = played(0, {.jump_at = 5000, .jump = 2e5});
  expect_right(jumped, hours + 2e5);
  EXPECT_EQ(jumped.counts.jumps, 2);  // one of each speaker
  EXPECT_EQ(jumped.counts.gaps, 0);
}

// Once a trial has begun, rows of sound wait for EEG that pauses.
TEST(HeldSound, IsBoundedWhileTheEegPauses) {
  Session session(test::fault_stream(), test::fault_options());
  Rows sink;
  World world(0, {});
  world.play(session, 10, true, sink);
  const std::size_t before = sink.rows.size();
  const test::AllocationCount allocations;
  world.play(session, hours - 10, false, sink);
  EXPECT_LT(allocations.peak_bytes(), 4U << 20);
  ASSERT_EQ(sink.rows.size(), before);
  world.play(session, tracked, true, sink);
  sink.rows.erase(sink.rows.begin(), sink.rows.begin() + static_cast<std::ptrdiff_t>(before));
  expect_right({.rows = sink.rows}, hours + quarter);  // sound of the first block came before everything began anew
}

// A whole recording may be pushed at once, the sound first: it does not come as it is recorded.
TEST(HeldSound, ThatIsSentAheadWaitsForItsEeg) {
  Session session(test::fault_stream(), test::fault_options());
  Rows sink;
  constexpr double seconds = 500;
  for (double begin = 0; begin < seconds; begin += quarter) {
    for (Index feed = 0; feed < 2; ++feed) session.push(sound(feed, begin, 1, Seconds{begin}), {0}, sink);
  }
  for (double begin = 0; begin < seconds; begin += quarter) {
    session.push(eeg(begin, Seconds{begin}), {begin + quarter}, sink);
  }
  ASSERT_GE(sink.rows.size(), 498U);
  EXPECT_EQ(sink.rows.front().onset, 0);
  for (std::size_t k = 2; k < sink.rows.size(); ++k) EXPECT_GT(sink.rows[k].scores[0], 0.8) << k;
}

// A trial that is told to begin before there is any EEG begins with it, not with EEG beside the wrong sound.
TEST(HeldSound, OfATrialThatBeginsBeforeTheEeg) {
  Session session(test::fault_stream(), test::fault_options());
  Rows sink;
  session.push({.kind = BlockKind::trial, .stamp = Seconds{100}}, {100}, sink);
  World world(100, {});
  world.play(session, 3, false, sink);
  world.play(session, tracked, true, sink);
  expect_right({.rows = sink.rows}, 103);
}

// EEG and sound side by side, the stamps of the sound so far ahead.
void play_apart(Session& session, double ahead, Sink& sink) {
  for (double begin = 0; begin < tracked; begin += quarter) {
    const Seconds now{begin + quarter};
    session.push(eeg(begin, Seconds{begin}), now, sink);
    for (Index feed = 0; feed < 2; ++feed) session.push(sound(feed, begin, 1, Seconds{begin + ahead}), now, sink);
  }
}

TEST(HeldSound, OfAnotherClockIsNamed) {
  for (const double ahead : {1.7e9, -1.7e9}) {
    Session session(test::fault_stream(), test::fault_options());
    Rows sink;
    play_apart(session, ahead, sink);
    EXPECT_TRUE(sink.rows.empty());
    ASSERT_EQ(session.awaited().size(), 2U);
    EXPECT_EQ(session.awaited().front(),
              "the sound of 'left' at the time of the EEG (by their stamps they are 1.7e+09 s apart)");
  }
}

// A trial that was announced begins without its sound, which is taken up when its stamps are right.
TEST(HeldSound, OfAnotherClockDoesNotHoldUpATrial) {
  for (const double ahead : {1.7e9, -1.7e9}) {
    Session session(test::fault_stream(), test::fault_options());
    Rows sink;
    session.push({.kind = BlockKind::trial, .stamp = Seconds{0}}, {0}, sink);
    play_apart(session, ahead, sink);
    EXPECT_EQ(session.awaited(), (std::vector<std::string>{"the sound of 'left'", "the sound of 'right'"}));
    for (const Row& row : sink.rows) EXPECT_TRUE(row.held);
    sink.rows.clear();
    World world(tracked, {});
    world.play(session, tracked, true, sink);
    EXPECT_TRUE(session.awaited().empty());
    ASSERT_GE(sink.rows.size(), 20U);
    EXPECT_FALSE(sink.rows.back().held);
    EXPECT_GT(sink.rows.back().scores[0], 0.8);
  }
}

// Ten minutes ahead and more, sound that was sent at once waits until the EEG is there.
TEST(HeldSound, OfATimeToComeWaitsForIt) {
  Session session(test::fault_stream(), test::fault_options());
  Rows sink;
  constexpr double ahead = 700;
  for (double begin = ahead; begin < ahead + tracked; begin += quarter) {
    for (Index feed = 0; feed < 2; ++feed) session.push(sound(feed, begin, 1, Seconds{begin}), {0}, sink);
  }
  for (double begin = 0; begin < ahead + tracked; begin += quarter) {
    session.push(eeg(begin, Seconds{begin}), {begin + quarter}, sink);
  }
  expect_right({.rows = sink.rows}, ahead);
}

}  // namespace
}  // namespace heed::live
