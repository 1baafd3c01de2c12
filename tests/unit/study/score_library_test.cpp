// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/score_library.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/scored_cohort.h"

namespace heed::study {
namespace {

using test::with;

std::vector<Setting> baseline() { return {make_setting({})}; }

TEST(ScoreLibrary, DecodesOnceForAllSettingsOfADecoder) {
  const test::ScoredCohort cohort;
  const std::vector settings{make_setting({}), make_setting(with("switch_probability", 0.01)),
                             make_setting(with("decoder", "cca")), make_setting(with("tracker", "viterbi"))};
  const ScoreLibrary library(cohort, settings, {});
  EXPECT_EQ(cohort.decoded, 4U) << "once a participant: the baseline is CCA";
  EXPECT_EQ(library.scores(settings[0]).size(), 4U);
  EXPECT_EQ(&library.scores(settings[0]), &library.scores(settings[2]));
}

TEST(ScoreLibrary, SaysWhatTheCohortCannotGive) {
  const test::ScoredCohort cohort;
  const std::vector settings{make_setting({}), make_setting(with("decoder", "csp")), make_setting(with("window", 5.0)),
                             make_setting(with("speakers", 4.0))};
  const ScoreLibrary library(cohort, settings, {});
  EXPECT_FALSE(library.obstacle(settings[0]));
  EXPECT_EQ(library.obstacle(settings[1]).value_or(""), "no rhythms here");
  EXPECT_EQ(library.obstacle(settings[2]).value_or(""), "only windows of 1 s");
  EXPECT_NE(library.obstacle(settings[3]).value_or("").find("2 speakers, not 4"), std::string::npos);
}

TEST(ScoreLibrary, MakesASurrogateForOneSpeakerMore) {
  const test::ScoredCohort cohort;
  const std::vector settings{make_setting(with("speakers", 3.0)), make_setting({})};
  const ScoreLibrary library(cohort, settings, {});
  EXPECT_TRUE(library.is_surrogate(settings[0]));
  EXPECT_FALSE(library.is_surrogate(settings[1]));
  EXPECT_EQ(library.scores(settings[0]).at(0).speakers.size(), 3U);
  EXPECT_EQ(library.scores(settings[1]).at(0).speakers.size(), 2U);
}

TEST(ScoreLibrary, LeavesOutWhoFails) {
  const test::ScoredCohort cohort({.failing = {1}});
  const ScoreLibrary library(cohort, baseline(), {});
  EXPECT_EQ(library.scores(baseline()[0]).size(), 3U);
  ASSERT_EQ(library.notes().size(), 1U);
  EXPECT_NE(library.notes()[0].text.find("left out: no EEG"), std::string::npos) << library.notes()[0].text;
  EXPECT_EQ(library.notes()[0].subject, "02");
}

TEST(ScoreLibrary, ADecoderThatNobodyAllowsIsAnObstacle) {
  const test::ScoredCohort cohort({.unlearnable = pipeline::DecoderKind::least_squares});
  const std::vector settings{make_setting({}), make_setting(with("decoder", "ls"))};
  const ScoreLibrary library(cohort, settings, {});
  EXPECT_FALSE(library.obstacle(settings[0]));
  EXPECT_EQ(library.obstacle(settings[1]).value_or(""), "one class only");
  EXPECT_TRUE(library.notes().empty());
}

TEST(ScoreLibrary, FailsWhereNothingCanBeDecoded) {
  const test::ScoredCohort cohort({.unlearnable = pipeline::DecoderKind::cca});
  test::expect_error(ErrorKind::bad_data, {"one class only"}, [&] { ScoreLibrary library(cohort, baseline(), {}); });
}

TEST(ScoreLibrary, FailsWhereNobodyIsLeft) {
  const test::ScoredCohort cohort({.failing = {0, 1, 2}});
  test::expect_error(ErrorKind::bad_data, {"no EEG"}, [&] { ScoreLibrary library(cohort, baseline(), {}); });
}

TEST(ScoreLibrary, OneParticipantIsNoCohort) {
  const test::ScoredCohort cohort({.participants = 1});
  test::expect_error(ErrorKind::bad_data, {"one participant", "give more"},
                     [&] { ScoreLibrary library(cohort, baseline(), {}); });
}

TEST(ScoreLibrary, FindsAgainWhatWasDecoded) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path());
  const test::ScoredCohort cohort;
  const ScoreLibrary first(cohort, baseline(), {.store = &store});
  EXPECT_EQ(cohort.decoded, 4U);
  const ScoreLibrary second(cohort, baseline(), {.store = &store});
  EXPECT_EQ(cohort.decoded, 4U);
  const Setting setting = make_setting({});
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(first.scores(setting)[k].trials[1].scores.values, second.scores(setting)[k].trials[1].scores.values);
    EXPECT_EQ(first.scores(setting)[k].trials[1].attention.attended,
              second.scores(setting)[k].trials[1].attention.attended);
  }
}

// Processes that begin elsewhere meet each other's scores on their way round.
TEST(ScoreLibrary, BeginsWithWhomItIsTold) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path());
  const test::ScoredCohort cohort;
  const ScoreLibrary library(cohort, baseline(), {.store = &store, .begin_with = "03"});
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(library.scores(baseline()[0])[k].id, cohort.participants(2)[k]);
  EXPECT_EQ(cohort.order, (std::vector<std::size_t>{2, 3, 0, 1}));
}

// A disk that fails says nothing about a participant: nobody is left out for it.
TEST(ScoreLibrary, FailsWhereScoresCannotBeKept) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path() / "store");
  folder.write("store", "a file in its place");
  const test::ScoredCohort cohort;
  test::expect_error(ErrorKind::cannot_create, {"store"},
                     [&] { ScoreLibrary library(cohort, baseline(), {.store = &store}); });
}

TEST(ScoreLibrary, DecodesCorrelationsForTheStateSpaceModel) {
  const test::ScoredCohort cohort;
  const std::vector settings{make_setting(with("tracker", "state-space"))};
  const ScoreLibrary library(cohort, settings, {});
  EXPECT_EQ(cohort.decoded, 8U) << "CCA and least squares";
  const auto correlations = with_correlations(settings[0]);
  ASSERT_TRUE(correlations);
  EXPECT_EQ(correlations->decoder, pipeline::DecoderKind::least_squares);
  EXPECT_EQ(library.scores(*correlations).size(), 4U);
  EXPECT_FALSE(with_correlations(make_setting({})));
  EXPECT_FALSE(with_correlations(make_setting({{"tracker", "state-space"}, {"decoder", "cca"}})));
}

TEST(ScoreLibrary, TellsHowFarItIs) {
  const test::ScoredCohort cohort;
  std::vector<std::size_t> seen;
  const ScoreLibrary library(cohort, baseline(), {.progress = [&](std::size_t done, std::size_t total) {
                               EXPECT_EQ(total, 4U);
                               seen.push_back(done);
                             }});
  EXPECT_EQ(seen, (std::vector<std::size_t>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace heed::study
