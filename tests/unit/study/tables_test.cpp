// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/tracking/tables.h>

#include "support/scored_cohort.h"

namespace heed::study {
namespace {

TEST(StudyTables, ARowAParticipantWithAllParameters) {
  ResultTable table = empty_tracking_table();
  pipeline::TrackerOutcome measured;
  measured.metrics.accuracy = 0.9;
  measured.metrics.switches = 4;
  append_row(table, {make_setting(test::with("switch_probability", 0.003)), 0.003, "01", "ls"}, measured);
  ASSERT_EQ(table.rows.size(), 1U);
  const auto& row = table.rows.front();
  ASSERT_EQ(row.size(), table.columns.size());
  EXPECT_EQ(row[table.column("participant")], TableValue("sub-01"));
  EXPECT_EQ(row[table.column("scored_by")], TableValue("ls"));
  EXPECT_EQ(row[table.column("switch_probability")], TableValue(0.003));
  EXPECT_EQ(row[table.column("tracker")], TableValue("causal"));
  EXPECT_EQ(row[table.column("p")], TableValue(0.003));
  EXPECT_EQ(row[table.column("accuracy")], TableValue(0.9));
  EXPECT_EQ(row[table.column("switches")], TableValue(4.0));
  EXPECT_EQ(row[table.column("switch_time")], TableValue()) << "what does not exist is nothing";
}

TEST(StudyTables, PoolsTheWindowsOfAllParticipantsForReliability) {
  const auto calibration = [](double confidence) {
    Posteriors posteriors;
    posteriors.values.resize(1, 2);
    posteriors.values << confidence, 1 - confidence;
    return evaluate::Calibration::measure(posteriors, {{0}});
  };
  ResultTable table;
  for (const double confidence : {0.72, 0.78, 0.93}) {
    pool_reliability(table, reliability_table(make_setting({}), calibration(confidence)));
  }
  ASSERT_EQ(table.rows.size(), evaluate::Calibration::bins);
  const auto& row = table.rows[7];
  EXPECT_EQ(row[table.column("windows")], TableValue(2.0));
  EXPECT_DOUBLE_EQ(std::get<double>(row[table.column("confidence")]), 0.75);
  EXPECT_EQ(row[table.column("accuracy")], TableValue(1.0));
  EXPECT_EQ(table.rows[9][table.column("confidence")], TableValue(0.93)) << "a bin that was empty before";
  EXPECT_EQ(table.rows[0][table.column("confidence")], TableValue());
}

TEST(StudyTables, ARowAWindowOfATrace) {
  TrackedParticipant tracked{.id = "07", .speakers = {"left", "right"}};
  TrackedTrial trial{.name = "run-1"};
  trial.posteriors.values.resize(2, 2);
  trial.posteriors.values << 0.8, 0.2, 0.4, 0.6;
  trial.decisions.states = {0, 1};
  trial.attention.attended = {0, unknown_speaker};
  tracked.trials = {trial};
  ResultTable table = empty_trace_table(tracked.speakers);
  append_trace(table, "causal", tracked, 0);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1][table.column("onset")], TableValue(1.0));
  EXPECT_EQ(table.rows[1][table.column("attended")], TableValue());
  EXPECT_EQ(table.rows[1][table.column("decision")], TableValue("right"));
  EXPECT_EQ(table.rows[1][table.column("right")], TableValue(0.6));
}

}  // namespace
}  // namespace heed::study
