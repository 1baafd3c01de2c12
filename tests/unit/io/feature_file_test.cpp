// SPDX-License-Identifier: MIT
// Feature files: the columns are features of the window, and the states are named by the caller.
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using Strings = std::vector<std::string>;

const ScoreReadOptions two_states{.states = {"left", "right"}};

ScoreFile parse(std::string_view table, const ScoreReadOptions& options = two_states) {
  return parse_scores(table, std::nullopt, options);
}

TEST(FeatureFile, ColumnsAreFeaturesAndLabelsAreStates) {
  const auto file =
      parse("onset\ttrial\ta\tattended\tb\tc\n0\t1\t1.5\tright\t2\t3\n1\t1\t4\tn/a\tn/a\t6\n0\t2\t7\tleft\t8\t-9\n");
  const ScoredParticipant& participant = file.participant;
  EXPECT_EQ(participant.speakers, two_states.states);
  EXPECT_EQ(participant.features, (Strings{"a", "b", "c"}));
  ASSERT_EQ(participant.trials.size(), 2U);
  EXPECT_EQ(participant.trials[0].scores.values.row(0), (Matrix(1, 3) << 1.5, 2, 3).finished());
  EXPECT_TRUE(participant.trials[0].scores.values.row(1).array().isNaN().all()) << "a feature less is a missing window";
  EXPECT_EQ(participant.trials[0].attention.attended, (std::vector<Speaker>{1, unknown_speaker}));
  EXPECT_EQ(participant.trials[1].scores.values.row(0), (Matrix(1, 3) << 7, 8, -9).finished());
}

TEST(FeatureFile, OneFeatureIsEnough) {
  const auto participant = parse("a\tattended\n1\tleft\n2\tright\n").participant;
  EXPECT_EQ(participant.trials[0].scores.values.cols(), 1);
  EXPECT_EQ(participant.speakers.size(), 2U);
}

TEST(FeatureFile, GapsAreMissingWindows) {
  const auto participant = parse("onset\ta\tb\tc\n0\t1\t2\t3\n1\t4\t5\t6\n3\t7\t8\t9\n").participant;
  ASSERT_EQ(participant.trials[0].scores.values.rows(), 4);
  EXPECT_TRUE(participant.trials[0].scores.values.row(2).array().isNaN().all());
  EXPECT_EQ(participant.trials[0].scores.values(3, 2), 9);
}

TEST(FeatureFile, SaysWhatIsWrong) {
  expect_error(ErrorKind::bad_data, {"row 2", "column attended", "'middle'", "left, right"},
               [] { (void)parse("a\tattended\n1\tmiddle\n"); });
  expect_error(ErrorKind::bad_data, {"row 1", "no feature column"}, [] { (void)parse("onset\tattended\n0\tleft\n"); });
  expect_error(ErrorKind::bad_data, {"row 2, column b", "'x'"}, [] { (void)parse("a\tb\n1\tx\n"); });
  for (const Strings& states :
       {Strings{"left"}, Strings{"left", "left"}, Strings{"left", ""}, Strings{"left", "n/a"}}) {
    expect_error(ErrorKind::invalid_argument, {"states", "different names"},
                 [&] { (void)parse("a\n1\n", {.states = states}); });
  }
}

TEST(FeatureFile, FilesOfACohortAgree) {
  const test::TemporaryFolder folder;
  const auto one = folder.write("sub-01_features.tsv", "a\tb\n1\t2\n3\t4\n");
  const auto two = folder.write("sub-02_features.tsv", "a\tb\n5\t6\n7\t8\n");
  const auto wide = folder.write("sub-03_features.tsv", "a\tb\tc\n1\t2\t3\n4\t5\t6\n");
  const auto renamed = folder.write("sub-01_run-2_features.tsv", "b\ta\n1\t2\n3\t4\n");
  const std::vector<std::filesystem::path> good{one, two};
  const auto cohort = read_scores_cohort(good, two_states);
  EXPECT_EQ(cohort.participants[1].features, (Strings{"a", "b"}));
  EXPECT_EQ(cohort.participants[1].trials[0].scores.values(1, 1), 8);
  const std::vector<std::filesystem::path> widths{one, wide};
  expect_error(ErrorKind::bad_data, {"2 features", "3 features", "agree"},
               [&] { (void)read_scores_cohort(widths, two_states); });
  const std::vector<std::filesystem::path> names{one, renamed};
  expect_error(ErrorKind::bad_data, {"name the features of sub-01", "same order"},
               [&] { (void)read_scores_cohort(names, two_states); });
}

TEST(FeatureFile, CannotBeWrittenAsScores) {
  const test::TemporaryFolder folder;
  const auto participant = parse("a\tattended\n1\tleft\n2\tright\n").participant;
  expect_error(ErrorKind::invalid_argument, {"every speaker needs one column"},
               [&] { write_scores(folder.path() / "x.tsv", participant); });
}

}  // namespace
}  // namespace heed::io
