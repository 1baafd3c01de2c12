// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/study_cohort.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::study {
namespace {

using pipeline::DecoderKind;
namespace fs = std::filesystem;

// Ten windows of so many seconds, the first speaker attended.
std::string scores_text(double window, const std::string& speakers = "left\tright") {
  std::string text = "onset\tduration\tattended\t" + speakers + "\n";
  for (int t = 0; t < 10; ++t) {
    text += std::to_string(t * window) + "\t" + std::to_string(window) + "\tleft\t0.1\t0.0" + std::to_string(t);
    if (speakers == "left\tcentre\tright") text += "\t0.01";
    text += "\n";
  }
  return text;
}

class ScoreFilesCohort : public testing::Test {
 protected:
  std::unique_ptr<Cohort> read(std::optional<std::size_t> participants = {}) {
    const std::vector<fs::path> paths{folder_.path()};
    return score_files_cohort(paths, participants);
  }
  test::TemporaryFolder folder_;
};

TEST_F(ScoreFilesCohort, IsWhatTheFilesHold) {
  folder_.write("sub-01_scores.tsv", scores_text(1));
  folder_.write("sub-02_scores.tsv", scores_text(1));
  const auto cohort = read();
  EXPECT_EQ(cohort->describe(),
            "score files of 2 participants, 2 speakers; the files name no decoder, and one correlation per speaker is "
            "taken to be that of least squares");
  EXPECT_FALSE(cohort->decodes());
  EXPECT_EQ(cohort->baseline_decoder(), DecoderKind::least_squares);
  EXPECT_FALSE(cohort->obstacle({}, {1}));
  const std::vector<ScoresWanted> wanted{{{}, {{1}}}};
  EXPECT_EQ(cohort->scores(1, wanted)[0].lengths.at(0).id, "02");
  EXPECT_EQ(read(1)->participants(2).size(), 1U);
}

// A name that heed does not know is taken for nothing else.
TEST_F(ScoreFilesCohort, KeepsDecodersItDoesNotKnow) {
  folder_.write("sub-01_decoder-cnn_scores.tsv", scores_text(1));
  folder_.write("sub-02_decoder-cnn_scores.tsv", scores_text(1));
  const auto cohort = read();
  EXPECT_EQ(cohort->describe(), "score files of 2 participants, 2 speakers");
  EXPECT_FALSE(cohort->baseline_decoder());
  EXPECT_FALSE(cohort->obstacle({}, {1}));
}

TEST_F(ScoreFilesCohort, SaysWhatNeedsEegOrOtherFiles) {
  folder_.write("sub-01_window-1s_scores.tsv", scores_text(1));
  folder_.write("sub-02_window-1s_scores.tsv", scores_text(1));
  const auto cohort = read();
  const auto decoder = cohort->obstacle({.decoder = DecoderKind::cca}, {1});
  ASSERT_TRUE(decoder);
  EXPECT_NE(decoder->find("needs EEG, or score files with decoder-cca"), std::string::npos) << *decoder;
  const auto window = cohort->obstacle({}, {5});
  ASSERT_TRUE(window);
  EXPECT_NE(window->find("windows of 5 s"), std::string::npos) << *window;
  EXPECT_TRUE(cohort->obstacle({.longest_lag = {0.5}}, {1}));
  EXPECT_TRUE(cohort->obstacle({.speakers = 3}, {1}));
}

TEST_F(ScoreFilesCohort, TakesSeveralWindowsAndDecoders) {
  for (const char* id : {"sub-01", "sub-02"}) {
    for (const char* decoder : {"ls", "cca"}) {
      for (const int window : {1, 5}) {
        folder_.write(std::string(id) + "_window-" + std::to_string(window) + "s_desc-" + decoder + "_scores.tsv",
                      scores_text(window));
      }
    }
  }
  const auto cohort = read();
  EXPECT_EQ(cohort->baseline_decoder(), DecoderKind::cca) << "the paper's";
  EXPECT_FALSE(cohort->obstacle({.decoder = DecoderKind::least_squares}, {5}));
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::least_squares}, {{1}, {5}}}};
  EXPECT_EQ(cohort->scores(0, wanted)[0].lengths.at(1).trials.at(0).scores.window, Seconds{5});
}

TEST_F(ScoreFilesCohort, ItsDigestFollowsTheFiles) {
  folder_.write("sub-01_scores.tsv", scores_text(1));
  folder_.write("sub-02_scores.tsv", scores_text(1));
  const std::string before = read()->digest(2, 0);
  folder_.write("sub-01_scores.tsv", scores_text(2));
  folder_.write("sub-02_scores.tsv", scores_text(2));
  EXPECT_NE(before, read()->digest(2, 0));
}

TEST_F(ScoreFilesCohort, RefusesDecodersItCannotTellApart) {
  folder_.write("sub-01_desc-ridge_scores.tsv", scores_text(1));
  folder_.write("sub-01_desc-cnn_scores.tsv", scores_text(1));
  test::expect_error(ErrorKind::bad_data, {"several decoders", "decoder-ls"}, [&] { (void)read(); });
}

TEST_F(ScoreFilesCohort, RefusesScoresWithoutLabels) {
  folder_.write("sub-01_scores.tsv", "left\tright\n0.1\t0.2\n0.3\t0.1\n");
  folder_.write("sub-02_scores.tsv", scores_text(1));
  test::expect_error(ErrorKind::bad_data, {"01", "attended"}, [&] { (void)read(); });
}

TEST_F(ScoreFilesCohort, RefusesParticipantsWithOtherSpeakers) {
  folder_.write("sub-01_scores.tsv", scores_text(1));
  folder_.write("sub-02_scores.tsv", scores_text(1, "left\tcentre\tright"));
  test::expect_error(ErrorKind::bad_data, {"02", "3 speakers"}, [&] { (void)read(); });
}

}  // namespace
}  // namespace heed::study
