// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/result_table_file.h>

#include <algorithm>

#include "support/expect_error.h"
#include "support/run_study.h"
#include "support/scored_cohort.h"

namespace heed::study {
namespace {

Study study_of(StudyGrid grid, StudyFigure figure = {}) {
  Study study{.name = "test", .title = "Test"};
  study.grids = {std::move(grid)};
  study.figure = std::move(figure);
  return study;
}

StudyResult run(const Study& study, const Cohort& cohort, const RunOptions& options = {}) {
  const auto settings = settings_of(study);
  return run_study(study, ScoreLibrary(cohort, settings, {}), options);
}

std::string bytes(const StudyResult& result) {
  std::string text;
  for (const NamedTable& table : result.tables) text += table.name + "\n" + io::table_text(table.table);
  return text;
}

const Study sweep = study_of({{"tracker", {"causal", "smooth"}}, {"switch_probability", {0.001, 0.1}}},
                             {.picture = StudyPicture::sweep, .along = "switch_probability", .series = {"tracker"}});

TEST(RunStudy, ARowASettingAndParticipantInTheOrderOfTheGrid) {
  const test::ScoredCohort cohort;
  const StudyResult result = run(sweep, cohort);
  EXPECT_TRUE(result.obstacle.empty()) << result.obstacle;
  const ResultTable* table = result.find("tracking");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 16U);
  EXPECT_EQ(table->rows[4][table->column("switch_probability")], TableValue(0.1));
  EXPECT_EQ(table->rows[8][table->column("tracker")], TableValue("smooth"));
  EXPECT_EQ(cohort.decoded, 4U);
}

TEST(RunStudy, HigherPIsFasterAndLessSteady) {
  const StudyResult result = run(sweep, test::ScoredCohort());
  const ResultTable& table = *result.find("tracking");
  for (std::size_t k = 0; k < 4; ++k) {
    const auto value = [&](std::size_t row, const char* column) {
      return std::get<double>(table.rows[row][table.column(column)]);
    };
    EXPECT_GT(value(k, "accuracy"), value(4 + k, "accuracy"));
    EXPECT_GT(value(k, "switch_time"), value(4 + k, "switch_time"));
  }
}

TEST(RunStudy, GivesTheSameBytesForAnyNumberOfThreads) {
  const test::ScoredCohort cohort;
  EXPECT_EQ(bytes(run(sweep, cohort, {.threads = {1}})), bytes(run(sweep, cohort, {.threads = {3}})));
}

TEST(RunStudy, LeavesOutWhatTheCohortCannotGiveAndSaysSo) {
  const Study windows = study_of({{"window", {1.0, 5.0}}, {"tracker", {"causal", "smooth"}}}, {.series = {"tracker"}});
  const StudyResult result = run(windows, test::ScoredCohort());
  EXPECT_TRUE(result.obstacle.empty());
  EXPECT_EQ(result.find("tracking")->rows.size(), 8U);
  EXPECT_TRUE(std::ranges::any_of(result.notes, [](const Note& note) {
    return note.text.find("window = 5") != std::string::npos &&
           note.text.find("only windows of 1 s") != std::string::npos;
  }));
}

TEST(RunStudy, IsNotApplicableWhereNothingIsLeftToCompare) {
  const Study windows = study_of({{"window", {1.0, 5.0}}}, {.picture = StudyPicture::sweep, .along = "window"});
  const StudyResult result = run(windows, test::ScoredCohort());
  EXPECT_EQ(result.obstacle, "only windows of 1 s");
  EXPECT_TRUE(result.tables.empty());
}

TEST(RunStudy, IsNotApplicableWhereNoClaimCanBeJudged) {
  Study recorded = study_of({{"switch_interval", {"recorded", 300.0, 90.0}}}, {.series = {"switch_interval"}});
  recorded.claims.push_back({.kind = ClaimKind::alike,
                             .measure = "accuracy",
                             .setting = {{"switch_interval", "recorded"}},
                             .other = {{"switch_interval", 300.0}}});
  const test::ScoredCohort sustained({.interval = {{9000}, {9000}}});
  EXPECT_EQ(run(recorded, sustained).obstacle, "no switch of attention was recorded");
  EXPECT_TRUE(run(recorded, test::ScoredCohort()).obstacle.empty());
}

TEST(RunStudy, SaysWhereASpeakerIsASurrogate) {
  const Study speakers = study_of({{"speakers", {2.0, 3.0}}}, {.series = {"speakers"}});
  const StudyResult result = run(speakers, test::ScoredCohort());
  EXPECT_TRUE(result.obstacle.empty()) << result.obstacle;
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].text.find("surrogate"), std::string::npos);
  const ResultTable& table = *result.find("tracking");
  EXPECT_EQ(table.rows.back()[table.column("speakers")], TableValue("3-surrogate")) << "no third conversation";
}

TEST(RunStudy, RunsMethodsForTwoSpeakersOnTwo) {
  const Study three =
      study_of({{"speakers", {3.0}}, {"tracker", {"causal", "smooth", "state-space"}}}, {.series = {"tracker"}});
  const StudyResult result = run(three, test::ScoredCohort());
  EXPECT_TRUE(result.obstacle.empty());
  EXPECT_EQ(result.find("tracking")->rows.size(), 8U);
  EXPECT_TRUE(std::ranges::any_of(
      result.notes, [](const Note& note) { return note.text.find("tracker = state-space") != std::string::npos; }));
}

