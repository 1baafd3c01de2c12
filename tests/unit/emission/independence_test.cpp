// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/evidence_scale.h>

#include <cmath>
#include <limits>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;
using test::scored_participant;

// The definition, pair by pair: same trial, every window from t to t + lag labelled with the same speaker.
std::optional<double> plain(const ScoredParticipant& participant, std::size_t lag) {
  double sum = 0;
  double positions = 0;
  for (Speaker speaker = 0; speaker < std::ssize(participant.speakers); ++speaker) {
    double products = 0;
    double earlier = 0;
    double later = 0;
    for (const ScoredTrial& trial : participant.trials) {
      const auto& labels = trial.attention.attended;
      const auto score = [&](std::size_t t) { return trial.scores.values(static_cast<Index>(t), speaker); };
      double mean = 0;
      double count = 0;
      for (std::size_t t = 0; t < labels.size(); ++t) {
        if (labels[t] != speaker || std::isnan(score(t))) continue;
        mean += score(t);
        count += 1;
      }
      mean /= count;
      for (std::size_t t = 0; t + lag < labels.size(); ++t) {
        bool stays = true;
        for (std::size_t k = t; k <= t + lag; ++k) stays = stays && labels[k] == speaker;
        if (!stays || std::isnan(score(t)) || std::isnan(score(t + lag))) continue;
        products += (score(t) - mean) * (score(t + lag) - mean);
        earlier += (score(t) - mean) * (score(t) - mean);
        later += (score(t + lag) - mean) * (score(t + lag) - mean);
      }
    }
    if (earlier * later == 0) continue;
    sum += products / std::sqrt(earlier * later);
    positions += 1;
  }
  return positions > 0 ? std::optional(sum / positions) : std::nullopt;
}

TEST(LagCorrelations, AreThoseOfThePairsWithinAState) {
  ScoredParticipant participant =
      scored_participant({.windows = 90, .speakers = 3, .trials = 3, .block = 13, .autocorrelation = 0.4, .seed = 2});
  participant.trials[1].scores.values.array() += 5;  // another level in another trial is no correlation
  participant.trials[0].attention.attended[4] = unknown_speaker;
  participant.trials[2].scores.values.row(40).setConstant(std::numeric_limits<double>::quiet_NaN());
  const auto result = lag_correlations(participant, {.fisher = false, .lags = 14});
  ASSERT_EQ(result.size(), 14U);
  for (std::size_t lag = 1; lag <= 14; ++lag) {
    const auto expected = plain(participant, lag);
    ASSERT_EQ(result[lag - 1].has_value(), expected.has_value()) << lag;
    if (!expected) continue;
    EXPECT_NEAR(*result[lag - 1], *expected, 1e-12) << lag;
  }
  EXPECT_TRUE(result[11]);
  EXPECT_FALSE(result[12]) << "no block is as long as that";
}

// Trials that differ in level: around the means of trials there is nothing, around the listener's they are what scores
// share. Levels +-1 and a unit of noise: half of the variance.
TEST(LagCorrelations, AroundTheListenersMeanTrialsAreADependence) {
  ScoredParticipant participant =
      scored_participant({.windows = 20000, .speakers = 2, .trials = 2, .block = 500, .seed = 5});
  double variance = 0;
  const auto& first = participant.trials[0];
  double mean = 0;
  for (Index t = 0; t < 500; ++t) mean += first.scores.values(t, first.attention.attended[0]) / 500;
  for (Index t = 0; t < 500; ++t) {
    variance += std::pow(first.scores.values(t, first.attention.attended[0]) - mean, 2) / 499;
  }
  const double level = std::sqrt(variance);
  participant.trials[0].scores.values.array() += level;
  participant.trials[1].scores.values.array() -= level;
  const auto by_trial = lag_correlations(participant, {.fisher = false, .lags = 20});
  const auto by_listener = lag_correlations(participant, {.fisher = false, .lags = 20, .centring = Centring::listener});
  for (const std::size_t lag : {0U, 19U}) {
    EXPECT_NEAR(*by_trial[lag], 0, 0.03);
    EXPECT_NEAR(*by_listener[lag], 0.5, 0.05);
  }
}

TEST(LagCorrelations, FollowTheNoise) {
  const ScoredParticipant participant =
      scored_participant({.windows = 40000, .block = 500, .autocorrelation = 0.6, .seed = 3});
  const auto result = lag_correlations(participant, {.fisher = false, .lags = 3});
  EXPECT_NEAR(*result[0], 0.6, 0.02);
  EXPECT_NEAR(*result[1], 0.36, 0.02);
  EXPECT_NEAR(*result[2], 0.216, 0.02);
}

