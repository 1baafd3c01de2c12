// SPDX-License-Identifier: MIT
#include <dsp/montage.h>
#include <gtest/gtest.h>
#include <sim/recording_options.h>
#include <study/cohorts/disturbed_trials.h>

#include <cmath>

#include "support/decoding_cases.h"
#include "support/expect_error.h"

namespace heed::study {
namespace {

// Two trials of a minute: the middle is the last third of the first and the first third of the second.
pipeline::ParticipantTrials listening() {
  pipeline::ParticipantTrials one{.id = "01"};
  one.trials = {test::make_trial("a", {.seed = 1}), test::make_trial("b", {.seed = 2})};
  return one;
}

constexpr Index minute = 64 * 60;
constexpr Index third = 2 * minute / 3;

TEST(DisturbedTrials, NothingBefallsThem) {
  const auto before = listening();
  EXPECT_EQ(disturbed(before, Disturbance::none).trials[1].eeg, before.trials[1].eeg);
}

// A field that rises from the left ear to the right one and from the back to the front: `right` x + `front` y, at the
// electrodes of a usual cap. The last channel is none of the head's.
pipeline::ParticipantTrials in_a_field(double right, double front) {
  auto one = listening();
  for (Trial& trial : one.trials) {
    trial.channels = sim::electrodes(64);
    trial.channels.emplace_back("EXG1");
    trial.eeg = Matrix::Ones(minute, 65);
    for (Index c = 0; c < 64; ++c) {
      const auto place = *dsp::electrode_position(trial.channels[static_cast<std::size_t>(c)]);
      trial.eeg.col(c).setConstant(right * place.x + front * place.y);
    }
  }
  return one;
}

TEST(DisturbedTrials, ACapSlipsFromTheMiddleOn) {
  const auto before = in_a_field(1, 0);
  const auto after = disturbed(before, Disturbance::slipped_cap);
  EXPECT_EQ(after.trials[0].eeg.topRows(third), before.trials[0].eeg.topRows(third));
  EXPECT_EQ(after.trials[0].eeg.col(64), before.trials[0].eeg.col(64));
  EXPECT_EQ(after.trials[1].attention, before.trials[1].attention);
  // Turned by 30 degrees, the electrodes see the field as if it had been turned back.
  const auto turned_field = in_a_field(std::sqrt(3.0) / 2, -0.5);
  EXPECT_LT((after.trials[0].eeg - turned_field.trials[0].eeg).bottomRows(minute - third).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((after.trials[1].eeg - turned_field.trials[1].eeg).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(DisturbedTrials, ACapOfUnknownPlacesCannotSlip) {
  auto one = listening();
  for (Trial& trial : one.trials) trial.channels = {"C1", "C2", "left", "right"};
  test::expect_error(ErrorKind::unsupported, {"three channels"},
                     [&] { (void)disturbed(one, Disturbance::slipped_cap); });
}

TEST(DisturbedTrials, SoundsAreSwappedInTheMiddle) {
  const auto before = listening();
  const auto after = disturbed(before, Disturbance::swapped_sounds);
  EXPECT_EQ(after.trials[0].stimuli[0].topRows(third), before.trials[0].stimuli[0].topRows(third));
  EXPECT_EQ(after.trials[0].stimuli[0].bottomRows(minute - third),
            before.trials[0].stimuli[1].bottomRows(minute - third));
  EXPECT_EQ(after.trials[1].stimuli[1].topRows(2 * third - minute),
            before.trials[1].stimuli[0].topRows(2 * third - minute));
  EXPECT_EQ(after.trials[1].stimuli[1].bottomRows(10), before.trials[1].stimuli[1].bottomRows(10));
}

TEST(DisturbedTrials, NobodyListensInTheMiddleAndNobodyKnowsWhom) {
  const auto before = listening();
  const auto after = disturbed(before, Disturbance::nobody);
  const Index rest = minute - third;
  EXPECT_EQ(after.trials[0].eeg.row(third), before.trials[0].eeg.row(minute - 1)) << "backwards";
  ASSERT_EQ(after.trials[0].attention.size(), 1U);
  EXPECT_EQ(after.trials[0].attention[0].samples, (SampleRange{0, third}));
  ASSERT_EQ(after.trials[1].attention.size(), 1U);
  EXPECT_EQ(after.trials[1].attention[0].samples, (SampleRange{rest, minute - rest}));
}

TEST(DisturbedTrials, TheEegIsUpsideDown) {
  const auto before = listening();
  EXPECT_EQ(disturbed(before, Disturbance::inverted_cap).trials[0].eeg, -before.trials[0].eeg);
}

}  // namespace
}  // namespace heed::study
