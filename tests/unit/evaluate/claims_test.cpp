// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>

#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"

namespace heed::evaluate {
namespace {

using test::expect_error;

// Rows of tracker and window; participants are numbered by their place.
class Results {
 public:
  Results& add(const std::string& tracker, double window, const std::vector<double>& accuracies) {
    for (std::size_t k = 0; k < accuracies.size(); ++k) {
      table_.rows.push_back({tracker, window, std::to_string(k + 1), accuracies[k]});
    }
    return *this;
  }
  operator const ResultTable&() const { return table_; }  // NOLINT(google-explicit-constructor)

 private:
  ResultTable table_{.columns = {"tracker", "window", "participant", "accuracy"}, .rows = {}};
};

NamedValues at(const std::string& tracker) { return {{.name = "tracker", .value = tracker}}; }

// 1/128 are exact, so ties are where they are meant to be.
std::vector<double> in_128ths(std::vector<double> values) {
  for (double& value : values) value /= 128;
  return values;
}

Claim two(ClaimKind kind, const std::string& tracker, const std::string& other) {
  return {.kind = kind, .measure = "accuracy", .setting = at(tracker), .other = at(other)};
}

Claim along_window(ClaimKind kind) {
  return {.kind = kind, .measure = "accuracy", .setting = at("causal"), .along = "window"};
}

TEST(Measured, AveragesTheRowsOfAParticipantInOrderOfAppearance) {
  const ResultTable table{.columns = {"participant", "tracker", "accuracy"},
                          .rows = {{"b", "raw", 0.5},
                                   {"a", "causal", 0.25},
                                   {"b", "causal", 0.5},
                                   {"a", "causal", 0.75},
                                   {"c", "causal", TableValue{}}}};
  const MeasuredParticipants found = measured(table, at("causal"), "accuracy");
  EXPECT_EQ(found.participants, (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(found.values, (std::vector<std::optional<double>>{0.5, 0.5, std::nullopt}));
}

TEST(Measured, TellsNumbersFromWords) {
  const ResultTable table{.columns = {"participant", "switch_interval", "accuracy"},
                          .rows = {{"1", "60-120", 0.5}, {"1", 300.0, 0.75}, {"2", 300.0, 1.0}}};
  const auto at_interval = [&](TableValue value) {
    return measured(table, {{.name = "switch_interval", .value = std::move(value)}}, "accuracy").values;
  };
  EXPECT_EQ(at_interval("60-120"), (std::vector<std::optional<double>>{0.5, std::nullopt}));
  EXPECT_EQ(at_interval(300.0), (std::vector<std::optional<double>>{0.75, 1.0}));
  EXPECT_EQ(at_interval("300"), (std::vector<std::optional<double>>{std::nullopt, std::nullopt}));
}

TEST(Measured, NamesAMissingColumn) {
  expect_error(ErrorKind::not_found, {"no column 'acuracy'"},
               [] { (void)measured(Results().add("raw", 1, {0.5}), at("raw"), "acuracy"); });
}

// p: scipy 1.10, stats.wilcoxon([5, -1, 6, 4, -2, 3, 7, 8], mode='exact')
TEST(Judge, ComparesMeansAndTestsPairs) {
  const Results results = Results()
                              .add("smooth", 1, in_128ths({115, 109, 116, 114, 108, 113, 117, 118}))
                              .add("causal", 1, in_128ths({110, 110, 110, 110, 110, 110, 110, 110}));
  const ClaimVerdict greater = judge(two(ClaimKind::greater, "smooth", "causal"), results);
  EXPECT_EQ(greater.holds, true);
  EXPECT_EQ(greater.evidence, "88.9 % against 85.9 %, p = 0.039, n = 8");
  EXPECT_EQ(judge(two(ClaimKind::greater, "causal", "smooth"), results).holds, false);
  EXPECT_EQ(judge(two(ClaimKind::alike, "smooth", "causal"), results).holds, false);
}

// p: scipy 1.10, stats.wilcoxon([5, -1, -6, 4, 2, -3, -7, 8], mode='exact')
TEST(Judge, FindsAlikeWhatDoesNotDifferSignificantly) {
  const Results results = Results()
                              .add("smooth", 1, in_128ths({115, 109, 104, 114, 112, 107, 103, 118}))
                              .add("causal", 1, in_128ths({110, 110, 110, 110, 110, 110, 110, 110}));
  const ClaimVerdict alike = judge(two(ClaimKind::alike, "smooth", "causal"), results);
  EXPECT_EQ(alike.holds, true);
  EXPECT_EQ(alike.evidence, "86.1 % against 85.9 %, p = 0.95, n = 8");
  const ClaimVerdict greater = judge(two(ClaimKind::greater, "smooth", "causal"), results);
  EXPECT_EQ(greater.holds, std::nullopt) << "the greater mean alone does not tell";
  EXPECT_EQ(greater.evidence, "86.1 % against 85.9 %, p = 0.95, n = 8: not significant");
}

TEST(Judge, IdenticalIsAlikeHoweverFew) {
  const Results results = Results().add("smooth", 1, {0.9, 0.8}).add("causal", 1, {0.9, 0.8});
  const ClaimVerdict verdict = judge(two(ClaimKind::alike, "smooth", "causal"), results);
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "85.0 % against 85.0 %, no difference for any listener");
  EXPECT_EQ(judge(two(ClaimKind::greater, "smooth", "causal"), results).holds, false);
}

// Five pairs can never differ significantly: that is no evidence of likeness.
TEST(Judge, FewListenersDoNotTellLikeness) {
  const Results five = Results().add("smooth", 1, {.9, .91, .92, .93, .94}).add("causal", 1, {.5, .52, .54, .56, .58});
  const ClaimVerdict verdict = judge(two(ClaimKind::alike, "smooth", "causal"), five);
  EXPECT_EQ(verdict.holds, std::nullopt);
  EXPECT_EQ(verdict.evidence, "92.0 % against 54.0 %, p = 0.063, n = 5: too few listeners to tell");
  EXPECT_EQ(judge(two(ClaimKind::greater, "smooth", "causal"), five).holds, std::nullopt);
}

TEST(Judge, DoesNotPairListenersOfDifferentCohorts) {
  ResultTable table{.columns = {"speakers", "participant", "switch_time"}, .rows = {}};
  for (int k = 1; k <= 8; ++k) {
    table.rows.push_back({2.0, std::to_string(k), 20.0 + k});
    table.rows.push_back({3.0, "c" + std::to_string(k), 50.0 + k});
  }
  const auto speakers = [](double n) { return NamedValues{{.name = "speakers", .value = n}}; };
  Claim claim{.kind = ClaimKind::greater, .measure = "switch_time", .setting = speakers(3), .other = speakers(2)};
  const ClaimVerdict verdict = judge(claim, table);
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "54.5 s against 24.5 s, other listeners");
  claim.kind = ClaimKind::alike;
  EXPECT_EQ(judge(claim, table).holds, std::nullopt);
}

// Rank correlations: scipy.stats.spearmanr
TEST(Judge, FollowsATrendOfRanks) {
  Results falling;
  const std::vector<double> means{.95, .93, .94, .9, .8, .82, .7};
  for (std::size_t k = means.size(); k-- > 0;) falling.add("causal", static_cast<double>(k), {means[k], means[k]});
  const ClaimVerdict falls = judge(along_window(ClaimKind::falls), falling);
  EXPECT_EQ(falls.holds, true);
  EXPECT_EQ(falls.evidence, "from 95.0 % to 70.0 %, rank correlation with the axis -0.93");
  EXPECT_EQ(judge(along_window(ClaimKind::rises), falling).holds, false);
}

TEST(Judge, SharesRanksAmongEqualMeans) {
  const Results results = Results()
                              .add("causal", 1, {.5})
                              .add("causal", 2, {.5})
                              .add("causal", 3, {.6})
                              .add("causal", 5, {.6})
                              .add("causal", 10, {.9});
  EXPECT_EQ(judge(along_window(ClaimKind::rises), results).evidence,
            "from 50.0 % to 90.0 %, rank correlation with the axis 0.95");
}

TEST(Judge, ATrendMustBeSteady) {
  const Results up_at_last =
      Results().add("causal", 1, {.3}).add("causal", 2, {.1}).add("causal", 3, {.2}).add("causal", 4, {.4});
  const ClaimVerdict verdict = judge(along_window(ClaimKind::rises), up_at_last);
  EXPECT_EQ(verdict.holds, false);
  EXPECT_EQ(verdict.evidence, "from 30.0 % to 40.0 %, rank correlation with the axis 0.40");
  const Results flat = Results().add("causal", 1, {.3}).add("causal", 2, {.3});
  EXPECT_EQ(judge(along_window(ClaimKind::rises), flat).holds, false);
  EXPECT_EQ(judge(along_window(ClaimKind::falls), flat).holds, false);
}

// Ranks 1 4 2 5 3: 1 - 6 (0 + 4 + 1 + 1 + 4) / 120 = .5. Ranks 2 1 3 5 4: 1 - 6 * 4 / 120 = .8. Ranks 1 2 5 3 4:
// 1 - 6 * 6 / 120 = .7, which is enough.
TEST(Judge, DrawsTheLineAtSevenTenths) {
  const auto rises = [](const std::vector<double>& means) {
    Results results;
    for (std::size_t k = 0; k < means.size(); ++k) results.add("causal", static_cast<double>(k + 1), {means[k]});
    return judge(along_window(ClaimKind::rises), results).holds;
  };
  EXPECT_EQ(rises({.1, .4, .2, .5, .3}), false);
  EXPECT_EQ(rises({.1, .2, .5, .3, .4}), true);
  EXPECT_EQ(rises({.2, .1, .3, .5, .4}), true);
}

TEST(Judge, LevelsOffWhereTheFirstHalfGainsMore) {
  Results results;
  const std::vector<double> saturating{.5, .7, .85, .9, .91};
  for (std::size_t k = 0; k < 5; ++k) results.add("causal", static_cast<double>(k + 1), {saturating[k]});
  const ClaimVerdict verdict = judge(along_window(ClaimKind::levels_off), results);
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "from 50.0 % to 85.0 % over the first half, to 91.0 % over the second");

