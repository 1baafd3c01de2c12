// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>
#include <io/discovery.h>

#include <algorithm>
#include <cstdlib>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using Paths = std::vector<std::filesystem::path>;
using Strings = std::vector<std::string>;

constexpr std::string_view two_windows = "onset\tleft\tright\n0\t0.1\t0.2\n1\t0.3\t0.4\n";

Strings ids(const ScoresCohort& cohort) {
  Strings result;
  for (const auto& participant : cohort.participants) result.push_back(participant.id);
  return result;
}

Strings trial_names(const ScoredParticipant& participant) {
  Strings result;
  for (const auto& trial : participant.trials) result.push_back(trial.name);
  return result;
}

void expect_bad(const Paths& paths, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)read_scores_cohort(paths); });
}

TEST(Cohort, AFileWithoutSubIsAParticipant) {
  const TemporaryFolder folder;
  const Paths paths{folder.write("carol.tsv", two_windows), folder.write("alice_scores.tsv", two_windows),
                    folder.write("bob_scores.tsv", two_windows)};
  EXPECT_EQ(ids(read_scores_cohort(paths)), (Strings{"alice", "bob", "carol"}));
}

TEST(Cohort, FilesOfTheSameSubAreOneParticipantsTrials) {
  const TemporaryFolder folder;
  const Paths paths{folder.write("sub-01_run-10_scores.tsv", two_windows),
                    folder.write("sub-02_run-1_scores.tsv", two_windows),
                    folder.write("sub-01_run-2_scores.tsv", "trial\tleft\tright\nx\t1\t2\ny\t3\t4\n")};
  const ScoresCohort cohort = read_scores_cohort(paths);
  ASSERT_EQ(ids(cohort), (Strings{"01", "02"}));
  // By number, not by letter: run 2 before run 10.
  EXPECT_EQ(trial_names(cohort.participants[0]), (Strings{"sub-01_run-2/x", "sub-01_run-2/y", "sub-01_run-10"}));
  EXPECT_EQ(cohort.participants[0].trials[1].scores.values(0, 0), 3);
  // A participant of one file keeps its trials' names.
  EXPECT_EQ(trial_names(cohort.participants[1]), Strings{""});
  // Only the file without onsets warns, by its name.
  ASSERT_EQ(cohort.warnings.size(), 1U);
  EXPECT_TRUE(cohort.warnings[0].starts_with(paths[2].string() + ": ")) << cohort.warnings[0];
}

// On a disk that does not tell them apart, the results of one replaced those of the other.
TEST(Cohort, ParticipantsThatDifferInCaseOnlyAreAnError) {
  const TemporaryFolder folder;
  const auto scores_of = [&](const char* name) { return folder.write(name, two_windows); };
  expect_bad({scores_of("sub-a_scores.tsv"), scores_of("sub-b_scores.tsv"), scores_of("sub-A_scores.tsv")},
             {"sub-a_scores.tsv", "differs from A", "case", "rename"});
  expect_bad({scores_of("eve.tsv"), scores_of("EVE_scores.tsv")}, {"eve", "differs from EVE"});
}

TEST(Cohort, TheOrderGivenDoesNotMatter) {
  const TemporaryFolder folder;
  Paths paths;
  for (const char* const name :
       {"sub-1_run-1", "sub-1_run-2", "sub-2_run-1", "sub-10_run-1", "x", "x1", "x01a", "x1a"}) {
    paths.push_back(folder.write(std::string(name) + "_scores.tsv", two_windows));
  }
  const Paths sorted = find_files(paths, scores_ending);
  std::ranges::sort(paths);
  do {
    ASSERT_EQ(find_files(paths, scores_ending), sorted);
  } while (std::ranges::next_permutation(paths).found && paths.front() == sorted.front());
  EXPECT_EQ(ids(read_scores_cohort(paths)), (Strings{"1", "2", "10", "x1", "x01a", "x1a", "x"}));
}

