// SPDX-License-Identifier: MIT
// Columns, labels and scores of a score file; score_windows_test.cpp has the clock.
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/io_redirect.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using Labels = std::vector<Speaker>;
using Strings = std::vector<std::string>;

void expect_bad(std::string_view table, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_scores(table); });
}

void expect_bad_sidecar(std::string_view sidecar, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_scores("left\tright\n0\t1\n", sidecar); });
}

bool is_missing(const ScoredTrial& trial, Index t) { return trial.scores.values.row(t).array().isNaN().all(); }

TEST(ScoreFile, ReadsWhatTheRealOnesLookLike) {
  const ScoreFile file = parse_scores(
      "onset\tleft\tright\tattended\n"
      "0\t-0.283596\t0.214178\tleft\n"
      "1\t-0.292901\t0.0693735\tright\n");
  EXPECT_TRUE(file.warnings.empty());
  EXPECT_EQ(file.participant.speakers, (Strings{"left", "right"}));
  EXPECT_EQ(file.participant.type, ScoreType::correlation);
  ASSERT_EQ(file.participant.trials.size(), 1U);
  const ScoredTrial& trial = file.participant.trials[0];
  EXPECT_EQ(trial.name, "");
  EXPECT_EQ(trial.onset, Seconds{0});
  EXPECT_EQ(trial.scores.window, Seconds{1});
  Matrix expected(2, 2);
  expected << -0.283596, 0.214178, -0.292901, 0.0693735;
  EXPECT_EQ(trial.scores.values, expected);
  EXPECT_EQ(trial.attention.attended, (Labels{0, 1}));
}

TEST(ScoreFile, ReservedColumnsMayStandAnywhereAndAreNoSpeakers) {
  const ScoreFile file = parse_scores(
      "c\tdecision\ta\tattended\tduration\tb\ttrial\tonset\n"
      "1\ta\t2\tb\t0.5\t3\tfirst\t0\n");
  EXPECT_EQ(file.participant.speakers, (Strings{"c", "a", "b"}));
  const ScoredTrial& trial = file.participant.trials.at(0);
  EXPECT_EQ(trial.name, "first");
  EXPECT_EQ(trial.scores.values, (Matrix(1, 3) << 1, 2, 3).finished());
  EXPECT_EQ(trial.attention.attended, Labels{2});
}

TEST(ScoreFile, TellsPosteriorsFromScores) {
  const std::string posteriors = "onset\ta\tb\tdecision\n0\t0.9\t0.1\ta\n1\t0.335\t0.665\tb\n";
  expect_bad(posteriors, {"posteriors, not scores", "evaluated as they are", "emission probability"});
  EXPECT_EQ(parse_scores(posteriors, {}, {.probabilities = true}).participant.trials.at(0).scores.values(1, 1), 0.665);
  // Each of these is told from posteriors by one thing.
  for (const char* scores : {"onset\ta\tb\n0\t0.9\t0.1\n1\t0.335\t0.665\n",                 // no decision
                             "onset\ta\tb\tdecision\n0\t0.9\t0.1\ta\n1\t0.3\t0.665\tb\n",   // a sum
                             "onset\ta\tb\tdecision\n0\t0.9\t0.1\ta\n1\t-0.5\t1.5\tb\n",    // a range
                             "onset\ta\tb\tdecision\n0\t0.9\t0.1\ta\n1\tn/a\t0.6\tb\n"}) {  // a missing window
    EXPECT_EQ(parse_scores(scores).participant.trials.at(0).scores.values(0, 0), 0.9) << scores;
  }
  EXPECT_EQ(
      parse_scores("onset\tx\ty\tdecision\n0\t0.9\t0.1\ta\n", {}, {.states = {"a", "b"}}).participant.features.size(),
      2U);
}

