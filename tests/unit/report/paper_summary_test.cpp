// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/study/paper_summary.h>
#include <report/study/result_tables.h>

#include <algorithm>

namespace heed::report {
namespace {

std::string text_in(const TableCell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? *text : "n/a";
}

double number_in(const TableCell& cell) { return std::get<std::optional<double>>(cell).value_or(-1); }

const std::string accuracy_text = "The Markov chain is less accurate.";
const std::string time_text = "The Markov chain is quicker.";

Claim less_at_markov_chain(const std::string& text, const std::string& measure) {
  return {.kind = ClaimKind::less,
          .text = text,
          .measure = measure,
          .setting = {{"tracker", "markov-chain"}},
          .other = {{"tracker", "causal"}},
          .place = "Section V-B"};
}

// Six listeners, right 90 % of the time after 20 s with the causal model; the other as asked.
struct Other {
  double accuracy = 0.8;
  double time = 10;
};
std::vector<StudyResult> six_listeners(const Other& other) {
  StudyResult result{.study = {.name = "one", .title = "One", .paper = "Section V"}};
  result.study.claims = {less_at_markov_chain(accuracy_text, "accuracy"),
                         less_at_markov_chain(time_text, "switch_time")};
  Claim& accuracy = result.study.claims[0];
  accuracy.says = "the causal HMM is more accurate than";
  accuracy.says_if_not = "the causal HMM is less accurate than";
  accuracy.of = "the Markov chain";
  accuracy.headline = "less accurate";
  result.study.reasons = {{.text = "one is quicker and less accurate", .holds = {accuracy_text, time_text}},
                          {.text = "it was tuned", .fails = {accuracy_text}}};
  ResultTable table{{"tracker", "participant", "accuracy", "switch_time"}, {}};
  for (int k = 1; k <= 6; ++k) {
    const std::string who = "sub-0" + std::to_string(k);
    table.rows.push_back({"causal", who, 0.9 + (0.002 * k), 20.0 + k});
    table.rows.push_back({"markov-chain", who, other.accuracy + (0.004 * k), other.time + (k % 2 == 0 ? 2.0 * k : k)});
  }
  result.tables.push_back({"tracking", std::move(table)});
  return {result};
}

KnownVerdict frontier_verdict(const std::string& cohort, std::optional<bool> holds) {
  return {cohort, holds, "+5.2 points at equal time (95 % interval +3.6 to +6.8), causal HMM less Markov chain"};
}

// As they are read: points after their text.
std::vector<std::string> read_aloud(const std::vector<LeadParagraph>& paragraphs) {
  std::vector<std::string> texts;
  for (const LeadParagraph& paragraph : paragraphs) {
    texts.push_back(paragraph.text);
    for (const std::string& point : paragraph.points) texts.back() += " / " + point;
  }
  return texts;
}

std::vector<std::string> said_after_the_claim(const std::vector<StudyResult>& studies) {
  std::vector<std::string> texts = read_aloud(paper_in_short(studies));
  texts.erase(texts.begin());
  texts.pop_back();
  return texts;
}

std::string why_they_differ(const std::vector<StudyResult>& studies) {
  return read_aloud(paper_in_short(studies)).back();
}

TEST(PaperSummary, SaysWhatHoldsAndWhatThatTells) {
  const auto said = read_aloud(paper_in_short(six_listeners({})));
  ASSERT_EQ(said.size(), 3U);
  EXPECT_TRUE(said[0].starts_with("The paper claims that a hidden Markov model ")) << said[0];
  EXPECT_EQ(said[1], "In this cohort, the causal HMM is more accurate than the Markov chain.");
  EXPECT_EQ(said[2], "Where it differs: one is quicker and less accurate.");
}

// Quicker, but no less accurate: nothing says "quicker and less accurate".
TEST(PaperSummary, AReasonNeedsEveryClaimThatItRestsOn) {
  auto studies = six_listeners({.accuracy = 0.891});
  EXPECT_EQ(why_they_differ(studies), "What can be told here (1 of 2 claims) agrees with the paper.");
  studies[0].study.claims[0].known = {{"real EEG", true, "a"}};
  studies[0].study.claims[1].known = {{"real EEG", true, "b"}};
  EXPECT_EQ(why_they_differ(studies), "Where it differs: one is quicker and less accurate (on real EEG).");
  studies[0].study.claims[1].known = {{"real EEG", std::nullopt, "b"}};
  EXPECT_EQ(why_they_differ(studies), "What can be told here (1 of 2 claims) agrees with the paper.");
}

TEST(PaperSummary, SaysOnceWhatSeveralCohortsShow) {
  auto studies = six_listeners({});
  auto& claims = studies[0].study.claims;
  claims[0].known = {{"simulated", true, "x"}, {"real EEG", false, "y"}};
  Claim frontier{.kind = ClaimKind::better_frontier,
                 .text = "F.",
                 .measure = "accuracy",
                 .with = "nowhere",
                 .says = "at equal time the causal HMM is more accurate than",
                 .of = "the Markov chain",
                 .known = {frontier_verdict("simulated", true), frontier_verdict("real EEG", true)}};
  claims.push_back(frontier);
  frontier.of = "longer windows";
  claims.push_back(frontier);
  const std::vector<std::string> expected = {
      "In this cohort and on simulated listeners, the causal HMM is more accurate than the Markov chain.",
      "On simulated listeners and on real EEG, at equal time the causal HMM is more accurate than the Markov chain "
      "(+5.2 and +5.2 points) and longer windows (+5.2 and +5.2 points).",
      "On real EEG, the causal HMM is less accurate than the Markov chain."};
  EXPECT_EQ(said_after_the_claim(studies), expected);
}

TEST(PaperSummary, SaysWhatAgreesWithThePaperFirst) {
  auto studies = six_listeners({.time = 30});
  Claim& time = studies[0].study.claims[1];
  time.says_if_not = "the Markov chain is slower than";
  time.of = "the causal HMM";
  std::ranges::reverse(studies[0].study.claims);
  const std::vector<std::string> expected = {
      "In this cohort: / the causal HMM is more accurate than the Markov chain / but the Markov chain is slower than "
      "the "
      "causal HMM"};
  EXPECT_EQ(said_after_the_claim(studies), expected);
}

// Either of two failures is explained by the same words, which are said once.
TEST(PaperSummary, ReasonsOfTheSameWordsAreOne) {
  auto studies = six_listeners({.time = 30});
  auto& reasons = studies[0].study.reasons;
  reasons = {{.text = "it was tuned", .fails = {accuracy_text}}, {.text = "it was tuned", .fails = {time_text}}};
  EXPECT_EQ(why_they_differ(studies), "Where it differs: it was tuned.");
  studies[0].study.claims[0].known = {{"real EEG", false, "a"}};
  studies[0].study.claims[1].known = {{"real EEG", std::nullopt, "b"}};
  EXPECT_EQ(why_they_differ(studies), "Where it differs: it was tuned.") << "of both cohorts, each by one of the two";
}

TEST(PaperSummary, SaysWhyWhereSomethingFails) {
  auto studies = six_listeners({.accuracy = 0.95, .time = 30});
  EXPECT_EQ(why_they_differ(studies),
            "Where it differs: / it was tuned / no reason is known why this fails: the Markov chain is quicker");
  studies[0].study.claims.clear();
  EXPECT_EQ(why_they_differ(studies), "Whether it agrees with the paper cannot be told here.");
}

TEST(PaperSummary, SetsCohortsSideBySide) {
  auto studies = six_listeners({});
  studies[0].study.claims[0].known = {frontier_verdict("simulated", false)};
  const Table table = cohort_table(studies);
  ASSERT_EQ(table.columns.size(), 6U);
  EXPECT_EQ(table.columns[5].heading, "less accurate");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(text_in(table.rows[0][0]), "this one");
  EXPECT_EQ(number_in(table.rows[0][1]), 2) << "hold";
  EXPECT_EQ(text_in(table.rows[1][0]), "simulated");
  EXPECT_EQ(number_in(table.rows[1][2]), 1) << "does not";
  EXPECT_EQ(number_in(table.rows[1][3]), 0);
  EXPECT_EQ(number_in(table.rows[1][4]), 1) << "what was not tested is not counted among what cannot be told";
  EXPECT_EQ(text_in(table.rows[1][5]), "does not hold, +5.2 (+3.6 to +6.8)");
}

TEST(PaperSummary, ACohortOfReferenceThatIsThisOneIsNotShownTwice) {
  auto studies = six_listeners({});
  auto& claims = studies[0].study.claims;
  for (Claim& claim : claims) {
    const auto verdict = verdict_of(claim, studies[0]);
    claim.known = {{"real scores", verdict.holds, verdict.evidence}};
  }
  const auto elsewhere = [&](std::size_t claim) {
    return verdicts_of(studies[0], other_cohorts(studies)).verdicts[claim].elsewhere;
  };
  EXPECT_EQ(cohort_table(studies).rows.size(), 1U);
  EXPECT_EQ(elsewhere(1), "");
  claims[1].known[0].evidence = "another";
  EXPECT_EQ(cohort_table(studies).rows.size(), 2U);
  EXPECT_EQ(elsewhere(1), "real scores holds");
  EXPECT_EQ(elsewhere(0), "real scores holds") << "another cohort, though it says of this claim what this one does";
}

TEST(PaperSummary, CountsWhatIsBeyondThePaperApart) {
  auto studies = six_listeners({});
  EXPECT_EQ(beyond_in_words(studies), "");
  studies[0].study.claims[0].place.clear();
  EXPECT_EQ(beyond_in_words(studies), "Of 1 claim beyond the paper, 1 holds, 0 do not, 0 cannot be told.");
  studies[0].obstacle = "it needs EEG";
  EXPECT_EQ(beyond_in_words(studies),
            "Of 1 claim beyond the paper, 0 hold, 0 do not, 0 cannot be told, and 1 could not be tested here.");
}

}  // namespace
}  // namespace heed::report
