// SPDX-License-Identifier: MIT
// Runs: the same bytes whatever else is simulated, attention as the events say, and responses that regression finds
// again.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <sim/recording_run.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/expect_error.h"

namespace heed::sim {
namespace {

RecordingCohortOptions small() {
  RecordingCohortOptions options;
  options.participants = 2;
  options.trials = 2;
  options.trial = Seconds{60};
  options.interval = {Seconds{30}, Seconds{30}};
  options.sampling_frequency = Hertz{64};
  options.channels = {"FCz", "Cz", "Oz", "P9"};
  return options;
}

TEST(Run, IsTheSameWhateverElseIsSimulated) {
  RecordingCohortOptions options = small();
  const SimulatedRun run = simulate_run(options, 2, 2);
  (void)simulate_run(options, 1, 1);
  EXPECT_EQ(simulate_run(options, 2, 2).recording.samples, run.recording.samples);
  options.participants = 9;
  options.trials = 5;
  EXPECT_EQ(simulate_run(options, 2, 2).recording.samples, run.recording.samples);
  EXPECT_NE(simulate_run(options, 1, 2).recording.samples, run.recording.samples);
  EXPECT_NE(simulate_run(options, 2, 1).recording.samples, run.recording.samples);
  options.seed = 2;
  EXPECT_NE(simulate_run(options, 2, 2).recording.samples, run.recording.samples);
}

TEST(Run, HasTheShapeOfARecording) {
  const SimulatedRun run = simulate_run(small(), 1, 1);
  EXPECT_EQ(run.recording.samples.rows(), 60 * 64);
  ASSERT_EQ(run.recording.channels.size(), 4U);
  EXPECT_EQ(run.recording.channels[1].name, "Cz");
  EXPECT_EQ(run.recording.channels[1].unit, "uV");
  EXPECT_EQ(run.recording.sampling_frequency, Hertz{64});
  EXPECT_TRUE(run.recording.samples.allFinite());
  EXPECT_EQ(run.events.stimuli.size(), 2U);
  for (Index j = 0; j < 2; ++j) {
    EXPECT_NEAR(run.truth.envelopes.col(j).mean(), 0, 1e-9);
    EXPECT_NEAR(run.truth.envelopes.col(j).squaredNorm() / (60 * 64), 1, 1e-9);
    EXPECT_NEAR(run.truth.onsets.col(j).mean(), 0, 1e-9);
    EXPECT_NEAR(run.truth.onsets.col(j).squaredNorm() / (60 * 64), 1, 1e-9);
  }
}

TEST(Run, AttentionIsBalancedAndSwitches) {
  const RecordingCohortOptions options = small();
  for (int participant = 1; participant <= 2; ++participant) {
    for (int trial = 1; trial <= 2; ++trial) {
      const SimulatedRun run = simulate_run(options, participant, trial);
      const auto& stretches = run.events.attention;
      ASSERT_EQ(stretches.size(), 2U);
      EXPECT_EQ(stretches[0].speaker, (participant + trial) % 2 == 0 ? "left" : "right");
      EXPECT_NE(stretches[1].speaker, stretches[0].speaker);
      EXPECT_EQ(stretches[1].onset, Seconds{30});
      EXPECT_EQ(stretches[1].duration, Seconds{30});
      const Index first = stretches[0].speaker == "left" ? 0 : 1;
      EXPECT_EQ(run.truth.attention((30 * 64) - 20, first), 1);
      EXPECT_NEAR(run.truth.attention(30 * 64, first), 0.5, 1e-12);  // half way at the switch itself
      EXPECT_EQ(run.truth.attention((30 * 64) + 20, first), 0);
      EXPECT_LT((run.truth.attention.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
    }
  }
}

TEST(Run, SwitchesAtRandomIntervalsAndNotInSustainedTrials) {
  RecordingCohortOptions options = small();
  options.trial = Seconds{100};
  options.interval = {Seconds{5}, Seconds{9}};
  options.sustained_trials = 1;
  const auto sustained = simulate_run(options, 1, 1).events.attention;
  ASSERT_EQ(sustained.size(), 1U);
  EXPECT_EQ(sustained[0].duration, Seconds{100});
  const auto stretches = simulate_run(options, 1, 2).events.attention;
  Seconds time{};
  for (std::size_t k = 0; k + 1 < stretches.size(); ++k) {
    EXPECT_EQ(stretches[k].onset, time);
    EXPECT_GE(stretches[k].duration, Seconds{5});
    EXPECT_LE(stretches[k].duration, Seconds{9});
    EXPECT_EQ(stretches[k].duration.value, std::floor(stretches[k].duration.value));
    time = time + stretches[k].duration;
  }
  EXPECT_EQ(stretches.back().onset + stretches.back().duration, Seconds{100});
}

TEST(Run, ConversationsAreAttendedOnceEachInSustainedTrials) {
  RecordingCohortOptions options = three_conversations();
  options.trial = Seconds{40};
  options.interval = {Seconds{20}, Seconds{20}};
  options.channels = {"Cz"};
  std::vector<std::string> first;
  for (int trial = 1; trial <= 6; ++trial) {
    const auto attention = simulate_run(options, 4, trial).events.attention;
    EXPECT_EQ(attention.size(), trial <= 3 ? 1U : 2U);
    first.push_back(attention[0].speaker);
  }
  std::sort(first.begin(), first.begin() + 3);
  EXPECT_EQ(std::vector<std::string>(first.begin(), first.begin() + 3),
            (std::vector<std::string>{"centre", "left", "right"}));
}

// Without noise the EEG is a linear answer to the attended and the unattended onsets: least squares over the lags
// gives both kernels back.
TEST(Run, RegressionRecoversTheKernels) {
  RecordingCohortOptions options = small();
  options.noise = 0;
  const SimulatedRun run = simulate_run(options, 2, 1);
  const Listener listener = simulate_listener(options, 2);
  const Matrix attended = response_kernel(listener, Attention::attended, Hertz{64});
  const Matrix ignored = response_kernel(listener, Attention::unattended, Hertz{64});
  const Index lags = attended.rows();
  const Eigen::VectorXd drive = run.truth.onsets.cwiseProduct(run.truth.attention).rowwise().sum();
  const Eigen::VectorXd other = run.truth.onsets.rowwise().sum() - drive;
  Eigen::MatrixXd regressors = Eigen::MatrixXd::Zero(drive.size(), 2 * lags);
  for (Index k = 0; k < lags; ++k) {
    regressors.col(k).tail(drive.size() - k) = drive.head(drive.size() - k);
    regressors.col(lags + k).tail(drive.size() - k) = other.head(drive.size() - k);
  }
  Eigen::MatrixXd gram = regressors.transpose() * regressors;
  gram.diagonal().array() += 1e-6;
  const Eigen::MatrixXd found = gram.ldlt().solve(regressors.transpose() * run.recording.samples.cast<double>());
  const double size = attended.cwiseAbs().maxCoeff();
  EXPECT_LT((found.topRows(lags) - attended).cwiseAbs().maxCoeff(), 0.01 * size);  // samples are single precision
  EXPECT_LT((found.bottomRows(lags) - ignored).cwiseAbs().maxCoeff(), 0.01 * size);
}

TEST(Run, SignalAndNoiseAdd) {
  RecordingCohortOptions options = small();
  const SampleMatrix both = simulate_run(options, 1, 1).recording.samples;
  options.noise = 0;
  const SampleMatrix signal = simulate_run(options, 1, 1).recording.samples;
  options.noise = 1;
  options.signal = 0;
  const SampleMatrix noise = simulate_run(options, 1, 1).recording.samples;
  EXPECT_LT((both - signal - noise).cwiseAbs().maxCoeff(), 1e-4F);
  // Responses are far below the rest: what makes decoding hard.
  EXPECT_GT(noise.norm() / signal.norm(), 10);
  EXPECT_LT(noise.norm() / signal.norm(), 500);
}

TEST(Run, DisturbancesDoNotChangeWhatIsLeft) {
  RecordingCohortOptions options = small();
  const SampleMatrix clean = simulate_run(options, 1, 1).recording.samples;
  options.dropouts = 4;
  const SimulatedRun run = simulate_run(options, 1, 1);
  ASSERT_FALSE(run.truth.dropouts.empty());
  for (Index n = 0; n < clean.rows(); ++n) {
    if (!std::isnan(run.recording.samples(n, 0))) {
      ASSERT_EQ(run.recording.samples.row(n), clean.row(n));
    }
  }
  options.blinks = 30;
  options.artefacts = 10;
  options.line_noise = 2;
  options.line_frequency = Hertz{20};
  const SimulatedRun dirty = simulate_run(options, 1, 1);
  EXPECT_EQ(dirty.truth.dropouts, run.truth.dropouts);
  EXPECT_EQ(dirty.truth.lateralisation, run.truth.lateralisation);
}

TEST(Run, LateralisationFollowsTheAttendedSideAndRemembers) {
  RecordingCohortOptions options = small();
  options.trial = Seconds{600};
  options.interval = {Seconds{300}, Seconds{300}};
  options.channels = {"Cz"};
  options.participants = 20;
  options.noise = 0;
  double right = 0;
  double left = 0;
  double product = 0;
  double squares = 0;
  for (int participant = 1; participant <= 20; ++participant) {
    const SimulatedRun run = simulate_run(options, participant, 1);
    const Eigen::VectorXd side = run.truth.attention.col(1) - run.truth.attention.col(0);
    const Eigen::VectorXd& values = run.truth.lateralisation;
    right += (side.array() > 0).select(values, 0).mean();
    left += (side.array() < 0).select(values, 0).mean();
    const Eigen::VectorXd wander = values - (2.0 * side);
    product += wander.head(30000).dot(wander.segment(20 * 64, 30000));
    squares += wander.head(30000).squaredNorm();
  }
  EXPECT_GT(right, 0);
  EXPECT_LT(left, 0);
  EXPECT_GT(product / squares, 0.6);  // 20 s later
  options.gaze = 0;
  EXPECT_EQ(simulate_run(options, 1, 1).truth.lateralisation.cwiseAbs().maxCoeff(), 0);
}

TEST(Run, RefusesRunsThatAreNotThere) {
  const RecordingCohortOptions options = small();
  test::expect_error(ErrorKind::invalid_argument, {"participant 3", "from 1 to 2"},
                     [&] { (void)simulate_run(options, 3, 1); });
  test::expect_error(ErrorKind::invalid_argument, {"trial 0", "from 1 to 2"},
                     [&] { (void)simulate_run(options, 1, 0); });
}

}  // namespace
}  // namespace heed::sim