// The scores of this cohort are correlations throughout; CCA's would be log-odds.
TEST(RunStudy, RunsTheStateSpaceModelOnCorrelations) {
  class LogOdds final : public Cohort {
   public:
    [[nodiscard]] std::string describe() const override { return "log-odds of CCA, correlations of least squares"; }
    [[nodiscard]] std::vector<int> speakers() const override { return {2}; }
    [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
      return pipeline::DecoderKind::cca;
    }
    [[nodiscard]] std::vector<std::string> participants(int) const override { return inner_.participants(2); }
    [[nodiscard]] std::optional<std::string> obstacle(const Decoding&, Seconds) const override { return {}; }
    [[nodiscard]] std::string digest(int, std::size_t k) const override { return inner_.digest(2, k); }
    [[nodiscard]] std::vector<DecodedScores> scores(std::size_t participant,
                                                    std::span<const ScoresWanted> wanted) const override {
      auto all = inner_.scores(participant, wanted);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const bool correlations = wanted[i].decoding.decoder == pipeline::DecoderKind::least_squares;
        for (auto& one : all[i].lengths) one.type = correlations ? ScoreType::correlation : ScoreType::log_odds;
      }
      return all;
    }

   private:
    test::ScoredCohort inner_;
  };
  Study study = study_of({{"tracker", {"causal", "state-space"}}}, {.series = {"tracker"}});
  study.grids.push_back({{"switch_probability", {"as-fast-as-state-space"}}});
  const StudyResult result = run(study, LogOdds());
  ASSERT_TRUE(result.obstacle.empty()) << result.obstacle;
  const ResultTable& table = *result.find("tracking");
  ASSERT_EQ(table.rows.size(), 12U);
  EXPECT_EQ(table.rows[4][table.column("decoder")], TableValue("ls")) << "as it was run";
  EXPECT_EQ(table.rows[0][table.column("decoder")], TableValue("baseline"));
  EXPECT_GT(std::get<double>(table.rows[8][table.column("p")]), 0.001) << "raised";
  EXPECT_NE(result.notes.at(0).text.find("least squares"), std::string::npos);
}

TEST(RunStudy, FollowsAnAverageListenerThroughASwitch) {
  Study trace = study_of({{"tracker", {"raw", "causal", "smooth", "viterbi"}}}, {.picture = StudyPicture::trace});
  trace.measure = StudyMeasure::trace;
  const StudyResult result = run(trace, test::ScoredCohort());
  const ResultTable* table = result.find("trace");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows.size(), 4U * 600);
  std::set<std::string> participants;
  std::set<std::string> attended;
  for (const auto& row : table->rows) {
    participants.insert(data::text_of(row[table->column("participant")]));
    attended.insert(data::text_of(row[table->column("attended")]));
  }
  EXPECT_EQ(participants.size(), 1U);
  EXPECT_EQ(attended.size(), 2U) << "a switch";
  EXPECT_NE(result.notes.at(0).text.find(*participants.begin()), std::string::npos) << result.notes.at(0).text;
}

TEST(RunStudy, CorrelatesScoresWithThemselvesLater) {
  Study lags =
      study_of({{"decoder", {"cca", "ls", "csp", "baseline"}}}, {.picture = StudyPicture::lags, .series = {"decoder"}});
  lags.measure = StudyMeasure::independence;
  const StudyResult result = run(lags, test::ScoredCohort());
  const ResultTable* table = result.find("lags");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows.size(), 2U * 4 * 2 * 30) << "two centrings; CSP is left out, and the baseline is CCA";
  EXPECT_EQ(table->rows[0][table->column("centring")], TableValue("listener"));
  EXPECT_EQ(table->rows[30][table->column("centring")], TableValue("trial"));
  EXPECT_EQ(table->rows[0][table->column("scored_by")], TableValue("cca"));
  EXPECT_EQ(table->rows[0][table->column("lag")], TableValue(1.0));
  EXPECT_NEAR(std::get<double>(table->rows[0][table->column("correlation")]), 0.04, 0.1);
}

TEST(RunStudy, PoolsReliabilityWhereItIsShown) {
  const Study calibration =
      study_of({{"calibrated", {"no", "yes"}}}, {.picture = StudyPicture::reliability, .series = {"calibrated"}});
  const StudyResult result = run(calibration, test::ScoredCohort());
  ASSERT_NE(result.find("reliability"), nullptr);
  EXPECT_EQ(result.find("reliability")->rows.size(), 20U);
}

TEST(RunStudy, LeavesOutIntervalsThatNoSwitchFitsIn) {
  const Study intervals = study_of({{"switch_interval", {60.0, 120.0, 1200.0}}}, {.series = {"switch_interval"}});
  const StudyResult result = run(intervals, test::ScoredCohort());
  EXPECT_EQ(result.find("tracking")->rows.size(), 8U) << "two trials of 600 s hold none after 1200 s";
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes.back().text.find("too short for a switch every 1200 s"), std::string::npos)
      << result.notes.back().text;
}

TEST(RunStudy, WithoutRecordedSwitchesThoseCannotBeCompared) {
  const Study artificial = study_of({{"switch_interval", {"recorded", 300.0}}}, {.series = {"switch_interval"}});
  const test::ScoredCohort cohort({.interval = {{9000}, {9000}}});
  EXPECT_EQ(run(artificial, cohort).obstacle, "no switch of attention was recorded");
}

}  // namespace
}  // namespace heed::study