TEST(ScoreFile, WithoutLabelsAllAreUnknown) {
  const ScoreFile file = parse_scores("onset\ta\tb\n0\t1\t2\n1\t3\t4\n");
  EXPECT_EQ(file.participant.trials.at(0).attention.attended, (Labels{unknown_speaker, unknown_speaker}));
}

TEST(ScoreFile, ARowWithOneMissingScoreIsAMissingWindowThatKeepsItsLabel) {
  const ScoreFile file = parse_scores(
      "onset\ta\tb\tattended\n"
      "0\t1\t2\ta\n"
      "1\tn/a\t2\tb\n"
      "2\tn/a\tn/a\tn/a\n");
  const ScoredTrial& trial = file.participant.trials.at(0);
  EXPECT_FALSE(is_missing(trial, 0));
  EXPECT_TRUE(is_missing(trial, 1));
  EXPECT_TRUE(is_missing(trial, 2));
  EXPECT_EQ(trial.attention.attended, (Labels{0, 1, unknown_speaker}));
}

TEST(ScoreFile, MinusInfinityIsEvidenceOtherNonNumbersAreErrors) {
  const ScoreFile file = parse_scores("a\tb\n-inf\t0\n");
  EXPECT_EQ(file.participant.trials.at(0).scores.values(0, 0), -std::numeric_limits<double>::infinity());
  expect_bad("a\tb\ninf\t0\n", {"row 2, column a", "'inf'", "n/a"});
  expect_bad("a\tb\n0\tnan\n", {"row 2, column b", "'nan'", "n/a"});
  expect_bad("a\tb\n0\tNaN\n", {"'NaN'"});
  expect_bad("a\tb\n0\t-Infinity\n", {"'-Infinity'"});
}

TEST(ScoreFile, RefusesTextInANumber) {
  expect_bad("onset\tleft\tright\n0\t1\t2\n1\tabc\t2\n", {"row 3, column left: 'abc' is not a number"});
  expect_bad("onset\tleft\tright\nzero\t1\t2\n", {"row 2, column onset", "'zero'"});
  expect_bad("duration\tleft\tright\nlong\t1\t2\n", {"row 2, column duration", "'long'"});
  expect_bad("left\tright\n1\t\n", {"row 2, column right: ''"});
}

TEST(ScoreFile, RefusesAFileWithoutWindows) {
  expect_bad("", {"empty"});
  expect_bad("onset\tleft\tright\n", {"no windows"});
}

TEST(ScoreFile, NeedsTwoSpeakers) {
  expect_bad("onset\tleft\n0\t1\n", {"one speaker column (left)", "at least two"});
  expect_bad("onset\tattended\n0\tleft\n", {"no speaker column"});
  expect_bad("onset,left,right\n0,1,2\n", {"one speaker column", "tabs"});
}

TEST(ScoreFile, RefusesUnknownNamesAndListsTheSpeakers) {
  expect_bad("left\tright\tattended\n1\t2\tcentre\n", {"row 2, column attended", "'centre'", "left, right", "n/a"});
  expect_bad("left\tright\tattended\n1\t2\t\n", {"row 2, column attended", "''"});
  expect_bad("left\tright\tattended\n1\t2\tLeft\n", {"'Left'"});
  expect_bad("left\tright\tdecision\n1\t2\tcentre\n", {"row 2, column decision", "'centre'"});
}

TEST(ScoreFile, RefusesColumnsThatCannotBeSpeakers) {
  expect_bad("Onset\tleft\tright\n0\t1\t2\n", {"row 1, column Onset", "'onset'"});
  expect_bad("n/a\tleft\tright\n0\t1\t2\n", {"row 1", "n/a"});
  expect_bad("left\tright\tleft\n0\t1\t2\n", {"'left'"});
}

TEST(ScoreFile, RefusesAFileThatIsAllMissing) {
  expect_bad("left\tright\n1\tn/a\nn/a\t2\n", {"every window is missing"});
}