TEST(Cohort, FoldersAreSearchedToTheBottom) {
  const TemporaryFolder folder;
  folder.write("study/sub-02/eeg/sub-02_scores.tsv", two_windows);
  folder.write("study/sub-01/eeg/sub-01_scores.tsv", two_windows);
  folder.write("study/sub-01/eeg/sub-01_posterior.tsv", "not scores");
  folder.write("study/sub-01/eeg/sub-01_scores.json", R"({"WindowLength": 1})");
  folder.write("study/scores.tsv", "not scores");
  EXPECT_EQ(ids(read_scores_cohort(Paths{folder.path()})), (Strings{"01", "02"}));
  EXPECT_EQ(ids(read_scores_cohort(Paths{folder.path() / "study/sub-02", folder.path() / "study/sub-01"})),
            (Strings{"01", "02"}));
}

TEST(Cohort, SaysWhatIsNotThere) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::invalid_argument, {"no files"}, [] { (void)read_scores_cohort(Paths{}); });
  expect_error(ErrorKind::not_found, {folder.path().string(), "_scores.tsv"},
               [&] { (void)read_scores_cohort(Paths{folder.path()}); });
  expect_error(ErrorKind::not_found, {"no_scores.tsv"},
               [&] { (void)read_scores_cohort(Paths{folder.path() / "no_scores.tsv"}); });
  // A link whose file was not fetched is said, not passed over.
  std::filesystem::create_symlink("gone", folder.path() / "sub-01_scores.tsv");
  expect_error(ErrorKind::not_found, {"sub-01_scores.tsv"}, [&] { (void)read_scores_cohort(Paths{folder.path()}); });
}

TEST(Cohort, RefusesAFileGivenTwice) {
  const TemporaryFolder folder;
  const auto file = folder.write("sub-01_scores.tsv", two_windows);
  expect_bad({file, file}, {file.string(), "twice"});
  expect_bad({file, folder.path()}, {"twice"});
  expect_bad({file, folder.path() / "." / "sub-01_scores.tsv"}, {"twice"});
  const auto link = folder.path() / "sub-02_scores.tsv";
  std::filesystem::create_symlink(file, link);
  expect_bad({file, link}, {"twice"});
}

void expect_choice(const std::string& key) {
  const TemporaryFolder folder;
  folder.write("sub-01_" + key + "-a_scores.tsv", two_windows);
  folder.write("sub-01_" + key + "-b_scores.tsv", two_windows);
  folder.write("sub-02_" + key + "-a_scores.tsv", two_windows);
  expect_bad({folder.path()}, {"sub-01", key + "-a, " + key + "-b"});
}

TEST(Cohort, RefusesAlternativesOfOneParticipantAndNamesTheChoice) {
  for (const char* const key : {"window", "decoder", "desc"}) expect_choice(key);
  const TemporaryFolder folder;
  expect_bad({folder.write("sub-01_scores.tsv", two_windows), folder.write("sub-01_desc-ls_scores.tsv", two_windows)},
             {"desc-ls, none"});
}

TEST(Cohort, RefusesFilesThatDoNotAgreeAndNamesBoth) {
  const TemporaryFolder folder;
  const auto first = folder.write("sub-01_scores.tsv", two_windows);
  const auto three = folder.write("sub-02_scores.tsv", "onset\ta\tb\tc\n0\t1\t2\t3\n1\t1\t2\t3\n");
  expect_bad({first, three}, {first.string(), "2 speakers", three.string(), "3 speakers"});
  const auto longer = folder.write("sub-03_scores.tsv", "onset\tleft\tright\n0\t1\t2\n5\t1\t2\n");
  expect_bad({first, longer}, {first.string(), "1 s", longer.string(), "5 s"});
  const auto odds = folder.write("sub-04_scores.tsv", two_windows);
  folder.write("sub-04_scores.json", R"({"ScoreType": "log-odds"})");
  expect_bad({first, odds}, {first.string(), "correlations", odds.string(), "log-odds"});
  // The same inside a participant, where the names must agree as well.
  const auto other_run = folder.write("sub-01_run-2_scores.tsv", "onset\tleft\tright\n0\t1\t2\n5\t1\t2\n");
  expect_bad({first, other_run}, {first.string(), other_run.string(), "5 s"});
  const auto swapped = folder.write("sub-01_run-3_scores.tsv", "onset\tright\tleft\n0\t1\t2\n1\t1\t2\n");
  expect_bad({first, swapped}, {first.string(), swapped.string(), "same order"});
  // Other participants may name their speakers as they like.
  const auto named = folder.write("sub-05_scores.tsv", "onset\tmale\tfemale\n0\t1\t2\n1\t1\t2\n");
  EXPECT_EQ(read_scores_cohort(Paths{first, named}).participants.size(), 2U);
}