TEST(LagCorrelations, SwitchesMakeNone) {
  const ScoredParticipant participant =
      scored_participant({.windows = 20000, .block = 4, .mu_attended = 10, .seed = 4});
  // Eight windows of the other speaker's score lie between two blocks of one speaker's.
  for (const auto& correlation : lag_correlations(participant, {.fisher = false, .lags = 3})) {
    EXPECT_NEAR(*correlation, 0, 0.03);
  }
}

TEST(LagCorrelations, AreAveragedOverParticipants) {
  const std::vector<ScoredParticipant> cohort{scored_participant({.autocorrelation = 0.2, .seed = 1}),
                                              scored_participant({.autocorrelation = 0.6, .seed = 2})};
  const IndependenceOptions options{.fisher = false, .lags = 2};
  const auto all = lag_correlations(cohort, options);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(*all[k], (*lag_correlations(cohort[0], options)[k] + *lag_correlations(cohort[1], options)[k]) / 2,
                1e-15);
  }
}

TEST(LagCorrelations, DoNotExistWhereNothingIsLabelled) {
  ScoredParticipant participant = scored_participant({.windows = 50});
  participant.trials[0].attention.attended.assign(50, unknown_speaker);
  EXPECT_FALSE(lag_correlations(participant, {.fisher = false})[0]);
  ScoredParticipant features = scored_participant({.windows = 50});
  features.features = {"a", "b"};
  EXPECT_FALSE(lag_correlations(features, {.fisher = false})[0]);
  expect_error(ErrorKind::invalid_argument, {"lag of at least 1"},
               [&] { (void)lag_correlations(participant, {.fisher = false, .lags = 0}); });
}

TEST(LagCorrelations, AreOfTheTransformedScores) {
  ScoredParticipant plain_scores = scored_participant({.autocorrelation = 0.5});
  ScoredParticipant correlations = plain_scores;
  correlations.trials[0].scores.values = plain_scores.trials[0].scores.values.array().tanh();
  EXPECT_NEAR(*lag_correlations(correlations, {.fisher = true})[0],
              *lag_correlations(plain_scores, {.fisher = false})[0], 1e-6);
}

TEST(DependenceWarning, NamesTheConsequenceBeyondTheThreshold) {
  EXPECT_FALSE(dependence_warning({}));
  EXPECT_FALSE(dependence_warning(std::vector<std::optional<double>>{std::nullopt, 0.9}));
  EXPECT_FALSE(dependence_warning(std::vector<std::optional<double>>{0.2}));
  const std::vector<std::optional<double>> repeating{0.5, 0.25};
  const std::string plain = dependence_warning(repeating).value();
  for (const char* words : {"by 0.5 with the next", "about 3 times", "over-confident", "calibrate", "longer windows"}) {
    EXPECT_NE(plain.find(words), std::string::npos) << words;
  }
  const std::string calibrated = dependence_warning(repeating, {.calibrated = true}).value();
  for (const char* words : {"about 3 times", "temperature", "makes up for most of it", "longer windows"}) {
    EXPECT_NE(calibrated.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(calibrated.find("over-confident"), std::string::npos);
  const std::string unknown = dependence_warning(repeating, {.unknown_switch_probability = true}).value();
  EXPECT_NE(unknown.find("taken for switches"), std::string::npos) << unknown;
  EXPECT_EQ(unknown.find("calibrate"), std::string::npos) << "a temperature is fitted at one switch probability";
  const std::string often = dependence_warning(std::vector<std::optional<double>>{0.8704}).value();
  EXPECT_NE(often.find("about 14 times"), std::string::npos) << often;
}

// Windows of 1 s every 0.25 s: the lag of one window is four rows.
TEST(LagCorrelations, OfOverlappingWindowsCompareThoseThatShareNoSample) {
  ScoredParticipant one{"01", {"a", "b"}, ScoreType::log_odds, {{"", {}, {Matrix::Zero(400, 2), Seconds{1}}, {}}}};
  one.trials[0].attention.attended.assign(400, 0);
  for (Index t = 0; t < 400; ++t) one.trials[0].scores.values(t, 0) = t % 4 == 0 ? 1 : -1;  // repeats every 4 rows
  one.trials[0].scores.hop = Seconds{0.25};
  EXPECT_NEAR(*lag_correlations(one, {.fisher = false, .lags = 3})[0], 1, 1e-9);
  one.trials[0].scores.hop = Seconds{1};
  EXPECT_LT(*lag_correlations(one, {.fisher = false, .lags = 3})[0], 0);
}

}  // namespace
}  // namespace heed::emission
