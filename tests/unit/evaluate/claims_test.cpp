// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace heed::evaluate {
namespace {

// Rows of tracker and window; participants are numbered by their place.
class Results {
 public:
  Results& add(const std::string& tracker, double window, const std::vector<double>& accuracies) {
    for (std::size_t k = 0; k < accuracies.size(); ++k) {
      add_row(tracker, window, static_cast<int>(k), accuracies[k], 1);
    }
    return *this;
  }
  void add_row(const std::string& tracker, double window, int participant, double accuracy, double time) {
    table_.rows.push_back({tracker, window, std::to_string(participant + 1), accuracy, time});
  }
  operator const ResultTable&() const { return table_; }  // NOLINT(google-explicit-constructor)

 private:
  ResultTable table_{.columns = {"tracker", "window", "participant", "accuracy", "switch_time"}, .rows = {}};
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

// p: scipy 1.10, stats.wilcoxon([5, -1, 6, 4, -2, 3, 7, 8], mode='exact')
TEST(Judge, ComparesMeansAndTestsPairs) {
  const Results results = Results()
                              .add("smooth", 1, in_128ths({115, 109, 116, 114, 108, 113, 117, 118}))
                              .add("causal", 1, in_128ths({110, 110, 110, 110, 110, 110, 110, 110}));
  const ClaimVerdict greater = judge(two(ClaimKind::greater, "smooth", "causal"), results);
  EXPECT_EQ(greater.holds, true);
  EXPECT_EQ(greater.evidence, "88.9 % against 85.9 %, p = 0.039, n = 8");
  EXPECT_EQ(judge(two(ClaimKind::greater, "causal", "smooth"), results).holds, false);
}

// p: scipy 1.10, stats.wilcoxon([5, -1, -6, 4, 2, -3, -7, 8], mode='exact')
TEST(Judge, TheGreaterMeanAloneDoesNotTell) {
  const Results results = Results()
                              .add("smooth", 1, in_128ths({115, 109, 104, 114, 112, 107, 103, 118}))
                              .add("causal", 1, in_128ths({110, 110, 110, 110, 110, 110, 110, 110}));
  const ClaimVerdict greater = judge(two(ClaimKind::greater, "smooth", "causal"), results);
  EXPECT_EQ(greater.holds, std::nullopt);
  EXPECT_TRUE(greater.has_results);
  EXPECT_EQ(greater.evidence, "86.1 % against 85.9 %, p = 0.95, n = 8: not significant");
}

// Seven listeners lose a little, one gains so much that the mean rises.
TEST(Judge, ListenersAndTheirMeanMayDisagree) {
  const Results results = Results()
                              .add("smooth", 1, {.59, .58, .57, .56, .55, .54, .53, .99})
                              .add("causal", 1, {.60, .60, .60, .60, .60, .60, .60, .60});
  const ClaimVerdict verdict = judge(two(ClaimKind::greater, "smooth", "causal"), results);
  EXPECT_EQ(verdict.holds, std::nullopt);
}

// What the earlier rule, "no significant difference", called alike: three listeners lose 40 points, the rest nothing
// (the memoryless fit on real scores; p = .055).
TEST(Judge, WhatIsNotSignificantlyDifferentIsNotAlike) {
  const Results results = Results()
                              .add("memoryless", 1, {.500, .960, .906, .969, .977, .500, .500, .872})
                              .add("labels", 1, {.882, .972, .958, .965, .979, .942, .953, .871});
  const ClaimVerdict verdict = judge(two(ClaimKind::alike, "memoryless", "labels"), results);
  EXPECT_EQ(verdict.holds, std::nullopt);
  // One-sided exact p by counting signs: of |d - .02| the negative ones have ranks 1 to 4, P(W <= 10) = 40 / 256.
  EXPECT_NE(verdict.evidence.find("nor more (p = 0.16) than 2.0 points apart, n = 8"), std::string::npos)
      << verdict.evidence;
}

TEST(Judge, LikenessIsADifferenceBelowTheMargin) {
  const std::vector<double> base{.90, .91, .92, .93, .94, .95};
  std::vector<double> near;
  std::vector<double> far;
  for (std::size_t k = 0; k < base.size(); ++k) {
    near.push_back(base[k] - 0.006 - (0.001 * static_cast<double>(k)));  // half a point worse, every one of them
    far.push_back(base[k] - 0.051 - (0.001 * static_cast<double>(k)));
  }
  const Results results = Results().add("base", 1, base).add("near", 1, near).add("far", 1, far);
  EXPECT_EQ(judge(two(ClaimKind::greater, "base", "near"), results).holds, true) << "a difference there is";
  const ClaimVerdict alike = judge(two(ClaimKind::alike, "base", "near"), results);
  EXPECT_EQ(alike.holds, true) << "but not one that matters";
  EXPECT_EQ(alike.evidence, "92.5 % against 91.6 %, less than 2.0 points apart: p = 0.016, n = 6");  // 1 / 2^6
  const ClaimVerdict unlike = judge(two(ClaimKind::alike, "base", "far"), results);
  EXPECT_EQ(unlike.holds, false);
  EXPECT_EQ(unlike.evidence, "92.5 % against 87.2 %, more than 2.0 points apart: p = 0.016, n = 6");
  EXPECT_DOUBLE_EQ(likeness_margin("switch_time", 20, 30), 6) << "a fifth of the larger";
  EXPECT_DOUBLE_EQ(likeness_margin("miss_rate", 0.5, 0.1), 0.02);
}

// Twelve listeners do not differ, one does so much that the means do.
TEST(Judge, OneListenerMayKeepMeansApart) {
  Results results;
  std::vector<double> first;
  std::vector<double> second;
  for (int k = 0; k < 13; ++k) {
    first.push_back(0.9 + (0.0007 * k));
    second.push_back(k == 0 ? 0.5 : 0.9);
  }
  const ClaimVerdict verdict = judge(two(ClaimKind::alike, "a", "b"), results.add("a", 1, first).add("b", 1, second));
  EXPECT_EQ(verdict.holds, std::nullopt);
  EXPECT_NE(verdict.evidence.find("but most listeners less"), std::string::npos) << verdict.evidence;
}

TEST(Judge, IdenticalIsAlikeHoweverFew) {
  const Results results = Results().add("smooth", 1, {0.9, 0.8}).add("causal", 1, {0.9, 0.8});
  const ClaimVerdict verdict = judge(two(ClaimKind::alike, "smooth", "causal"), results);
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "85.0 % against 85.0 %, no difference for any listener");
  for (const ClaimKind kind : {ClaimKind::greater, ClaimKind::less}) {
    EXPECT_EQ(judge(two(kind, "smooth", "causal"), results).holds, std::nullopt) << "nobody differs: it cannot be told";
  }
  const Results single = Results().add("smooth", 1, {0.9}).add("causal", 1, {0.9});
  EXPECT_EQ(judge(two(ClaimKind::alike, "smooth", "causal"), single).holds, std::nullopt)
      << "one listener is no cohort";
}

// Numbers stand in the order of the claim's words, each beside its name; less is greater turned round.
TEST(Judge, PutsEveryNumberBesideItsName) {
  const Results results = Results()
                              .add("smooth", 1, in_128ths({115, 109, 116, 114, 108, 113, 117, 118}))
                              .add("causal", 1, in_128ths({110, 110, 110, 110, 110, 110, 110, 110}));
  const ClaimVerdict less = judge(two(ClaimKind::less, "causal", "smooth"), results, {"causal HMM", "smoother"});
  EXPECT_EQ(less.holds, true);
  EXPECT_EQ(less.evidence, "causal HMM: 85.9 %; smoother: 88.9 %, p = 0.039, n = 8");
  EXPECT_EQ(judge(two(ClaimKind::less, "smooth", "causal"), results).holds, false);
  const ClaimVerdict alike = judge(two(ClaimKind::alike, "causal", "smooth"), results, {"causal HMM", "smoother"});
  EXPECT_TRUE(alike.evidence.starts_with("causal HMM: 85.9 %; smoother: 88.9 %, ")) << alike.evidence;
}

TEST(Judge, FourListenersDoNotTell) {
  const Results four = Results().add("smooth", 1, {.9, .91, .92, .93}).add("causal", 1, {.5, .52, .54, .56});
  EXPECT_EQ(judge(two(ClaimKind::alike, "smooth", "causal"), four).holds, std::nullopt);
  EXPECT_EQ(judge(two(ClaimKind::greater, "smooth", "causal"), four).holds, std::nullopt);
}

ResultTable two_cohorts(double apart) {
  ResultTable table{.columns = {"speakers", "participant", "switch_time"}, .rows = {}};
  for (int k = 1; k <= 8; ++k) {
    table.rows.push_back({2.0, std::to_string(k), 20.0 + k});
    table.rows.push_back({3.0, "c" + std::to_string(k), 20.0 + apart + k});
  }
  return table;
}

Claim of_three(ClaimKind kind) {
  const auto speakers = [](double n) { return NamedValues{{.name = "speakers", .value = n}}; };
  return {.kind = kind, .measure = "switch_time", .setting = speakers(3), .other = speakers(2)};
}

// U = 64 of 64: p = 2 / (16 over 8) = 2 / 12870.
TEST(Judge, TestsDifferentListenersUnpaired) {
  const ClaimVerdict verdict = judge(of_three(ClaimKind::greater), two_cohorts(30.5));
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "55.0 s against 24.5 s, different listeners, p < 0.001, n = 16");
  EXPECT_EQ(judge(of_three(ClaimKind::less), two_cohorts(30.5)).holds, false);
  EXPECT_EQ(judge(of_three(ClaimKind::less), two_cohorts(-30.5)).holds, true);
  EXPECT_EQ(judge(of_three(ClaimKind::alike), two_cohorts(30.5)).holds, false);
  EXPECT_EQ(judge(of_three(ClaimKind::greater), two_cohorts(0.25)).holds, std::nullopt);
  EXPECT_EQ(judge(of_three(ClaimKind::alike), two_cohorts(0.25)).holds, true) << "a fifth of 24.75 s is 4.95 s";
}

