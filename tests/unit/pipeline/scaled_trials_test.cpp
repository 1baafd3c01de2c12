// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pipeline/scoring/scaled_trials.h>

#include <cmath>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

PreparedParticipant prepared() {
  PreparedRun run{.name = "sub-01_run-1",
                  .sampling_frequency = Hertz{64},
                  .channels = {"Fz", "Cz", "Pz"},
                  .speakers = {"left", "right"}};
  for (int k = 0; k < 2; ++k) {
    PreparedTrial trial{.name = k == 0 ? "a" : "b", .onset = Seconds{10.0 * k}};
    trial.eeg = SampleMatrix::Random(100, 3) * 20.0F;
    trial.eeg.col(2).setConstant(3);
    trial.stimuli = {SampleMatrix::Random(100, 1), SampleMatrix::Random(100, 1)};
    trial.attention = {{{0, 100}, k}};
    trial.missing = {{90, 10}};
    run.trials.push_back(trial);
  }
  return {.id = "01", .runs = {run}, .notes = {{"01", NoteKind::left_out, "note"}}};
}

TEST(ScaledTrials, ZeroPhaseSignalsHaveMeanNoneAndDeviationOnePerTrial) {
  const ParticipantTrials result = scaled_trials(prepared(), {});
  ASSERT_EQ(result.trials.size(), 2U);
  for (const Trial& trial : result.trials) {
    const auto kept = trial.eeg.topRows(90);
    for (Index c = 0; c < 2; ++c) {
      EXPECT_NEAR(kept.col(c).mean(), 0, 1e-12);
      EXPECT_NEAR(kept.col(c).squaredNorm() / 90, 1, 1e-12);
    }
    EXPECT_TRUE((trial.eeg.col(2).array() == 0).all()) << "a flat channel says nothing";
    EXPECT_TRUE((trial.eeg.bottomRows(10).array() == 0).all()) << "missing rows are zero";
    EXPECT_NEAR(trial.stimuli[1].squaredNorm() / 100, 1, 1e-12);
  }
}

TEST(ScaledTrials, CausalSignalsStayAsTheyAre) {
  const PreparedParticipant participant = prepared();
  const auto result = scaled_trials(participant, {.preprocessing = {.filters = FilterMode::causal}});
  EXPECT_EQ(result.trials[0].eeg.topRows(90), participant.runs[0].trials[0].eeg.topRows(90).cast<double>());
  EXPECT_TRUE((result.trials[0].eeg.bottomRows(10).array() == 0).all());
  EXPECT_EQ(result.trials[0].stimuli[0], participant.runs[0].trials[0].stimuli[0].cast<double>());
}

TEST(ScaledTrials, TrialsKnowTheirRunLabelsAndNames) {
  const auto result = scaled_trials(prepared(), {});
  EXPECT_EQ(result.trials[1].name, "sub-01_run-1/b");
  EXPECT_EQ(result.trials[1].onset, Seconds{10});
  EXPECT_EQ(result.trials[1].attention[0].speaker, 1);
  EXPECT_EQ(result.runs, (std::vector<std::string>{"sub-01_run-1", "sub-01_run-1"}));
  EXPECT_EQ(result.notes, (Notes{{"01", NoteKind::left_out, "note"}}));
}

TEST(ScaledTrials, TakesTheChannelsAskedForInTheirOrder) {
  const auto all = scaled_trials(prepared(), {});
  const PreparedParticipant participant = prepared();
  const auto some = scaled_trials(participant, {.channels = {"Cz", "Fz"}});
  EXPECT_EQ(some.trials[0].channels, (std::vector<std::string>{"Cz", "Fz"}));
  EXPECT_EQ(some.trials[0].eeg.cols(), 2);
  test::expect_error(ErrorKind::not_found, {"Oz", "Fz Cz Pz"},
                     [&] { (void)scaled_trials(participant, {.channels = {"Oz"}}); });
}

TEST(ScaledTrials, TheSameEegTwiceIsALeakAndRefused) {
  PreparedParticipant participant = prepared();
  participant.runs.push_back(participant.runs[0]);
  participant.runs[1].name = "sub-01_run-2";
  test::expect_error(ErrorKind::bad_data, {"sub-01_run-2/a", "sub-01_run-1/a", "trained on"},
                     [&] { (void)scaled_trials(participant, {}); });
}

}  // namespace
}  // namespace heed::pipeline
