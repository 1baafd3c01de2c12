// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/single_listener.h>

#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::study {
namespace {

namespace fs = std::filesystem;

// Trials "1" to "n" of four windows each; the score of window t of trial k is k + t / 10.
std::string trials_text(int trials, int window = 1) {
  std::string text = "onset\ttrial\tleft\tright\tattended\n";
  for (int k = 1; k <= trials; ++k) {
    for (int t = 0; t < 4; ++t) {
      text += std::to_string(t * window) + "\t" + std::to_string(k) + "\t0." + std::to_string(k) + std::to_string(t) +
              "\t0.1\tleft\n";
    }
  }
  return text;
}

class SingleListener : public testing::Test {
 protected:
  std::unique_ptr<Cohort> parted() {
    const std::vector<fs::path> paths{folder_.path()};
    return parted_if_alone(score_files_cohort(paths));
  }
  test::TemporaryFolder folder_;
};

TEST_F(SingleListener, IsPartsOfTrialsThatFollowEachOther) {
  folder_.write("sub-01_scores.tsv", trials_text(6));
  const auto cohort = parted();
  EXPECT_EQ(cohort->participants(2), (std::vector<std::string>{"01_part-1", "01_part-2", "01_part-3", "01_part-4"}));
  EXPECT_NE(cohort->describe().find("1 participant, 2 speakers"), std::string::npos) << cohort->describe();
  EXPECT_NE(cohort->describe().find("nothing is said of other listeners"), std::string::npos);
  const std::vector<ScoresWanted> wanted{{{}, {{1}}}};
  std::vector<std::string> trials;
  for (std::size_t part = 0; part < 4; ++part) {
    const ScoredParticipant scores = cohort->scores(part, wanted)[0].lengths.at(0);
    EXPECT_EQ(scores.id, cohort->participants(2)[part]);
    EXPECT_FALSE(scores.trials.empty());
    for (const ScoredTrial& trial : scores.trials) {
      EXPECT_DOUBLE_EQ(trial.scores.values(0, 0), std::stod("0." + trial.name + "0"));
      trials.push_back(trial.name);
    }
  }
  EXPECT_EQ(trials, (std::vector<std::string>{"1", "2", "3", "4", "5", "6"})) << "each once, in order";
  EXPECT_NE(cohort->digest(2, 0), cohort->digest(2, 1));
}

TEST_F(SingleListener, HasAsManyPartsAsTrials) {
  folder_.write("sub-01_scores.tsv", trials_text(1));
  EXPECT_EQ(parted()->participants(2).size(), 1U);
  folder_.write("sub-01_scores.tsv", trials_text(2));
  EXPECT_EQ(parted()->participants(2).size(), 2U);
}

TEST_F(SingleListener, SeveralListenersStayAsTheyAre) {
  folder_.write("sub-01_scores.tsv", trials_text(2));
  folder_.write("sub-02_scores.tsv", trials_text(2));
  EXPECT_EQ(parted()->participants(2), (std::vector<std::string>{"01", "02"}));
}

TEST_F(SingleListener, NeedsScoresOfTheBaseline) {
  folder_.write("sub-01_window-5s_scores.tsv", trials_text(2, 5));
  test::expect_error(ErrorKind::bad_data, {"participant 01", "windows of 1 s"}, [&] { (void)parted(); });
}

TEST(ListenerOf, ForgetsParts) {
  EXPECT_EQ(listener_of("01_part-2"), "01");
  EXPECT_EQ(listener_of("01"), "01");
}

}  // namespace
}  // namespace heed::study
