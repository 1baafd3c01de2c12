// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/label_free.h>
#include <heed/emission/supervised.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "support/emission_cases.h"
#include "support/expect_error.h"
#include "support/hmm_oracle.h"

namespace heed::emission {
namespace {

using test::expect_error;
using test::ScoreCase;
using test::scored_participant;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

BaumWelchFit fit(const ScoredParticipant& participant, double p = 0.01, BaumWelchFitOptions options = {}) {
  options.fisher = false;
  const auto chain = hmm::Chain::sticky(static_cast<Index>(participant.speakers.size()), p);
  return fit_baum_welch(std::span(&participant, 1), chain, options);
}

struct Tied {
  double attended, unattended, sigma;
};

// One iteration straight from the formulas, with posteriors by the paper's algorithm in logarithms.
Tied plain_iteration(const Tied& now, const Matrix& z, double p) {
  const Index n = z.cols();
  Matrix log_b(z.rows(), n);
  for (Index t = 0; t < z.rows(); ++t) {
    for (Index j = 0; j < n; ++j) {
      log_b(t, j) = 0;
      for (Index k = 0; k < n; ++k) {
        const double x = (z(t, k) - (k == j ? now.attended : now.unattended)) / now.sigma;
        log_b(t, j) -= x * x / 2;
      }
    }
  }
  const Matrix g = test::paper_algorithm(test::plain_sticky_chain(n, p), log_b).smooth;
  const auto windows = static_cast<double>(z.rows());
  const auto speakers = static_cast<double>(n);
  Tied next{(g.array() * z.array()).sum() / windows, ((1 - g.array()) * z.array()).sum() / (windows * (speakers - 1)),
            0};
  const auto around = [&](double mu) { return (z.array() - mu).square(); };
  next.sigma = std::sqrt((g.array() * around(next.attended) + (1 - g.array()) * around(next.unattended)).sum() /
                         (speakers * windows));
  return next;
}

class TiedBaumWelch : public ::testing::TestWithParam<Index> {};

TEST_P(TiedBaumWelch, IteratesAsTheFormulasSay) {
  const ScoredParticipant participant = scored_participant({.windows = 200, .speakers = GetParam(), .seed = 3});
  const Matrix& z = participant.trials[0].scores.values;
  const double mean = z.mean();
  const double deviation = std::sqrt((z.array() - mean).square().mean());
  Tied tied{mean + deviation / 4, mean - deviation / 4, deviation};
  for (const Index iterations : {1, 2, 5}) {
    Tied expected = tied;
    for (Index k = 0; k < iterations; ++k) expected = plain_iteration(expected, z, 0.01);
    const GaussianEmission e = fit(participant, 0.01, {.relative_gain = 0, .max_iterations = iterations}).emission;
    EXPECT_NEAR(e.mu_attended, expected.attended, 1e-11);
    EXPECT_NEAR(e.mu_unattended, expected.unattended, 1e-11);
    EXPECT_NEAR(e.sigma_attended, expected.sigma, 1e-11);
    EXPECT_EQ(e.sigma_attended, e.sigma_unattended);
  }
}

TEST_P(TiedBaumWelch, FindsTheParametersWithoutLabels) {
  ScoredParticipant participant = scored_participant({.windows = 3000, .speakers = GetParam(), .seed = 5});
  const std::vector<ScoreMoments> sums{moments(participant, false)};
  const GaussianEmission labelled = fit_gaussian(sums, {.fisher = false});
  for (ScoredTrial& trial : participant.trials) trial.attention.attended.assign(3000, unknown_speaker);
  const BaumWelchFit result = fit(participant);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.emission.mu_attended, labelled.mu_attended, 0.02);
  EXPECT_NEAR(result.emission.mu_unattended, labelled.mu_unattended, 0.02);
  EXPECT_NEAR(result.emission.sigma_attended, labelled.sigma_attended, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Speakers, TiedBaumWelch, ::testing::Values(2, 3, 5));

RC_GTEST_PROP(TiedBaumWelch, NeverGoesDown, (std::uint64_t seed)) {
  ScoreCase options{.windows = 80, .trials = 2, .block = 20, .seed = seed};
  options.speakers = *rc::gen::inRange<Index>(2, 5);
  options.mu_attended = *rc::gen::element(-0.5, -0.1, 0.0, 0.7, 3.0);
  ScoredParticipant participant = scored_participant(options);
  for (Index t = 0; t < 10; ++t) participant.trials[0].scores.values(7 * t, 0) = nan;
  const auto chain = hmm::Chain::sticky(options.speakers, 0.02);
  BaumWelchFitOptions how;
  how.fit_switch_probability = *rc::gen::arbitrary<bool>();
  how.prior = one_switch_at(chain);
  const BaumWelchFit result = fit(participant, 0.02, how);
  for (std::size_t k = 1; k < result.history.size(); ++k) RC_ASSERT(result.history[k] >= result.history[k - 1]);
  if (options.speakers == 2) RC_ASSERT(result.emission.mu_attended >= result.emission.mu_unattended);
}

// Columns that sum to nothing: the likelihood is that of their differences, and never goes down either.
TEST(TiedBaumWelch, ExchangeableCountsRepeatedColumnsOnce) {
  for (const Index speakers : {2, 3, 5}) {
    ScoredParticipant participant = scored_participant({.windows = 3000, .speakers = speakers, .seed = 5});
    for (ScoredTrial& trial : participant.trials) {
      trial.scores.values.colwise() -= trial.scores.values.rowwise().mean().eval();
    }
    const std::vector<ScoreMoments> sums{moments(participant, false)};
    const GaussianEmission labelled = fit_gaussian(sums, {.fisher = false, .spread = Spread::exchangeable});
    EXPECT_TRUE(columns_repeat(sums));
    EXPECT_EQ(fit_gaussian(sums, {.fisher = false}), labelled) << "by itself, and without labels:";
    EXPECT_EQ(fit(participant).emission, fit(participant, 0.01, {.spread = Spread::exchangeable}).emission);
    const BaumWelchFit result = fit(participant, 0.01, {.spread = Spread::exchangeable});
    EXPECT_EQ(result.emission.spread, Spread::exchangeable);
    EXPECT_NEAR(result.emission.correlation, labelled.correlation, 0.01);
    EXPECT_NEAR(result.emission.mu_attended, labelled.mu_attended, 0.02);
    EXPECT_NEAR(result.emission.sigma_attended, labelled.sigma_attended, 0.01);
    for (std::size_t k = 1; k < result.history.size(); ++k) EXPECT_GE(result.history[k], result.history[k - 1]);
  }
  EXPECT_EQ(fit(scored_participant({.windows = 3000, .mu_attended = 6})).emission.spread, Spread::shared)
      << "far apart is not repeated";
}

TEST(MemorylessFit, RefusesAScoreAndItsNegative) {
  ScoredParticipant participant = scored_participant({.windows = 300});
  for (ScoredTrial& trial : participant.trials) trial.scores.values.col(1) = -trial.scores.values.col(0);
  test::expect_error(ErrorKind::singular, {"one score and its negative", "Baum-Welch"}, [&] {
    (void)fit_memoryless({&participant, 1}, false);
  });
}

TEST(BaumWelchWithoutLabels, LooksAtNoLabel) {
  const ScoredParticipant labelled = scored_participant({.windows = 300});
  ScoredParticipant wrong = labelled;
  for (Speaker& label : wrong.trials[0].attention.attended) label = label == 0 ? unknown_speaker : 0;
  EXPECT_EQ(fit(labelled).history, fit(wrong).history);
}

// A missing window is as if it lay in a gap of the same length: it takes time and says nothing.
TEST(BaumWelchWithoutLabels, CountsObservedWindowsOnly) {
  ScoredParticipant holed = scored_participant({.windows = 400, .seed = 8});
  Matrix& values = holed.trials[0].scores.values;
  for (const Index t : {3, 50, 51, 52, 399}) values(t, 1) = nan;
  const BaumWelchFit partly = fit(holed);
  for (const Index t : {3, 50, 51, 52, 399}) values.row(t).setConstant(nan);
  const BaumWelchFit wholly = fit(holed);
  EXPECT_EQ(partly.history, wholly.history);
  EXPECT_EQ(partly.emission.mu_attended, wholly.emission.mu_attended);
}

TEST(BaumWelchWithoutLabels, TakesAtanhOfCorrelations) {
  ScoredParticipant plain = scored_participant({.windows = 500});
  ScoredParticipant correlations = plain;
  correlations.trials[0].scores.values = plain.trials[0].scores.values.array().tanh();
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const auto a = fit_baum_welch(std::span(&plain, 1), chain, {.fisher = false});
  const auto b = fit_baum_welch(std::span(&correlations, 1), chain, {.fisher = true});
  EXPECT_NEAR(a.emission.mu_attended, b.emission.mu_attended, 1e-6);
  EXPECT_TRUE(b.emission.fisher);
}

// The attended speaker has the lower scores here, which nobody can know without labels.
TEST(BaumWelchWithoutLabels, HigherScoresAreAttendedOfTwoSpeakers) {
  const GaussianEmission two = fit(scored_participant({.windows = 2000, .mu_attended = -0.7})).emission;
  EXPECT_NEAR(two.mu_attended, -0.1, 0.05);
  EXPECT_NEAR(two.mu_unattended, -0.7, 0.05);
}

TEST(BaumWelchWithoutLabels, LearnsTheSwitchProbabilityIfAsked) {
  const ScoredParticipant often = scored_participant({.windows = 4000, .block = 25, .mu_attended = 2});
  EXPECT_EQ(fit(often, 0.001).chain.as_sticky()->move(), 0.001);
  BaumWelchFitOptions options{.fit_switch_probability = true};
  options.prior = one_switch_at(hmm::Chain::sticky(2, 0.001));
  EXPECT_NEAR(options.prior.stays, 999, 1e-9);
  EXPECT_EQ(options.prior.switches, 1);
  // 159 switches in 3999 steps, and one in 1000 of the prior
  EXPECT_NEAR(fit(often, 0.001, options).chain.as_sticky()->move(), 160.0 / 4999, 0.002);
  // Without a prior nothing holds p up where nobody switches.
  const ScoredParticipant never = scored_participant({.windows = 200, .block = 1000, .mu_attended = 2});
  const double held = fit(never, 0.001, options).chain.as_sticky()->move();
  options.prior = {};
  EXPECT_NEAR(held, 1.0 / 1199, 2e-5);
  EXPECT_LT(fit(never, 0.001, options).chain.as_sticky()->move(), 1e-6);
}

TEST(BaumWelchWithoutLabels, TakesParticipantsTogether) {
  const std::vector<ScoredParticipant> two{scored_participant({.seed = 1}), scored_participant({.seed = 2})};
  ScoredParticipant one = two[0];
  one.trials.push_back(two[1].trials[0]);
  const auto chain = hmm::Chain::sticky(2, 0.01);
  EXPECT_EQ(fit_baum_welch(two, chain, {.fisher = false}).history,
            fit_baum_welch(std::span(&one, 1), chain, {.fisher = false}).history);
}

TEST(BaumWelchWithoutLabels, SaysWhyItCannot) {
  ScoredParticipant flat = scored_participant({.windows = 30});
  flat.trials[0].scores.values.setConstant(0.2);
  expect_error(ErrorKind::singular, {"do not vary"}, [&] { (void)fit(flat); });
  flat.trials[0].scores.values.setConstant(nan);
  expect_error(ErrorKind::bad_data, {"no complete window"}, [&] { (void)fit(flat); });
  const ScoredParticipant good = scored_participant({.windows = 30});
  const hmm::Chain general = hmm::Chain::make((Matrix(2, 2) << 0.9, 0.1, 0.2, 0.8).finished());
  expect_error(ErrorKind::invalid_argument, {"sticky"}, [&] {
    (void)fit_baum_welch(std::span(&good, 1), general, {.fisher = false, .fit_switch_probability = true});
  });
  expect_error(ErrorKind::invalid_argument, {"sticky"}, [&] { (void)one_switch_at(general); });
  expect_error(ErrorKind::bad_data, {"participant p1", "trial 1", "window", "correlation"},
               [&] { (void)fit_baum_welch(std::span(&good, 1), hmm::Chain::sticky(2, 0.01), {.fisher = true}); });
  expect_error(ErrorKind::bad_data, {"no complete window"},
               [] { (void)fit_baum_welch({}, hmm::Chain::sticky(2, 0.01)); });
  const std::vector<ScoredParticipant> mixed{good, scored_participant({.windows = 30, .speakers = 3})};
  expect_error(ErrorKind::bad_data, {"same number of speakers"},
               [&] { (void)fit_baum_welch(mixed, hmm::Chain::sticky(2, 0.01), {.fisher = false}); });
}

ScoredParticipant pairs(const Matrix& z) {
  return {"x",
          {"a", "b"},
          ScoreType::log_odds,
          {{"", {}, {z, Seconds{1}}, {std::vector<Speaker>(static_cast<std::size_t>(z.rows()), unknown_speaker)}}},
          {}};
}

// The equation solved by scipy.optimize.brentq.
TEST(Memoryless, SolvesItsEquation) {
  Matrix z(8, 2);
  z << .31, -.12, .05, .44, -.2, .6, .9, -.1, .15, .2, -.3, .5, .7, .1, .0, -.4;
  const ScoredParticipant participant = pairs(z);
  const MemorylessFit result = fit_memoryless(std::span(&participant, 1), false);
  EXPECT_FALSE(result.degenerate);
  EXPECT_NEAR(result.emission.mu_attended, 0.44549601230229136, 1e-14);
  EXPECT_NEAR(result.emission.mu_unattended, -0.09174601230229135, 1e-14);
  EXPECT_NEAR(result.emission.sigma_attended, 0.2546550976320717, 1e-14);
}

TEST(Memoryless, FindsTheParametersOfWellSeparatedScores) {
  const ScoredParticipant participant = scored_participant({.windows = 20000, .mu_attended = 2, .seed = 3});
  const MemorylessFit result = fit_memoryless(std::span(&participant, 1), false);
  EXPECT_NEAR(result.emission.mu_attended, 2, 0.03);
  EXPECT_NEAR(result.emission.mu_unattended, -0.1, 0.03);
  EXPECT_NEAR(result.emission.sigma_attended, 0.8, 0.02);
}

TEST(Memoryless, SaysWhereThereIsNoRoot) {
  Matrix z(4, 2);
  z << 1, 1.01, -1, -1.01, 2, 2, -2, -2;  // the sum varies far more than the difference
  const ScoredParticipant participant = pairs(z);
  const MemorylessFit result = fit_memoryless(std::span(&participant, 1), false);
  EXPECT_TRUE(result.degenerate);
  EXPECT_EQ(result.emission.mu_attended, result.emission.mu_unattended);
  EXPECT_GT(result.emission.sigma_attended, 0);
}

TEST(Memoryless, IsForTwoSpeakersThatVary) {
  const ScoredParticipant three = scored_participant({.windows = 20, .speakers = 3});
  expect_error(ErrorKind::unsupported, {"two speakers", "Baum-Welch"},
               [&] { (void)fit_memoryless(std::span(&three, 1), false); });
  const ScoredParticipant flat = pairs(Matrix::Constant(5, 2, 0.3));
  expect_error(ErrorKind::singular, {"do not vary"}, [&] { (void)fit_memoryless(std::span(&flat, 1), false); });
  const ScoredParticipant missing = pairs(Matrix::Constant(5, 2, nan));
  expect_error(ErrorKind::bad_data, {"no complete window"},
               [&] { (void)fit_memoryless(std::span(&missing, 1), false); });
}

}  // namespace
}  // namespace heed::emission
