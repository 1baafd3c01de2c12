// SPDX-License-Identifier: MIT
// Simulated scores have the statistics that were asked for. Bounds are four standard errors.
#include <heed/data/random.h>
#include <heed/sim/score_cohort.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace heed::sim {
namespace {

// Labelled windows, and those whose attended score is the largest.
struct Hits {
  double windows = 0;
  double correct = 0;
};

Hits count_hits(const ScoredParticipant& participant) {
  Hits hits;
  for (const ScoredTrial& trial : participant.trials) {
    for (Index t = 0; t < trial.scores.values.rows(); ++t) {
      const Speaker attended = trial.attention.attended[static_cast<std::size_t>(t)];
      if (attended == unknown_speaker) continue;
      Index largest = 0;
      trial.scores.values.row(t).maxCoeff(&largest);
      hits.windows += 1;
      hits.correct += largest == attended ? 1 : 0;
    }
  }
  return hits;
}

TEST(ScoreCohort, ScoresAreCorrelationsWithTheConstantsOfRealOnes) {
  ScoreCohortOptions options;
  options.participants = 1;
  options.trials = 100;
  options.accuracy_spread = 0;
  options.autocorrelation = 0;
  const double mu_attended = unattended_mean + (score_sigma * separation_for_accuracy(2, 0.58));
  EXPECT_NEAR(mu_attended, 0.124, 0.001);  // the real attended mean at the real accuracy
  std::vector<double> attended;
  std::vector<double> unattended;
  const auto cohort = simulate_scores(options);
  for (const ScoredTrial& trial : cohort[0].trials) {
    for (Index t = 0; t < trial.scores.values.rows(); ++t) {
      for (Speaker j = 0; j < 2; ++j) {
        const bool is_attended = trial.attention.attended[static_cast<std::size_t>(t)] == j;
        (is_attended ? attended : unattended).push_back(std::atanh(trial.scores.values(t, j)));
      }
    }
  }
  for (const auto& [values, mu] : {std::pair(attended, mu_attended), std::pair(unattended, unattended_mean)}) {
    ASSERT_EQ(values.size(), 60000U);
    double mean = 0;
    double squares = 0;
    for (const double z : values) mean += z / 60000;
    for (const double z : values) squares += (z - mean) * (z - mean) / 60000;
    EXPECT_NEAR(mean, mu, 4 * score_sigma / std::sqrt(60000.0));
    EXPECT_NEAR(std::sqrt(squares), score_sigma, 4 * score_sigma / std::sqrt(120000.0));
  }
}

TEST(ScoreCohort, RawAccuracyIsWhatWasAskedFor) {
  for (const auto& [speakers, accuracy] : {std::pair(2, 0.58), std::pair(3, 0.45), std::pair(5, 0.8)}) {
    ScoreCohortOptions options;
    options.speakers = speakers;
    options.accuracy = accuracy;
    options.accuracy_spread = 0;
    options.autocorrelation = 0;
    options.participants = 1;
    options.trials = 50;
    const Hits hits = count_hits(simulate_scores(options)[0]);
    ASSERT_EQ(hits.windows, 30000);
    EXPECT_NEAR(hits.correct / hits.windows, accuracy, 4 * std::sqrt(accuracy * (1 - accuracy) / hits.windows));
  }
}

TEST(ScoreCohort, AccuracySpreadsOverParticipants) {
  ScoreCohortOptions options;
  options.accuracy = 0.75;
  options.accuracy_spread = 0.05;
  options.participants = 200;
  std::vector<double> accuracies;
  for (const auto& participant : simulate_scores(options)) {
    const Hits hits = count_hits(participant);
    accuracies.push_back(hits.correct / hits.windows);
  }
  double mean = 0;
  double squares = 0;
  for (const double a : accuracies) mean += a / 200;
  for (const double a : accuracies) squares += (a - mean) * (a - mean) / 199;
  const double expected = std::sqrt((0.05 * 0.05) + (0.75 * 0.25 / 2400));
  EXPECT_NEAR(mean, 0.75, 4 * expected / std::sqrt(200.0));
  EXPECT_NEAR(std::sqrt(squares), expected, 4 * expected / std::sqrt(400.0));
}

// However wide the spread, nobody falls to chance or becomes perfect: 95 % of the way at most. The
// first number of a participant's stream says who would have.
TEST(ScoreCohort, AccuracyIsClampedBetweenChanceAndOne) {
  ScoreCohortOptions options;
  options.accuracy = 0.7;
  options.accuracy_spread = 0.9;
  options.autocorrelation = 0;
  options.participants = 60;
  options.trials = 1;
  options.trial = Seconds{4000};
  Hits low;
  Hits high;
  const auto cohort = simulate_scores(options);
  for (std::size_t k = 0; k < cohort.size(); ++k) {
    const double wanted = 0.7 + (0.9 * RandomStream(options.seed, k + 1).normal());
    if (wanted > 0.51 && wanted < 0.985) continue;
    const Hits hits = count_hits(cohort[k]);
    Hits& group = wanted < 0.7 ? low : high;
    group.windows += hits.windows;
    group.correct += hits.correct;
  }
  ASSERT_GT(low.windows, 50000);
  ASSERT_GT(high.windows, 50000);
  EXPECT_NEAR(low.correct / low.windows, 0.51, 4 * std::sqrt(0.51 * 0.49 / low.windows));
  EXPECT_NEAR(high.correct / high.windows, 0.985, 4 * std::sqrt(0.985 * 0.015 / high.windows));
}

TEST(ScoreCohort, AutocorrelationIsRecovered) {
  for (const double asked : {0.0, 0.04, 0.6}) {
    ScoreCohortOptions options;
    options.autocorrelation = asked;
    options.participants = 1;
    options.trials = 100;
    options.interval = {Seconds{10000}, Seconds{10000}};  // no switch to step over
    std::array<double, 3> products{};
    const auto cohort = simulate_scores(options);
    for (const ScoredTrial& trial : cohort[0].trials) {
      const Matrix z = trial.scores.values.array().atanh().matrix();
      for (Index j = 0; j < 2; ++j) {
        const Eigen::VectorXd e = z.col(j).array() - z.col(j).mean();
        for (Index lag = 0; lag < 3; ++lag) {
          products[static_cast<std::size_t>(lag)] += e.head(598).dot(e.segment(lag, 598)) / (200 * 598);
        }
      }
    }
    // 120,000 pairs; taking out each trial's own mean costs (1 + phi) / (1 - phi) / 600.
    const double bias = (1 + asked) / (1 - asked) / 600;
    EXPECT_NEAR(products[1] / products[0], asked, bias + (4 / std::sqrt(120000.0)));
    EXPECT_NEAR(products[2] / products[0], asked * asked, bias + (4 / std::sqrt(120000.0)));
  }
}

TEST(ScoreCohort, SpeakersAreIndependent) {
  ScoreCohortOptions options;
  options.participants = 1;
  options.trials = 100;
  options.interval = {Seconds{10000}, Seconds{10000}};
  double product = 0;
  const auto cohort = simulate_scores(options);
  for (const ScoredTrial& trial : cohort[0].trials) {
    const Matrix z = trial.scores.values.array().atanh().matrix();
    product += ((z.col(0).array() - z.col(0).mean()) * (z.col(1).array() - z.col(1).mean())).mean() / 100;
  }
  EXPECT_LT(std::abs(product) / (score_sigma * score_sigma), 4 / std::sqrt(60000.0));
}

TEST(ScoreCohort, ArtefactsComeInBurstsAndChangeNothingElse) {
  ScoreCohortOptions options;
  options.participants = 5;
  options.trials = 20;
  const auto clean = simulate_scores(options);
  options.artefact_rate = 0.2;
  options.artefact_length = Seconds{4};
  const auto cohort = simulate_scores(options);
  double missing = 0;
  double bursts = 0;
  for (std::size_t k = 0; k < cohort.size(); ++k) {
    for (std::size_t trial = 0; trial < 20; ++trial) {
      const Matrix& scores = cohort[k].trials[trial].scores.values;
      EXPECT_EQ(cohort[k].trials[trial].attention.attended, clean[k].trials[trial].attention.attended);
      for (Index t = 0; t < scores.rows(); ++t) {
        const bool bad = std::isnan(scores(t, 0));
        ASSERT_EQ(bad, std::isnan(scores(t, 1)));
        if (!bad) {
          ASSERT_EQ(scores.row(t), clean[k].trials[trial].scores.values.row(t));
        }
        missing += bad ? 1 : 0;
        bursts += bad && (t == 0 || !std::isnan(scores(t - 1, 0))) ? 1 : 0;
      }
    }
  }
  // 60,000 windows in about 3,000 bursts of geometric length (sd 3.5).
  EXPECT_NEAR(missing / 60000, 0.2, 0.02);
  EXPECT_NEAR(missing / bursts, 4, 0.3);
}

}  // namespace
}  // namespace heed::sim
