// SPDX-License-Identifier: MIT
// The listener that goes on without end against the one that is simulated as a whole.
#include <gtest/gtest.h>
#include <sim/listener_stream.h>

namespace {

using namespace heed;
using namespace heed::sim;

RecordingCohortOptions quiet_options() {
  RecordingCohortOptions options;
  options.participants = 1;
  options.trials = 2;
  options.trial = {20};
  options.interval = {{60}, {60}};  // no switch
  options.channels = electrodes(19);
  return options;
}

SampleMatrix streamed(const RecordingCohortOptions& options, const Matrix& onsets, Speaker attended, Index piece) {
  ListenerStream stream(options, 1, 2);
  SampleMatrix all(onsets.rows(), std::ssize(options.channels));
  for (Index first = 0; first < onsets.rows(); first += piece) {
    const Index rows = std::min(piece, onsets.rows() - first);
    all.middleRows(first, rows) = stream.next(onsets.middleRows(first, rows), attended);
  }
  return all;
}

// Both sum in other orders: equal to the rounding of single precision at some 30 uV.
TEST(ListenerStream, IsTheListenerOfAWholeRunHoweverItIsCut) {
  const RecordingCohortOptions options = quiet_options();
  const SimulatedRun run = simulate_run(options, 1, 2);
  const Speaker attended = run.truth.attention(0, 0) == 1 ? 0 : 1;
  for (const Index piece : {1, 7, 2560}) {
    const SampleMatrix eeg = streamed(options, run.truth.onsets, attended, piece);
    EXPECT_LT((eeg - run.recording.samples).cwiseAbs().maxCoeff(), 1e-3F) << piece << " rows at a time";
  }
}

TEST(ListenerStream, AnswersTheSpeakerThatAttentionMovesTo) {
  RecordingCohortOptions options = quiet_options();
  options.noise = 0;
  const Matrix onsets = simulate_run(options, 1, 2).truth.onsets;
  ListenerStream moving(options, 1, 2);
  (void)moving.next(onsets.topRows(1280), 0);
  const SampleMatrix after = moving.next(onsets.bottomRows(1280), 1);
  const SampleMatrix other = streamed(options, onsets, 1, 2560).bottomRows(1280);
  const SampleMatrix same = streamed(options, onsets, 0, 2560).bottomRows(1280);
  // Half a second of crossing and 0.4 s of lags later nothing is left of the speaker before.
  const Index settled = 1280 - 128;
  EXPECT_LT((after.bottomRows(settled) - other.bottomRows(settled)).cwiseAbs().maxCoeff(), 1e-4F);
  EXPECT_GT((after.bottomRows(settled) - same.bottomRows(settled)).cwiseAbs().maxCoeff(), 0.01F);
  EXPECT_LT((after.topRows(1) - same.topRows(1)).cwiseAbs().maxCoeff(), 0.05F) << "attention moves gradually";
}

}  // namespace