  const Results late =
      Results().add("causal", 1, {.5}).add("causal", 2, {.5}).add("causal", 3, {.6}).add("causal", 4, {.9});
  EXPECT_EQ(judge(along_window(ClaimKind::levels_off), late).holds, false);  // the middle lies at .55
  const Results falling = Results().add("causal", 1, {.9}).add("causal", 2, {.8}).add("causal", 3, {.1});
  EXPECT_EQ(judge(along_window(ClaimKind::levels_off), falling).holds, false);
}

TEST(Judge, HoldsMeansAgainstBounds) {
  const Results results = Results().add("causal", 1, {.9, .8});
  Claim claim{.kind = ClaimKind::above, .measure = "accuracy", .setting = at("causal"), .bound = 0.84};
  EXPECT_EQ(judge(claim, results).holds, true);
  EXPECT_EQ(judge(claim, results).evidence, "85.0 %");
  claim.bound = 0.86;
  EXPECT_EQ(judge(claim, results).holds, false);
  claim.kind = ClaimKind::below;
  EXPECT_EQ(judge(claim, results).holds, true);
}

TEST(Judge, SaysWhereResultsDoNotTell) {
  const Results results = Results().add("causal", 1, {.9, .8});
  EXPECT_EQ(judge(two(ClaimKind::greater, "causal", "viterbi"), results).holds, std::nullopt);
  EXPECT_EQ(judge(two(ClaimKind::greater, "causal", "viterbi"), results).evidence, "no such results");
  EXPECT_EQ(judge(along_window(ClaimKind::rises), results).holds, std::nullopt);  // one place only
  Claim other_column{.kind = ClaimKind::above, .measure = "switch_time", .setting = at("causal")};
  EXPECT_EQ(judge(other_column, results).holds, std::nullopt);
  const Results unknown = Results().add("causal", 1, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(judge({.kind = ClaimKind::above, .measure = "accuracy", .setting = at("causal")}, unknown).holds,
            std::nullopt);
}

TEST(Judge, WordsAreThoseOfTheMeasure) {
  const auto evidence = [](const std::string& measure, double value) {
    const ResultTable table{.columns = {"participant", measure}, .rows = {{"1", value}}};
    return judge({.kind = ClaimKind::above, .measure = measure}, table).evidence;
  };
  EXPECT_EQ(evidence("switch_time", 20.26), "20.3 s");
  EXPECT_EQ(evidence("signed_switch_time", -0.01), "0.0 s");
  EXPECT_EQ(evidence("miss_rate", 0.125), "12.5 %");
  EXPECT_EQ(evidence("false_switch_rate", 1.5), "1.50 per minute");
  EXPECT_EQ(evidence("correlation", 0.8765), "0.877");
}

}  // namespace
}  // namespace heed::evaluate