TEST(ScoreFile, ReadsTheSidecar) {
  const ScoreFile file =
      parse_scores("left\tright\n5\t-7\n", R"({"ScoreType": "log-odds", "WindowLength": 0.5, "x": []})");
  EXPECT_EQ(file.participant.type, ScoreType::log_odds);
  EXPECT_EQ(file.participant.trials.at(0).scores.window, Seconds{0.5});
  EXPECT_TRUE(file.warnings.empty());
  EXPECT_EQ(parse_scores("a\tb\n0\t0\n", R"({"ScoreType": "correlation"})").participant.type, ScoreType::correlation);
}

TEST(ScoreFile, RefusesABadSidecar) {
  expect_bad_sidecar("", {"sidecar", "JSON"});
  expect_bad_sidecar("{", {"sidecar", "JSON", "line 1"});
  expect_bad_sidecar("[1]", {"sidecar", "object"});
  expect_bad_sidecar(R"({"WindowLength": "1 s"})", {"sidecar", "WindowLength", "number"});
  expect_bad_sidecar(R"({"WindowLength": 0})", {"WindowLength", "greater than 0"});
  expect_bad_sidecar(R"({"WindowLength": -1})", {"WindowLength", "greater than 0"});
  expect_bad_sidecar(R"({"WindowLength": 1e999})", {"JSON"});
  expect_bad_sidecar(R"({"ScoreType": "probability"})", {"ScoreType", "probability", "correlation", "log-odds"});
  expect_bad_sidecar(R"({"ScoreType": 1})", {"ScoreType", "text"});
}

TEST(ScoreFile, FindsTheSidecarAndTheParticipantByName) {
  const TemporaryFolder folder;
  const auto table = folder.write("sub-07_scores.tsv", "\xef\xbb\xbfleft\tright\r\n1\t2\r\n");
  EXPECT_EQ(read_scores(table).participant.type, ScoreType::correlation);
  folder.write("sub-07_scores.json", "\xef\xbb\xbf{\"ScoreType\": \"log-odds\",\r\n \"WindowLength\": 2}");
  const ScoreFile file = read_scores(table);
  EXPECT_EQ(file.participant.id, "07");
  EXPECT_EQ(file.participant.speakers, (Strings{"left", "right"}));
  EXPECT_EQ(file.participant.type, ScoreType::log_odds);
  EXPECT_EQ(file.participant.trials.at(0).scores.window, Seconds{2});
}

TEST(ScoreFile, ReadsStandardInput) {
  const TemporaryFolder folder;
  const test::Redirect input(STDIN_FILENO, folder.write("in", "left\tright\n1\t2\n"), O_RDONLY);
  EXPECT_EQ(read_scores("-").participant.id, "stdin");
}

TEST(ScoreFile, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  const auto bad = folder.write("sub-01_scores.tsv", "left\tright\n1\tx\n");
  expect_error(ErrorKind::bad_data, {bad.string() + ": row 2, column right"}, [&] { (void)read_scores(bad); });
  expect_error(ErrorKind::not_found, {"no_scores.tsv"}, [&] { (void)read_scores(folder.path() / "no_scores.tsv"); });
  expect_error(ErrorKind::io, {"directory"}, [&] { (void)read_scores(folder.path()); });
  const auto good = folder.write("sub-02_scores.tsv", "left\tright\n1\t2\n");
  folder.write("sub-02_scores.json", "nonsense");
  expect_error(ErrorKind::bad_data, {good.string(), "sidecar"}, [&] { (void)read_scores(good); });
}

TEST(ScoreFile, ASidecarThatIsADirectoryIsAnError) {
  const TemporaryFolder folder;
  const auto table = folder.write("sub-01_scores.tsv", "left\tright\n1\t2\n");
  std::filesystem::create_directory(folder.path() / "sub-01_scores.json");
  expect_error(ErrorKind::io, {"sub-01_scores.json", "directory"}, [&] { (void)read_scores(table); });
}

}  // namespace
}  // namespace heed::io
