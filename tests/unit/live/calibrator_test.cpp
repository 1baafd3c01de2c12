// SPDX-License-Identifier: MIT
// A decoder that is trained in the session: what it is trained on, how it is handed over, and that it then scores as if
// it had been there from the start.
#include <gtest/gtest.h>
#include <live/calibrator.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/live_cases.h"
#include "support/live_faults.h"

namespace heed::live {
namespace {

struct Seen final : Sink {
  Seen() { rows.reserve(1000); }
  struct Row {
    Standing standing = Standing::unknown;
    double first = 0;
    double second = 0;
    double gain = 0;
  };
  void decided(const Decision& decision) override {
    rows.push_back(
        {decision.standing, decision.scores[0], decision.scores[1], std::abs(decision.gains[0] - decision.gains[1])});
  }
  std::vector<Row> rows;
};

pipeline::DecoderChoice usual_choice() {
  return pipeline::resolve(
      {.recipe = pipeline::Recipe::onset, .kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal});
}

// A simulated listener's run, as blocks.
struct Streamed {
  StreamDescription stream{};
  std::vector<Block> blocks{};
};

const Streamed& streamed() {
  static const Streamed one = [] {
    const Decoder like{.preprocessing = usual_choice().preprocessing};
    const auto source = open_source(test::replay_of(test::usual_live_folder(), like, Seconds{1}));
    Streamed result{.stream = source->description()};
    result.blocks.emplace_back();
    while (source->next(result.blocks.back(), {}) == Arrival::block) result.blocks.emplace_back();
    result.blocks.pop_back();
    return result;
  }();
  return one;
}

TEST(Calibration, EndsWithADecoderThatScoresAsIfItHadAlwaysBeenThere) {
  const Streamed& run = streamed();
  for (const bool label_free : {true, false}) {
    SessionOptions options{.calibration = calibration_options(usual_choice(), {20})};
    Session session(run.stream, options);
    ParameterDesk desk(session, {});
    Calibrator calibrator(session, desk, {.choice = usual_choice(), .label_free = label_free, .wait = true});
    Seen seen;
    EXPECT_TRUE(session.is_calibrating());
    test::expect_error(ErrorKind::invalid_argument, {"too little was heard"}, [&] { (void)session.calibration(); });
    for (const Block& block : run.blocks) {
      session.push(block, block.stamp.value_or(Seconds{}), seen);
      calibrator.look();
    }
    ASSERT_NE(calibrator.decoder(), nullptr);
    EXPECT_FALSE(session.is_calibrating());
    // 20 s of good rows, and those that dropouts spoilt on the way. A window is decided when its last lag is there:
    // so the one that ends with the calibration finds the decoder, unless dropouts made that later than its last lag.
    constexpr Index rows_per_window = 64;
    const Trial kept = session.calibration().front();
    Index spoilt = 0;
    for (const SampleRange& range : kept.missing) spoilt += range.count;
    EXPECT_EQ(kept.samples() - spoilt, 20 * rows_per_window);
    const Index decided = kept.samples() - options.calibration->eeg_lags.last;
    ASSERT_LT(decided % rows_per_window, rows_per_window - 4) << "the block that brings the last row holds up to 4";
    const auto calibrating = static_cast<std::size_t>(session.counts().calibrating);
    EXPECT_EQ(calibrating, static_cast<std::size_t>(decided / rows_per_window));

    Session from_the_start(run.stream, {.decoder = *calibrator.decoder()});
    Seen expected;
    for (const Block& block : run.blocks) from_the_start.push(block, block.stamp.value_or(Seconds{}), expected);
    ASSERT_EQ(seen.rows.size(), expected.rows.size());
    for (std::size_t k = 0; k < seen.rows.size(); ++k) {
      if (k < calibrating) {
        EXPECT_EQ(seen.rows[k].standing, Standing::calibrating) << k;
        EXPECT_EQ(seen.rows[k].gain, 0) << k;
        EXPECT_TRUE(std::isnan(seen.rows[k].first)) << k;
        continue;
      }
      EXPECT_NE(seen.rows[k].standing, Standing::calibrating) << k;
      if (std::isnan(expected.rows[k].first)) continue;
      EXPECT_EQ(seen.rows[k].first, expected.rows[k].first) << k;
      EXPECT_EQ(seen.rows[k].second, expected.rows[k].second) << k;
    }
  }
}

TEST(Calibration, KeepsWhatOfflineTrainingWouldSee) {
  Streamed run = streamed();
  // A dropout about 10 s after the start.
  const auto dropped = std::ranges::find_if(run.blocks, [](const Block& block) {
    return block.kind == BlockKind::eeg && block.stamp.value_or(Seconds{0}).value >= 10;
  });
  ASSERT_NE(dropped, run.blocks.end());
  std::ranges::fill(dropped->samples, std::numeric_limits<float>::quiet_NaN());
  Session session(run.stream, {.calibration = calibration_options(usual_choice(), {30})});
  Seen seen;
  for (const Block& block : run.blocks) session.push(block, block.stamp.value_or(Seconds{}), seen);
  ASSERT_TRUE(session.has_calibration());
  const std::vector<Trial> trials = session.calibration();
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_GE(trials.front().samples(), 30 * 64);
  EXPECT_EQ(trials.front().channels.size(), 8U);
  EXPECT_EQ(trials.front().speakers, run.stream.speakers);
  EXPECT_FALSE(trials.front().missing.empty());
  // The listener of the folder switches after 20 s.
  ASSERT_GE(trials.front().attention.size(), 2U);
  EXPECT_EQ(trials.front().attention[0].samples, (SampleRange{0, 20 * 64}));
  EXPECT_NE(trials.front().attention[0].speaker, trials.front().attention[1].speaker);
}

TEST(Calibration, IsTakenUpWithoutAllocating) {
  const Streamed& run = streamed();
  Session session(run.stream, {.calibration = calibration_options(usual_choice(), {20})});
  Seen seen;
  std::size_t next = 0;
  for (; !session.has_calibration(); ++next) {
    session.push(run.blocks[next], run.blocks[next].stamp.value_or(Seconds{}), seen);
  }
  Notes notes;
  const Decoder decoder = calibrated_decoder(session.calibration(), {.choice = usual_choice()}, notes);
  session.offer(session.make_parameters({}, {}, &decoder));
  const test::AllocationCount allocations;
  for (; next < run.blocks.size(); ++next) {
    session.push(run.blocks[next], run.blocks[next].stamp.value_or(Seconds{}), seen);
  }
  EXPECT_EQ(allocations.so_far(), 0U);
  EXPECT_FALSE(session.is_calibrating());
}

// A stream that ends while the decoder is trained, or just before: what the listener gave is not lost.
TEST(Calibration, IsFinishedAfterTheStream) {
  const Streamed& run = streamed();
  for (const bool looked : {false, true}) {
    Session session(run.stream, {.calibration = calibration_options(usual_choice(), {10})});
    ParameterDesk desk(session, {});
    Calibrator calibrator(session, desk, {.choice = usual_choice()});
    Seen seen;
    for (const Block& block : run.blocks) {
      session.push(block, block.stamp.value_or(Seconds{}), seen);
      if (looked) calibrator.look();
    }
    calibrator.finish();
    EXPECT_NE(calibrator.decoder(), nullptr);
  }
}

TEST(Calibration, SaysWhatIsMissing) {
  using test::expect_error;
  const Streamed& run = streamed();
  StreamDescription stream = run.stream;
  Session session(stream, {.calibration = calibration_options(usual_choice(), {10})});
  ParameterDesk desk(session, {});
  Calibrator calibrator(session, desk, {.choice = usual_choice(), .label_free = false, .wait = true});
  Seen seen;
  expect_error(ErrorKind::bad_data, {"calibration"}, [&] {
    for (const Block& block : run.blocks) {
      if (block.kind == BlockKind::attended) continue;  // nobody tells
      session.push(block, block.stamp.value_or(Seconds{}), seen);
      calibrator.look();
    }
  });
  auto zero_phase = usual_choice();
  zero_phase.preprocessing.filters = FilterMode::zero_phase;
  expect_error(ErrorKind::invalid_argument, {"zero-phase"},
               [&] { Session(stream, {.calibration = calibration_options(zero_phase, {10})}); });
  auto cca = usual_choice();
  cca.kind = pipeline::DecoderKind::cca;
  expect_error(ErrorKind::invalid_argument, {"least squares"}, [&] { (void)calibration_options(cca, {10}); });
  Session decided(test::fault_stream(), test::fault_options());
  const Decoder decoder = *test::fault_options().decoder;
  expect_error(ErrorKind::invalid_argument, {"waits for no other"},
               [&] { (void)decided.make_parameters({}, {}, &decoder); });
  expect_error(ErrorKind::invalid_argument, {"does not fit the calibration"},
               [&] { (void)session.make_parameters({}, {}, &decoder); });
}

}  // namespace
}  // namespace heed::live
