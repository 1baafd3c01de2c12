// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/study_cohort.h>

#include "support/expect_error.h"
#include "support/listening_dataset.h"

namespace heed::study {
namespace {

using pipeline::DecoderKind;

TEST(BidsStudyCohort, DecodesAFolder) {
  const test::ListeningDataset dataset({.participants = {"01", "02", "05"}});
  const auto cohort = bids_cohort(dataset.root(), {.cache = dataset.cache()});
  EXPECT_EQ(cohort->describe(), "Small: 3 participants, 2 speakers");
  EXPECT_FALSE(cohort->is_simulated());
  EXPECT_EQ(cohort->participants(2), (std::vector<std::string>{"01", "02", "05"}));
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::least_squares}, {{1}, {5}}}};
  const auto scores = cohort->scores(2, wanted);
  EXPECT_EQ(scores[0].lengths.at(0).id, "05");
  EXPECT_EQ(scores[0].lengths.at(1).trials.size(), 2U);
  EXPECT_EQ(scores[0].lengths.at(1).trials[0].scores.values.rows(), 8);
}

TEST(BidsStudyCohort, TakesTheFirstFew) {
  const test::ListeningDataset dataset({.participants = {"01", "02", "05"}});
  EXPECT_EQ(bids_cohort(dataset.root(), {.participants = 2})->participants(2).size(), 2U);
  EXPECT_EQ(bids_cohort(dataset.root(), {.participants = 9})->participants(2).size(), 3U);
}

// Conditions are the entity acq, numbers behind them aside.
TEST(BidsStudyCohort, TakesRunsAndConditions) {
  const test::ListeningDataset dataset({.participants = {"01", "02"}, .runs = 3});
  const auto folder = dataset.root();
  const auto trials = [&](const RunChoice& runs) {
    const auto cohort = bids_cohort(folder, {.cache = dataset.cache(), .runs = runs});
    const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::least_squares}, {{5}}}};
    return cohort->scores(0, wanted)[0].lengths.at(0).trials.size();
  };
  EXPECT_EQ(trials({}), 3U);
  EXPECT_EQ(trials({.runs = {"1", "2"}}), 2U);
  EXPECT_NE(bids_cohort(folder, {.runs = {.runs = {"1", "2"}}})->digest(2, 0), bids_cohort(folder, {})->digest(2, 0));
  test::expect_error(ErrorKind::not_found, {"no run has acq-Video", "choose another condition"},
                     [&] { (void)bids_cohort(folder, {.runs = {.conditions = {"Video"}}}); });
}

TEST(BidsStudyCohort, ItsDigestFollowsTheFiles) {
  const test::ListeningDataset a({.participants = {"01", "02"}});
  const test::ListeningDataset b({.participants = {"01", "02"}, .samples = 128 * 30});
  const auto first = bids_cohort(a.root(), {});
  EXPECT_EQ(first->digest(2, 0), bids_cohort(a.root(), {})->digest(2, 0));
  EXPECT_NE(first->digest(2, 0), first->digest(2, 1));
  EXPECT_NE(first->digest(2, 0), bids_cohort(b.root(), {})->digest(2, 0));
}

TEST(BidsStudyCohort, SaysWhatItHasNot) {
  const test::ListeningDataset dataset({.participants = {"01", "02"}});
  const auto cohort = bids_cohort(dataset.root(), {});
  const auto why = cohort->obstacle({.speakers = 3, .decoder = DecoderKind::cca}, {1});
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("has 2 speakers, not 3"), std::string::npos) << *why;
}

TEST(BidsStudyCohort, NeedsEvents) {
  const test::ListeningDataset dataset({.participants = {"01"}, .runs = 1});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dataset.root())) {
    if (entry.path().string().ends_with("_events.tsv")) std::filesystem::remove(entry.path());
  }
  test::expect_error(ErrorKind::bad_data, {"no run has an events.tsv", "heed validate"},
                     [&] { (void)bids_cohort(dataset.root(), {}); });
}

}  // namespace
}  // namespace heed::study
