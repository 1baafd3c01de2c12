// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/study_cohort.h>

#include "support/expect_error.h"
#include "support/few_listeners.h"

namespace heed::study {
namespace {

using pipeline::DecoderKind;

sim::RecordingCohortOptions small(int speakers = 2) {
  sim::RecordingCohortOptions options = test::few_listeners({.trials = 3, .trial = Seconds{24}});
  options.speakers = speakers;
  return options;
}

TEST(SimulatedStudyCohort, HasThePapersDataSets) {
  const auto parts = paper_cohorts({});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].participants, 13);
  EXPECT_EQ(parts[0].trials, 4);
  EXPECT_EQ(parts[1].participants, 20);
  EXPECT_EQ(parts[1].trials, 6);
  EXPECT_EQ(parts[1].speakers, 3);
  EXPECT_EQ(paper_cohorts({.quick = true})[0].participants, 6);
  EXPECT_EQ(paper_cohorts({.participants = 3, .quick = true, .seed = 9})[1].participants, 3);
  EXPECT_EQ(paper_cohorts({.seed = 9})[1].seed, 9U);
}

TEST(SimulatedStudyCohort, DecodesItsParts) {
  const auto cohort = simulated_cohort({small(2), small(3)});
  EXPECT_TRUE(cohort->is_simulated());
  EXPECT_EQ(cohort->speakers(), (std::vector<int>{2, 3}));
  EXPECT_EQ(cohort->participants(2), (std::vector<std::string>{"01", "02"}));
  EXPECT_EQ(cohort->participants(3), (std::vector<std::string>{"c01", "c02"})) << "other people";
  const std::vector<ScoresWanted> wanted{{{.speakers = 3, .decoder = DecoderKind::cca}, {{1}, {2}}}};
  const auto scores = cohort->scores(1, wanted);
  ASSERT_EQ(scores.size(), 1U);
  ASSERT_EQ(scores[0].lengths.size(), 2U);
  EXPECT_EQ(scores[0].lengths.at(0).id, "c02");
  EXPECT_EQ(scores[0].lengths.at(0).speakers.size(), 3U);
  EXPECT_EQ(scores[0].lengths.at(0).trials.size(), 3U);
  EXPECT_EQ(scores[0].lengths.at(1).trials[0].scores.values.rows(), 12);
}

TEST(SimulatedStudyCohort, GivesRhythmsToCsp) {
  auto longer = small();
  longer.trial = Seconds{60};
  const auto cohort = simulated_cohort({longer});
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::csp}, {{1}}},
                                         {{.decoder = DecoderKind::least_squares}, {{1}}}};
  const auto scores = cohort->scores(0, wanted);
  EXPECT_EQ(scores[0].lengths.at(0).type, ScoreType::log_odds);
  EXPECT_EQ(scores[1].lengths.at(0).type, ScoreType::correlation);
  EXPECT_TRUE(cohort->obstacle({.speakers = 3, .decoder = DecoderKind::csp}, {1}));
}

TEST(SimulatedStudyCohort, ItsDigestIsThatOfTheListener) {
  auto larger = small();
  larger.participants = 5;
  auto noisier = small();
  noisier.noise = 2;
  auto reseeded = small();
  reseeded.seed = 2;
  const std::string digest = simulated_cohort({small()})->digest(2, 1);
  EXPECT_EQ(digest, simulated_cohort({larger})->digest(2, 1)) << "a listener is the same in a cohort of any size";
  EXPECT_NE(digest, simulated_cohort({small()})->digest(2, 0));
  EXPECT_NE(digest, simulated_cohort({noisier})->digest(2, 1));
  EXPECT_NE(digest, simulated_cohort({reseeded})->digest(2, 1));
}

TEST(SimulatedStudyCohort, SaysWhatItIs) {
  EXPECT_EQ(simulated_cohort(paper_cohorts({}))->describe(),
            "simulated listeners: 13 x 4 trials of 10 min with 2 speakers, 20 x 6 trials of 10 min with 3 "
            "conversations; seed 1");
  test::expect_error(ErrorKind::not_found, {"4 speakers"}, [] { (void)simulated_cohort({small()})->participants(4); });
}

// Five listeners lend each other what they have in common; a prior of others changes the decoder, not the listener.
TEST(SimulatedStudyCohort, LendsWhatOthersHave) {
  sim::RecordingCohortOptions options = small();
  options.participants = 5;
  const auto cohort = simulated_cohort({options});
  const std::vector<ScoresWanted> wanted{
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::onset}, {{1}}},
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::heed}, {{1}}}};
  const auto scores = cohort->scores(4, wanted);
  ASSERT_EQ(scores[1].lengths.size(), 1U) << scores[1].failure;
  EXPECT_EQ(scores[1].lengths[0].id, "05");
  EXPECT_NE(scores[0].lengths[0].trials[0].scores.values, scores[1].lengths[0].trials[0].scores.values);
  EXPECT_EQ(scores[1].note, "");
  const auto few = simulated_cohort({small()});
  EXPECT_FALSE(few->obstacle(wanted[1].decoding, {1}));
  EXPECT_NE(few->scores(0, wanted)[1].note, "") << "one other is no population";
}

}  // namespace
}  // namespace heed::study