TEST(Cohort, FilesCalledAlikeAreToldApartByPath) {
  const TemporaryFolder folder;
  const auto a = folder.write("a/listener_scores.tsv", two_windows);
  const auto b = folder.write("b/listener_scores.tsv", two_windows);
  EXPECT_EQ(ids(read_scores_cohort(Paths{b, a})), (Strings{"listener", b.generic_string()}));
  const auto c = folder.write("c/sub-01_scores.tsv", two_windows);
  const auto d = folder.write("d/sub-01_scores.tsv", two_windows);
  const ScoresCohort cohort = read_scores_cohort(Paths{c, d});
  ASSERT_EQ(cohort.participants.size(), 1U);
  EXPECT_EQ(trial_names(cohort.participants[0]), (Strings{"sub-01", d.generic_string()}));
}

TEST(Cohort, ErrorsInsideAFileNameIt) {
  const TemporaryFolder folder;
  const auto bad = folder.write("sub-01_scores.tsv", "left\tright\n1\tx\n");
  expect_bad({bad}, {bad.string() + ": row 2, column right"});
}

constexpr std::string_view two_posteriors = "onset\tleft\tright\tdecision\n0\t0.1\t0.9\tright\n1\t1\t0\tleft\n";

TEST(Cohort, PosteriorFilesGroupLikeScores) {
  const TemporaryFolder folder;
  folder.write("sub-01_run-1_posterior.tsv", two_posteriors);
  folder.write("sub-01_run-2_posterior.tsv", two_posteriors);
  folder.write("sub-02_posterior.tsv", two_posteriors);
  folder.write("sub-02_scores.tsv", two_windows);
  const PosteriorsCohort cohort = read_posteriors_cohort(Paths{folder.path()});
  ASSERT_EQ(cohort.participants.size(), 2U);
  EXPECT_EQ(cohort.participants[0].id, "01");
  ASSERT_EQ(cohort.participants[0].trials.size(), 2U);
  EXPECT_EQ(cohort.participants[0].trials[1].name, "sub-01_run-2");
  EXPECT_EQ(cohort.participants[0].trials[1].decisions.states, (std::vector<Speaker>{1, 0}));
  EXPECT_EQ(cohort.participants[1].id, "02");
}

TEST(Cohort, PosteriorFilesMustAgreeOnTheLookAhead) {
  const TemporaryFolder folder;
  const auto causal = folder.write("sub-01_posterior.tsv", two_posteriors);
  const auto smooth = folder.write("sub-02_posterior.tsv", two_posteriors);
  folder.write("sub-01_posterior.json", R"({"LookAhead": 0})");
  folder.write("sub-02_posterior.json", R"({"LookAhead": "end of trial"})");
  expect_error(ErrorKind::bad_data,
               {causal.string(), "a look-ahead of 0 s", smooth.string(), "to the end of the trial"}, [&] {
                 (void)read_posteriors_cohort(Paths{causal, smooth});
               });
  folder.write("sub-01_posterior.json", R"({"LookAhead": "end of trial"})");
  EXPECT_EQ(read_posteriors_cohort(Paths{causal, smooth}).participants.size(), 2U);
}

// Files of the folder named by HEED_TEST_DATA whose name holds `part`.
Paths real_files(const std::filesystem::path& folder, const std::string& part) {
  Paths result;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().find(part) != std::string::npos) result.push_back(entry.path());
  }
  return result;
}

void expect_eight_listeners(const ScoresCohort& cohort, const Strings& speakers, Index windows) {
  EXPECT_TRUE(cohort.warnings.empty());
  ASSERT_EQ(cohort.participants.size(), 8U);
  for (const ScoredParticipant& participant : cohort.participants) {
    EXPECT_EQ(participant.speakers, speakers);
    ASSERT_EQ(participant.trials.size(), 1U);
    const ScoredTrial& trial = participant.trials[0];
    EXPECT_EQ(trial.scores.window, Seconds{1});
    EXPECT_EQ(trial.scores.values.rows(), windows);
    EXPECT_TRUE(trial.scores.values.allFinite());
    EXPECT_EQ(std::ranges::count(trial.attention.attended, unknown_speaker), 0);
  }
}

constexpr std::string_view long_windows = "onset\tleft\tright\n0\t0.5\t0.2\n10\t0.3\t0.4\n";

