// SPDX-License-Identifier: MIT
// Who teaches whom, and that those who teach are heard: planted reconstructions, late and under noise.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/pipeline/score.h>
#include <pipeline/scoring/rescoring.h>

#include <algorithm>
#include <cmath>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

using test::expect_error;

constexpr Index seconds = 30;
constexpr double rate = 64;
constexpr auto samples = static_cast<Index>(seconds * rate);
const std::vector<decode::WindowLayout> one_second{Seconds{1}};

Eigen::VectorXd loudness(RandomStream& random) {
  Eigen::VectorXd values(samples);
  double slow = 0;
  double fast = 0;
  for (double& value : values) {
    slow = 0.8 * slow + random.normal();
    fast = 0.6 * fast + slow;
    value = std::abs(fast);
  }
  return values;
}

// Follows the attended envelope 6 samples late. Listeners of the same `sounds` hear the same.
Reconstruction planted(const std::string& listener, std::uint64_t sounds, std::uint64_t seed) {
  RandomStream stories(sounds);
  RandomStream noise(seed);
  Reconstruction run{.listener = listener, .name = "sub-" + listener + "_run-" + std::to_string(sounds)};
  run.sampling_frequency = Hertz{rate};
  run.speakers = {"left", "right"};
  run.envelopes = Matrix(samples, 2);
  run.envelopes.col(0) = loudness(stories);
  run.envelopes.col(1) = loudness(stories);
  const auto attended = static_cast<Speaker>(sounds % 2);
  run.values = Eigen::VectorXd(samples);
  for (Index t = 0; t < samples; ++t) {
    run.values[t] = run.envelopes(std::max<Index>(0, t - 6), attended) + (4 * noise.normal());
  }
  run.attention = {{{0, samples}, attended}};
  return run;
}

ReconstructedListener listener(const std::vector<Reconstruction>& runs) { return prepared(runs, rescorer()); }

// Everybody hears stories 1 and 2; the third listener hears 3, too.
std::vector<std::vector<Reconstruction>> cohort() {
  std::vector<std::vector<Reconstruction>> all;
  for (std::uint64_t k = 1; k <= 3; ++k) {
    const std::string id = "0" + std::to_string(k);
    all.push_back({planted(id, 1, 10 * k), planted(id, 2, 10 * k + 1)});
  }
  all.back().push_back(planted("03", 3, 33));
  return all;
}

Rescoring rescoring(const std::vector<std::vector<Reconstruction>>& runs,
                    SharedSounds shared = SharedSounds::leave_out) {
  std::vector<ReconstructedListener> listeners;
  for (const auto& own : runs) listeners.push_back(listener(own));
  return {std::move(listeners), rescorer(), shared};
}

TEST(Rescoring, OthersWithoutTheSoundsTeach) {
  const Rescoring all = rescoring(cohort());
  EXPECT_EQ(all.learnt_from(0, 0), (std::vector<std::string>{"sub-02_run-2", "sub-03_run-2", "sub-03_run-3"}));
  EXPECT_EQ(all.learnt_from(2, 2),
            (std::vector<std::string>{"sub-01_run-1", "sub-01_run-2", "sub-02_run-1", "sub-02_run-2"}));
  const Rescoring kept = rescoring(cohort(), SharedSounds::keep);
  EXPECT_EQ(kept.learnt_from(0, 0).size(), 5U);
}

// Not a bit of a run's scores comes from the listener's own runs, or from others' runs of the same sounds.
TEST(Rescoring, WhatMustNotBeKnownHasNoSay) {
  const auto original = cohort();
  const Matrix expected = rescoring(original).scores_of(0, one_second)[0].trials[0].scores.values;
  auto changed = original;
  changed[0][1] = planted("01", 9, 99);   // the listener's other run
  changed[1][0].values.reverseInPlace();  // the same sounds
  changed[2][0].attention.front().speaker = 0;
  EXPECT_EQ(rescoring(changed).scores_of(0, one_second)[0].trials[0].scores.values, expected);
  changed[1][1].values.reverseInPlace();  // who does teach
  EXPECT_NE(rescoring(changed).scores_of(0, one_second)[0].trials[0].scores.values, expected);
}

