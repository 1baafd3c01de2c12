// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/study/paper_summary.h>

namespace heed::report {
namespace {

std::string text_in(const TableCell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? *text : "n/a";
}

// Six listeners, all of them right 90 % of the time with the causal model and 80 % (or as asked) with the other.
std::vector<StudyResult> six_listeners(double other, std::vector<KnownVerdict> known = {}) {
  StudyResult result{.study = {.name = "one", .title = "One", .paper = "Section V"}};
  result.study.claims = {{.kind = ClaimKind::less,
                          .text = "The Markov chain is less accurate.",
                          .measure = "accuracy",
                          .setting = {{"tracker", "markov-chain"}},
                          .other = {{"tracker", "causal"}},
                          .place = "Section V-B",
                          .because = "evidence is weighed",
                          .if_not = "it was tuned",
                          .headline = true,
                          .known = std::move(known)}};
  ResultTable table{{"tracker", "participant", "accuracy"}, {}};
  for (int k = 1; k <= 6; ++k) {
    const std::string who = "sub-0" + std::to_string(k);
    table.rows.push_back({"causal", who, 0.9 + (0.002 * k)});
    table.rows.push_back({"markov-chain", who, other + (0.004 * k)});
  }
  result.tables.push_back({"tracking", std::move(table)});
  return {result};
}

TEST(PaperSummary, SaysWhatHoldsWithItsNumberAndWhatThatTells) {
  const auto said = three_sentences(six_listeners(0.8), false);
  ASSERT_EQ(said.size(), 3U);
  EXPECT_TRUE(said[0].starts_with("The paper claims that a hidden Markov model ")) << said[0];
  EXPECT_EQ(said[1],
            "Of its 1 claim tested on these real listeners, 1 holds, 0 do not, and 0 cannot be told; that the Markov "
            "chain is less accurate holds, with Markov chain: 81.4 %; causal HMM: 90.7 %, p = 0.031, n = 6.");
  EXPECT_EQ(said[2], "Where it differs: evidence is weighed.");
}

TEST(PaperSummary, SaysWhyWhereSomethingFailsHereOrElsewhere) {
  EXPECT_EQ(three_sentences(six_listeners(0.95), true)[2], "Where it differs: it was tuned.");
  const auto elsewhere = six_listeners(0.8, {{"real EEG", false, "no"}, {"real scores", std::nullopt, "?"}});
  const auto said = three_sentences(elsewhere, false);
  EXPECT_NE(said[1].find("; on the cohorts of reference 0 hold and 1 do not (real EEG), 0 and 0 (real scores); that"),
            std::string::npos)
      << said[1];
  EXPECT_EQ(said[2], "Where it differs: it was tuned; evidence is weighed.");
}

TEST(PaperSummary, AReasonThatNobodyKnowsIsSaidToBeUnknown) {
  auto studies = six_listeners(0.95);
  studies[0].study.claims[0].if_not.clear();
  EXPECT_EQ(three_sentences(studies, false)[2],
            "Where it differs: no reason is known why this fails: the Markov chain is less accurate (here).");
  studies[0].study.claims.clear();
  EXPECT_EQ(three_sentences(studies, false)[2], "Nothing that can be told differs from the paper.");
}

TEST(PaperSummary, SetsCohortsSideBySide) {
  const Table table = cohort_table(six_listeners(0.8, {{"simulated", false, "0.1 points (95 %), and more"}}));
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[4].heading, "The Markov chain is less accurate");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(text_in(table.rows[0][0]), "this one");
  EXPECT_EQ(std::get<std::optional<double>>(table.rows[0][1]), std::optional(1.0));
  EXPECT_EQ(text_in(table.rows[1][0]), "simulated");
  EXPECT_EQ(std::get<std::optional<double>>(table.rows[1][2]), std::optional(1.0));
  EXPECT_EQ(text_in(table.rows[1][4]), "does not hold: 0.1 points (95 %)") << "no more than how it begins";
}

TEST(PaperSummary, CountsWhatIsBeyondThePaperApart) {
  auto studies = six_listeners(0.8);
  EXPECT_EQ(beyond_in_words(studies), "");
  studies[0].study.claims[0].place.clear();
  EXPECT_EQ(beyond_in_words(studies), "Of 1 claim beyond the paper, 1 holds, 0 do not, and 0 cannot be told.");
}

}  // namespace
}  // namespace heed::report