TEST(Judge, ASurrogateStandsInAndIsNamed) {
  ResultTable table{.columns = {"speakers", "participant", "switch_time"}, .rows = {}};
  for (int k = 1; k <= 6; ++k) {
    table.rows.push_back({2.0, std::to_string(k), 20.0});
    table.rows.push_back({"3-surrogate", std::to_string(k), 30.0 + k});
  }
  const ClaimVerdict verdict = judge(of_three(ClaimKind::greater), table);
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "33.5 s against 20.0 s, p = 0.031, n = 6; one speaker is a surrogate");
}

// [place][participant] of six listeners who all follow the means, each at a level of its own.
Results six_along(const std::vector<double>& means) {
  Results results;
  for (std::size_t k = means.size(); k-- > 0;) {
    std::vector<double> values;
    for (int listener = 0; listener < 6; ++listener) values.push_back(means[k] + (0.001 * (listener - 2.5)));
    results.add("causal", static_cast<double>(k), values);
  }
  return results;
}

// Rank correlations: scipy.stats.spearmanr. All six alike: the approximation for ties, p = .0197.
TEST(Judge, FollowsATrendOfRanks) {
  const Results falling = six_along({.95, .93, .94, .9, .8, .82, .7});
  const ClaimVerdict falls = judge(along_window(ClaimKind::falls), falling);
  EXPECT_EQ(falls.holds, true);
  EXPECT_EQ(
      falls.evidence,
      "from 95.0 % at 0 to 70.0 % at 6, rank correlation with the axis -0.93 (a trend needs 0.7), p = 0.020, n = 6");
  EXPECT_EQ(judge(along_window(ClaimKind::rises), falling).holds, false);
}