TEST(WindowedCohort, TakesAParticipantsFilesApartByWindowLength) {
  const TemporaryFolder folder;
  const Paths paths{folder.write("sub-01_window-10s_scores.tsv", long_windows),
                    folder.write("sub-01_run-1_window-1s_scores.tsv", two_windows),
                    folder.write("sub-01_run-2_window-1s_scores.tsv", two_windows),
                    folder.write("sub-02_window-10s_scores.tsv", long_windows), folder.write("eve.tsv", two_windows)};
  const WindowedCohort cohort = read_scores_by_window(paths);
  ASSERT_EQ(cohort.participants.size(), 3U);
  EXPECT_EQ(cohort.participants[0].id, "eve");
  const WindowedScores& first = cohort.participants[1];
  EXPECT_EQ(first.id, "01");
  ASSERT_EQ(first.lengths.size(), 2U) << "the shortest first";
  EXPECT_EQ(first.lengths[0].trials[0].scores.window, Seconds{1});
  EXPECT_EQ(trial_names(first.lengths[0]), (Strings{"sub-01_run-1_window-1s", "sub-01_run-2_window-1s"}));
  EXPECT_EQ(first.lengths[1].trials[0].scores.window, Seconds{10});
  EXPECT_EQ(cohort.participants[2].lengths.size(), 1U) << "participants need not have the same lengths";
  EXPECT_TRUE(cohort.warnings.empty());
}

TEST(WindowedCohort, RefusesWhatMakesNoCurve) {
  const auto expect_refused = [](const Paths& paths, std::initializer_list<std::string_view> words) {
    expect_error(ErrorKind::bad_data, words, [&] { (void)read_scores_by_window(paths); });
  };
  const TemporaryFolder folder;
  const auto one = folder.write("sub-01_window-1s_scores.tsv", two_windows);
  expect_refused({one, folder.write("sub-01_window-01s_scores.tsv", two_windows)},
                 {"participant 01", "windows of 1 s", "give them once"});
  expect_refused({one, folder.write("sub-01_decoder-a_window-10s_scores.tsv", long_windows)},
                 {"sub-01", "differ in decoder-", "decoder-a, none"});
  expect_refused({one, folder.write("sub-01_window-20s_scores.tsv", "onset\ta\tb\n0\t1\t2\n20\t1\t2\n")},
                 {"participant 01", "windows of 1 s and of 20 s", "differ in speakers"});
  expect_error(ErrorKind::not_found, {"nowhere"}, [] { (void)read_scores_by_window(Paths{"nowhere"}); });
}

TEST(Cohort, ReadsRealScores) {
  const char* const data = std::getenv("HEED_TEST_DATA");
  if (data == nullptr || *data == '\0') GTEST_SKIP() << "HEED_TEST_DATA is not set: no real scores to read";
  const std::filesystem::path folder(data);
  const ScoresCohort kul = read_scores_cohort(real_files(folder / "kul-scores", "_window-01s_scores.tsv"));
  expect_eight_listeners(kul, {"left", "right"}, 4320);
  EXPECT_EQ(ids(kul).front(), "01");
  // The mean accuracy of the raw scores is known from elsewhere: 58.16 %.
  double accuracy = 0;
  for (const ScoredParticipant& participant : kul.participants) {
    const Matrix& values = participant.trials[0].scores.values;
    accuracy += static_cast<double>((values.col(0).array() > values.col(1).array()).count()) / 4320 / 8;
  }
  EXPECT_NEAR(accuracy, 0.5816, 0.003);
  for (const char* const decoder : {"cnn", "ridge"}) {
    const auto etard =
        read_scores_cohort(real_files(folder / "etard-scores", std::string("decoder-") + decoder + "_scores.tsv"));
    expect_eight_listeners(etard, {"male", "female"}, 1167);
    // Male is attended until 573 s, female from then on.
    const auto& attended = etard.participants[0].trials[0].attention.attended;
    EXPECT_EQ(std::ranges::count(attended, 0), std::ranges::find(attended, 1) - attended.begin());
  }
  expect_bad({folder / "kul-scores"}, {"sub-01", "window-01s, window-05s"});
  expect_bad({folder / "etard-scores"}, {"sub-00", "decoder-cnn, decoder-ridge"});
}

}  // namespace
}  // namespace heed::io
