// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/smooth.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/track_participant.h>

namespace heed::pipeline {
namespace {

const Emission emission = GaussianEmission{true, Spread::shared, 0.124, 0.037, 0.303, 0.303, 0};

TEST(TrackParticipant, StartsAfreshAtEveryTrial) {
  const auto participant = sim::simulate_scores({.participants = 1, .trials = 3, .trial = Seconds{120}}).at(0);
  const auto chain = hmm::Chain::sticky(2, 0.001);
  const auto tracked = track_participant(participant, emission, track::SmoothTracker{chain});
  ASSERT_EQ(tracked.trials.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& trial = participant.trials[k];
    const auto alone = hmm::smooth(chain, emission::log_likelihoods(emission, trial.scores));
    EXPECT_EQ(tracked.trials[k].posteriors.values, alone.values);
    EXPECT_EQ(tracked.trials[k].name, trial.name);
    EXPECT_EQ(tracked.trials[k].attention.attended, trial.attention.attended);
  }
}

TEST(TrackParticipant, SaysWhereItWentWrong) {
  auto participant = sim::simulate_scores({.participants = 1, .trials = 2, .trial = Seconds{20}}).at(0);
  participant.trials[1].scores.values(3, 0) = 4;
  try {
    (void)track_participant(participant, emission, track::RawTracker{});
    FAIL() << "4 was taken for a correlation";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("participant 01, trial 2: window 4"), std::string::npos) << error.what();
  }
}

TEST(TrackParticipant, LogLikelihoodsOnceForManyMethodsGivesTheSame) {
  const auto participant = sim::simulate_scores({.participants = 1, .trials = 2, .trial = Seconds{60}}).at(0);
  const Model model{.emission = emission, .temperature = 1.5};
  const auto likelihoods = log_likelihoods_of(participant, model);
  ASSERT_EQ(likelihoods.size(), 2U);
  const track::CausalTracker tracker{hmm::Chain::sticky(2, 0.01)};
  const auto once = track_participant(participant, likelihoods, tracker);
  const auto alone = track_participant(participant, model, tracker);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(once.trials[k].posteriors.values, alone.trials[k].posteriors.values);
  }
  EXPECT_THROW((void)track_participant(participant, std::span(likelihoods).first(1), tracker), Error);
}

}  // namespace
}  // namespace heed::pipeline