TEST(Judge, ATrendOfTheMeanThatListenersDoNotShareDoesNotTell) {
  Results results;
  results.add("causal", 1, {.5, .5, .5, .5, .5, .5});
  results.add("causal", 2, {.9, .49, .51, .48, .52, .47});
  EXPECT_EQ(judge(along_window(ClaimKind::rises), results).holds, std::nullopt);
}

TEST(Judge, ATrendMustBeSteady) {
  const ClaimVerdict verdict = judge(along_window(ClaimKind::rises), six_along({.3, .1, .2, .4}));
  EXPECT_EQ(verdict.holds, std::nullopt);
  EXPECT_NE(verdict.evidence.find("rank correlation with the axis 0.40"), std::string::npos) << verdict.evidence;
  const Results flat = six_along({.3, .3});
  EXPECT_EQ(judge(along_window(ClaimKind::rises), flat).holds, std::nullopt) << "no difference for any listener";
}

// Ranks 1 4 2 5 3: 1 - 6 (0 + 4 + 1 + 1 + 4) / 120 = .5. Ranks 2 1 3 5 4: 1 - 6 * 4 / 120 = .8. Ranks 1 2 5 3 4:
// 1 - 6 * 6 / 120 = .7, which is enough.
TEST(Judge, DrawsTheLineAtSevenTenths) {
  const auto rises = [](const std::vector<double>& means) {
    return judge(along_window(ClaimKind::rises), six_along(means)).holds;
  };
  EXPECT_EQ(rises({.1, .4, .2, .5, .3}), std::nullopt);
  EXPECT_EQ(rises({.1, .2, .5, .3, .4}), true);
  EXPECT_EQ(rises({.2, .1, .3, .5, .4}), true);
}