TEST(Rescoring, BeatsTheCorrelationWhereTheReconstructionIsLate) {
  const Rescoring all = rescoring(cohort());
  double plain = 0;
  double rescored = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto scored = all.scores_of(k, one_second);
    EXPECT_EQ(scored[0].type, ScoreType::log_odds);
    EXPECT_EQ(scored[0].trials[0].scores.values.rows(), seconds);
    EXPECT_EQ(scored[0].trials[0].name, "sub-0" + std::to_string(k + 1) + "_run-1");
    rescored += significance_of(scored[0]).accuracy.value() / 3;
    plain += significance_of(all.plain_scores(k, Seconds{1})).accuracy.value() / 3;
  }
  EXPECT_GT(rescored, plain + 0.05);
  EXPECT_GT(rescored, 0.65);
}

TEST(Rescoring, PlainScoresAreCorrelations) {
  const Rescoring all = rescoring(cohort());
  const Trial& trial = all.listeners()[1].participant.trials[0];
  const ScoredParticipant plain = all.plain_scores(1, Seconds{5});
  EXPECT_EQ(plain.type, ScoreType::correlation);
  const Index length = 5 * 64;
  for (Index w = 0; w < seconds / 5; ++w) {
    for (Index s = 0; s < 2; ++s) {
      Eigen::VectorXd u = trial.eeg.col(0).segment(w * length, length);
      Eigen::VectorXd v = trial.stimuli[static_cast<std::size_t>(s)].col(0).segment(w * length, length);
      u.array() -= u.mean();
      v.array() -= v.mean();
      EXPECT_NEAR(plain.trials[0].scores.values(w, s), u.dot(v) / (u.norm() * v.norm()), 1e-12);
    }
  }
}

TEST(Rescoring, SignalsAreBroughtToOneRate) {
  Reconstruction run = planted("01", 1, 5);
  run.sampling_frequency = Hertz{32};
  run.attention = {{{100, 50}, 1}, {{200, samples - 200}, 0}};
  const ReconstructedListener found = listener({run});
  const Trial& trial = found.participant.trials.at(0);
  EXPECT_EQ(trial.samples(), 2 * samples);
  EXPECT_EQ(trial.targets, (std::vector<std::string>{"envelope", "onset"}));
  EXPECT_EQ(trial.stimuli[0].cols(), 2);
  EXPECT_EQ(trial.attention[0].samples, (SampleRange{200, 100}));
  EXPECT_EQ(trial.attention[1].samples, (SampleRange{400, 2 * samples - 400}));
  EXPECT_NEAR(trial.eeg.squaredNorm() / static_cast<double>(trial.samples()), 1, 1e-12);
}

TEST(Rescoring, RefusesWhatCannotBeLearntFrom) {
  const auto runs = cohort();
  expect_error(ErrorKind::bad_data, {"only one listener"}, [&] { (void)rescoring({runs[0]}); });
  expect_error(ErrorKind::bad_data, {"sub-02_run-1", "same reconstruction as sub-01_run-1"}, [&] {
    auto twice = runs;
    twice[1][0].values = twice[0][0].values;
    (void)rescoring(twice);
  });
  expect_error(ErrorKind::bad_data, {"sub-01", "keep shared sounds"}, [&] {
    (void)rescoring({{runs[0][0]}, {runs[1][0]}}).scores_of(0, one_second);
  });
  Reconstruction run = runs[0][0];
  run.envelopes.col(1).setConstant(0.3);
  expect_error(ErrorKind::bad_data, {"sub-01_run-1", "'right' never changes"}, [&] { (void)listener({run}); });
  run = runs[0][0];
  run.values.setConstant(-7);
  expect_error(ErrorKind::bad_data, {"the reconstruction never changes"}, [&] { (void)listener({run}); });
  run = runs[0][1];
  run.speakers = {"a", "b"};
  expect_error(ErrorKind::bad_data, {"sub-01_run-2", "other speakers"}, [&] { (void)listener({runs[0][0], run}); });
  expect_error(ErrorKind::invalid_argument, {"at least one"}, [&] { (void)listener({}); });
}

}  // namespace
}  // namespace heed::pipeline