TEST(Judge, LevelsOffWhereTheFirstHalfGainsMore) {
  const ClaimVerdict verdict = judge(along_window(ClaimKind::levels_off), six_along({.5, .7, .85, .9, .91}));
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence.substr(0, 64), "from 50.0 % to 85.0 % over the first half, to 91.0 % over the se");
  EXPECT_EQ(judge(along_window(ClaimKind::levels_off), six_along({.5, .5, .6, .9})).holds, false);
  EXPECT_EQ(judge(along_window(ClaimKind::levels_off), six_along({.9, .8, .1})).holds, std::nullopt)
      << "it does not rise";
}

Results with_times(const std::vector<double>& accuracies, const std::vector<double>& times) {
  Results results;
  for (std::size_t k = 0; k < accuracies.size(); ++k) {
    for (int listener = 0; listener < 6; ++listener) {
      results.add_row("causal", static_cast<double>(k), listener, accuracies[k] + (0.001 * listener),
                      times[k] + listener);
    }
  }
  return results;
}

TEST(Judge, TwoMeasuresRiseTogetherAlongAnAxis) {
  Claim claim = along_window(ClaimKind::rises_with);
  claim.with = "switch_time";
  EXPECT_EQ(judge(claim, with_times({.9, .8, .7}, {30, 20, 10})).holds, true);
  EXPECT_EQ(judge(claim, with_times({.7, .8, .9}, {30, 20, 10})).holds, false);
}

TEST(Judge, ChangesLessBetweenTwoPlaces) {
  Results results;
  results.add("smooth", 1, {.97, .96, .95, .94, .93, .92}).add("smooth", 5, {.90, .88, .86, .84, .82, .80});
  results.add("causal", 1, {.94, .93, .92, .91, .90, .89}).add("causal", 5, {.70, .69, .68, .67, .65, .64});
  Claim claim{.kind = ClaimKind::changes_less,
              .measure = "accuracy",
              .setting = at("smooth"),
              .other = at("causal"),
              .along = "window",
              .from = 1,
              .to = 5};
  const ClaimVerdict verdict = judge(claim, results);
  EXPECT_EQ(verdict.holds, true);
  EXPECT_EQ(verdict.evidence, "change of 9.5 points against 24.3 points, p = 0.031, n = 6");
  std::swap(claim.setting, claim.other);
  EXPECT_EQ(judge(claim, results).holds, false);
}

TEST(Judge, HoldsMeansAgainstBounds) {
  const Results results = Results().add("causal", 1, {.90, .89, .88, .87, .86, .85});
  Claim claim{.kind = ClaimKind::above, .measure = "accuracy", .setting = at("causal"), .bound = 0.84};
  EXPECT_EQ(judge(claim, results).holds, true);
  EXPECT_EQ(judge(claim, results).evidence, "87.5 % (bound 84.0 %), p = 0.031, n = 6");
  claim.bound = 0.872;
  EXPECT_EQ(judge(claim, results).holds, std::nullopt) << "the mean lies above, but not surely";
  claim.bound = 0.91;
  EXPECT_EQ(judge(claim, results).holds, false);
  claim.kind = ClaimKind::below;
  EXPECT_EQ(judge(claim, results).holds, true);
}

TEST(Judge, NeverAboveIsAboutEveryPlaceFromOneOn) {
  Claim claim = along_window(ClaimKind::never_above);
  claim.from = 2;
  claim.bound = 0.5;
  // Seven places: the lowest p there is, 1/64 one-sided, times seven is not significant; with ten listeners it is.
  EXPECT_EQ(judge(claim, six_along({.9, .9, .1, .2, .1})).holds, true) << "places before the first do not count";
  EXPECT_EQ(judge(claim, six_along({.1, .1, .1, .52, .1})).holds, false);                 // 3 / 64 < .05
  EXPECT_EQ(judge(claim, six_along({.1, .1, .1, .52, .1, .1, .1})).holds, std::nullopt);  // 5 / 64
}

// Points of one method lie 3 points above those of the other at the same times.
TEST(Judge, ComparesWholeFrontiers) {
  Results results;
  for (int listener = 0; listener < 6; ++listener) {
    const double level = 0.002 * listener;
    for (int k = 1; k <= 4; ++k) {
      results.add_row("causal", k, listener, 0.73 + (0.05 * k) + level + (k == 2 ? level : 0), 5.0 * k);
      results.add_row("chain", k, listener, 0.70 + (0.05 * k) + level, 5.0 * k);
    }
  }
  Claim claim{.kind = ClaimKind::better_frontier,
              .measure = "accuracy",
              .setting = at("causal"),
              .other = at("chain"),
              .with = "switch_time"};
  EXPECT_EQ(judge(claim, results).holds, true);
  EXPECT_EQ(judge(claim, results).evidence.substr(0, 39), "+3.2 points at equal time (95 % interva");
  claim.kind = ClaimKind::same_frontier;
  EXPECT_EQ(judge(claim, results).holds, false);
  EXPECT_EQ(judge(claim, results).evidence.substr(0, 39), "+3.2 points at equal time (90 % interva") << "that decides";
  claim.setting = at("chain");
  EXPECT_EQ(judge(claim, results).holds, true) << "it is itself";
}

// What is lost from 1 to 2 s, and regained at 3 s: 16 points lost, of which 12, 8 or 4 come back.
TEST(Judge, MostIsMoreThanHalf) {
  const auto verdict = [](double regained) {
    Results results;
    for (int listener = 0; listener < 6; ++listener) {
      const double level = 0.002 * listener;
      results.add_row("causal", 1, listener, 0.96 + level, 1);
      results.add_row("causal", 2, listener, 0.80 + level, 1);
      results.add_row("causal", 3, listener, 0.80 + regained + (2 * level), 1);
    }
    const auto at_window = [](double window) {
      NamedValues setting = at("causal");
      setting.push_back({"window", window});
      return setting;
    };
    return judge({.kind = ClaimKind::makes_up,
                  .measure = "accuracy",
                  .setting = at_window(3),
                  .other = at_window(2),
                  .reference = at_window(1)},
                 results);
  };
  EXPECT_EQ(verdict(0.12).holds, true);
  EXPECT_EQ(verdict(0.12).evidence, "12.5 points regained of 16.0 points lost (78 %), p = 0.031, n = 6");
  EXPECT_EQ(verdict(0.078).holds, std::nullopt);
  EXPECT_EQ(verdict(0.04).holds, false) << "more than nothing is not most";
}

TEST(Judge, SaysWhereResultsDoNotTell) {
  const Results results = Results().add("causal", 1, {.9, .8});
  EXPECT_EQ(judge(two(ClaimKind::greater, "causal", "viterbi"), results).holds, std::nullopt);
  EXPECT_EQ(judge(two(ClaimKind::greater, "causal", "viterbi"), results).evidence, "no such results");
  EXPECT_FALSE(judge(two(ClaimKind::greater, "causal", "viterbi"), results).has_results);
  EXPECT_EQ(judge(along_window(ClaimKind::rises), results).holds, std::nullopt);  // one place only
  Claim other_column{.kind = ClaimKind::above, .measure = "latency", .setting = at("causal")};
  EXPECT_EQ(judge(other_column, results).holds, std::nullopt);
  const Results unknown = Results().add("causal", 1, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_FALSE(judge({.kind = ClaimKind::above, .measure = "accuracy", .setting = at("causal")}, unknown).has_results);
}

}  // namespace
}  // namespace heed::evaluate
