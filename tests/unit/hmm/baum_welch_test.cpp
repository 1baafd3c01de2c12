// SPDX-License-Identifier: MIT
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/sample.h>
#include <heed/hmm/smooth.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::Posteriors;
using heed::RandomStream;
using heed::Speaker;
using heed::hmm::baum_welch;
using heed::hmm::BaumWelchOptions;
using heed::hmm::Chain;
using heed::hmm::From;
using heed::hmm::To;
using heed::hmm::TrainingSequence;
using namespace heed::test;

// Scores of a path: N(separation, 1) in the attended column, N(0, 1) elsewhere.
Matrix scores_of(const std::vector<Speaker>& path, Index states, double separation, RandomStream& random) {
  Matrix scores(static_cast<Index>(path.size()), states);
  for (Index t = 0; t < scores.rows(); ++t) {
    for (Index j = 0; j < states; ++j) {
      scores(t, j) = random.normal() + (j == path[static_cast<std::size_t>(t)] ? separation : 0);
    }
  }
  return scores;
}

std::vector<TrainingSequence> sequences_of(const Chain& chain, Index windows, int count, RandomStream& random) {
  std::vector<TrainingSequence> sequences;
  for (int s = 0; s < count; ++s) {
    const auto path = heed::hmm::sample_prior(chain, windows, random);
    sequences.push_back({.log_likelihoods = {2 * scores_of(path.states, chain.states(), 2, random)}, .labels = {}});
  }
  return sequences;
}

void expect_never_down(const std::vector<double>& history) { EXPECT_TRUE(std::ranges::is_sorted(history)); }

TEST(BaumWelch, RecoversTheSwitchProbability) {
  RandomStream random(61);
  const Chain truth = Chain::sticky(3, 0.02);
  const auto result = baum_welch(Chain::sticky(3, 0.2), sequences_of(truth, 2000, 5, random));
  EXPECT_TRUE(result.converged);
  ASSERT_NE(result.chain.as_sticky(), nullptr);
  // 10 000 steps with a hazard of .04: a standard error of .001 on p, and the labels are hidden.
  EXPECT_NEAR(result.chain.as_sticky()->move(), 0.02, 0.003);
  EXPECT_GT(result.history.size(), 3U);
  expect_never_down(result.history);
}

// At the peak the derivative is zero: no p near it does better.
TEST(BaumWelch, EndsOnAPeakOfTheEvidence) {
  RandomStream random(62);
  const auto sequences = sequences_of(Chain::sticky(2, 0.05), 400, 3, random);
  const auto result = baum_welch(Chain::sticky(2, 0.01), sequences, {.relative_gain = 1e-14, .max_iterations = 5000});
  const auto evidence_at = [&](double p) {
    double sum = 0;
    for (const auto& s : sequences) sum += heed::hmm::filter(Chain::sticky(2, p), s.log_likelihoods).log_evidence;
    return sum;
  };
  const double p = result.chain.as_sticky()->move();
  EXPECT_NEAR(evidence_at(p), result.history.back(), 1e-9);
  EXPECT_GT(evidence_at(p), evidence_at(p * 1.01));
  EXPECT_GT(evidence_at(p), evidence_at(p / 1.01));
}

TEST(BaumWelch, RecoversAGeneralChainAndItsInitial) {
  RandomStream random(63);
  Matrix transition(2, 2);
  transition << 0.95, 0.05, 0.2, 0.8;
  const Chain truth = Chain::make(transition).with_initial(std::array{0.9, 0.1});
  const Chain start = Chain::make(Matrix::Constant(2, 2, 0.5));
  const auto result = baum_welch(start, sequences_of(truth, 50, 300, random), {.estimate_initial = true});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.chain.transition(From{0}, To{1}), 0.05, 0.015);
  EXPECT_NEAR(result.chain.transition(From{1}, To{0}), 0.2, 0.04);
  EXPECT_NEAR(result.chain.initial()[0], 0.9, 0.08);
  expect_never_down(result.history);
}

// With every window labelled one M-step counts transitions.
TEST(BaumWelch, LabelsGiveTheCounts) {
  const TrainingSequence sequence{.log_likelihoods = {Matrix::Zero(9, 2)}, .labels = {{0, 0, 0, 1, 1, 0, 0, 1, 1}}};
  const auto general = baum_welch(Chain::make(Matrix::Constant(2, 2, 0.5)), {sequence}, {.estimate_initial = true});
  EXPECT_NEAR(general.chain.transition(From{0}, To{1}), 2.0 / 5, 1e-15);
  EXPECT_NEAR(general.chain.transition(From{1}, To{0}), 1.0 / 3, 1e-15);
  EXPECT_EQ(general.chain.initial()[0], 1);
  const auto sticky = baum_welch(Chain::sticky(2, 0.1), {sequence});
  EXPECT_NEAR(sticky.chain.as_sticky()->move(), 3.0 / 8, 1e-15);
}

TEST(BaumWelch, AStickyChainStaysWithinItsRange) {
  const TrainingSequence jumping{.log_likelihoods = {Matrix::Zero(5, 2)}, .labels = {{0, 1, 0, 1, 0}}};
  EXPECT_EQ(baum_welch(Chain::sticky(2, 0.1), {jumping}).chain.as_sticky()->move(), 0.5);
  const TrainingSequence still{.log_likelihoods = {Matrix::Zero(5, 2)}, .labels = {{0, 0, 0, 0, 0}}};
  const auto quiet = baum_welch(Chain::sticky(2, 0.1), {still});
  EXPECT_EQ(quiet.chain.as_sticky()->move(), 1e-12);
  expect_never_down(quiet.history);
  const auto quieter = baum_welch(Chain::sticky(2, 1e-15), {still}, {.estimate_initial = true});
  EXPECT_EQ(quieter.chain.as_sticky()->move(), 1e-15);
}

TEST(BaumWelch, APriorCountsAsStepsSeen) {
  const TrainingSequence still{.log_likelihoods = {Matrix::Zero(5, 3)}, .labels = {{0, 0, 0, 0, 0}}};
  const BaumWelchOptions options{.prior = {.switches = 2, .stays = 94}};
  const auto result = baum_welch(Chain::sticky(3, 0.1), {still}, options);
  EXPECT_NEAR(result.chain.as_sticky()->move(), 2.0 / 100 / 2, 1e-15);  // two targets share the hazard
  expect_never_down(result.history);
  const double expected = std::log(1.0 / 3) + (4 * std::log(0.98)) + (2 * std::log(0.02)) + (94 * std::log(0.98));
  EXPECT_NEAR(result.history.back(), expected, 1e-12);
}

TEST(BaumWelch, KeepsWhatItIsNotAskedToEstimate) {
  RandomStream random(64);
  const auto sequences = sequences_of(Chain::sticky(2, 0.1), 50, 2, random);
  const Chain start = Chain::sticky(2, 0.01).with_initial(std::array{0.3, 0.7});
  const auto fixed = baum_welch(start, sequences, {.estimate_transition = false});
  EXPECT_EQ(fixed.chain.as_sticky()->move(), 0.01);
  EXPECT_EQ(fixed.chain.initial()[0], 0.3);
  EXPECT_TRUE(fixed.converged);
  EXPECT_EQ(fixed.iterations, 1);
  EXPECT_EQ(baum_welch(start, sequences).chain.initial()[0], 0.3);
  const auto none = baum_welch(start, sequences, {.max_iterations = 0});
  EXPECT_EQ(none.chain.as_sticky()->move(), 0.01);
  EXPECT_EQ(none.history.size(), 1U);
  EXPECT_FALSE(none.converged);
  EXPECT_EQ(
      largest_difference(none.posteriors[1].values, heed::hmm::smooth(start, sequences[1].log_likelihoods).values), 0);
}

// A state nobody is ever in keeps its row.
TEST(BaumWelch, UnvisitedRowsStay) {
  Matrix transition(3, 3);
  transition << 0.5, 0.5, 0, 0.5, 0.5, 0, 0.2, 0.3, 0.5;
  const Chain start = Chain::make(transition).with_initial(std::array{1.0, 0.0, 0.0});
  const TrainingSequence sequence{.log_likelihoods = {Matrix::Zero(4, 3)}, .labels = {{0, 0, 1, 1}}};
  const auto chain = baum_welch(start, {sequence}).chain;
  EXPECT_NEAR(chain.transition(From{2}, To{1}), 0.3, 1e-15);
  EXPECT_NEAR(chain.transition(From{0}, To{0}), 0.5, 1e-15);
  EXPECT_EQ(chain.transition(From{1}, To{1}), 1);
}

// Means of two Gaussians learnt without labels: the caller's M-step in full.
TEST(BaumWelch, TheCallerBringsTheEmission) {
  RandomStream random(65);
  const auto path = heed::hmm::sample_prior(Chain::sticky(2, 0.02), 4000, random);
  const Matrix scores = scores_of(path.states, 2, 1.5, random);
  double attended = 0.3;
  double unattended = 0.1;
  const auto log_likelihoods = [&] {
    Matrix values(scores.rows(), 2);
    for (Index t = 0; t < scores.rows(); ++t) {
      for (Index j = 0; j < 2; ++j) {
        values(t, j) = -0.5 * (std::pow(scores(t, j) - attended, 2) + std::pow(scores(t, 1 - j) - unattended, 2));
      }
    }
    return LogLikelihoods{values};
  };
  const auto m_step = [&](std::span<const Posteriors> posteriors) {
    const Matrix& gamma = posteriors.front().values;
    attended = (gamma.array() * scores.array()).sum() / static_cast<double>(scores.rows());
    unattended = ((1 - gamma.array()) * scores.array()).sum() / static_cast<double>(scores.rows());
    return std::vector{log_likelihoods()};
  };
  const auto result =
      baum_welch(Chain::sticky(2, 0.1), {{.log_likelihoods = log_likelihoods(), .labels = {}}}, {}, m_step);
  EXPECT_TRUE(result.converged);
  expect_never_down(result.history);
  EXPECT_NEAR(attended, 1.5, 0.06);
  EXPECT_NEAR(unattended, 0, 0.06);
  EXPECT_NEAR(result.chain.as_sticky()->move(), 0.02, 0.006);
}

TEST(BaumWelch, AnMStepThatHarmsIsNotFollowed) {
  RandomStream random(66);
  const auto sequences = sequences_of(Chain::sticky(2, 0.1), 50, 1, random);
  const auto harm = [](std::span<const Posteriors> posteriors) {
    return std::vector{LogLikelihoods{Matrix::Constant(posteriors.front().values.rows(), 2, -100.0)}};
  };
  const auto result = baum_welch(Chain::sticky(2, 0.2), sequences, {}, harm);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.history.size(), 1U);
  EXPECT_EQ(result.chain.as_sticky()->move(), 0.2);
}

TEST(BaumWelch, RefusesWhatDoesNotFit) {
  const Chain chain = Chain::sticky(2, 0.1);
  const TrainingSequence good{.log_likelihoods = {Matrix::Zero(3, 2)}, .labels = {}};
  const TrainingSequence wide{.log_likelihoods = {Matrix::Zero(3, 3)}, .labels = {}};
  expect_error(ErrorKind::bad_data, {"no windows"}, [&] { baum_welch(chain, {}); });
  expect_error(ErrorKind::bad_data, {"no windows"}, [&] { baum_welch(chain, {TrainingSequence{}}); });
  expect_error(ErrorKind::invalid_argument, {"sequence 1", "3 columns"}, [&] { baum_welch(chain, {good, wide}); });
  expect_error(ErrorKind::invalid_argument, {"prior"}, [&] { baum_welch(chain, {good}, {.prior = {.switches = -1}}); });
  expect_error(ErrorKind::invalid_argument, {"prior", "sticky"},
               [&] { baum_welch(Chain::make(Matrix::Constant(2, 2, 0.5)), {good}, {.prior = {.stays = 1}}); });
  expect_error(ErrorKind::invalid_argument, {"max_iterations"},
               [&] { baum_welch(chain, {good}, {.max_iterations = -1}); });
  expect_error(ErrorKind::invalid_argument, {"emission step"}, [&] {
    baum_welch(chain, {good}, {}, [](std::span<const Posteriors>) { return std::vector<LogLikelihoods>{}; });
  });
  expect_error(ErrorKind::invalid_argument, {"emission step"}, [&] {
    baum_welch(chain, {good}, {},
               [](std::span<const Posteriors>) { return std::vector{LogLikelihoods{Matrix::Zero(2, 2)}}; });
  });
}

TEST(BaumWelch, EmptySequencesAmongOthersDoNoHarm) {
  RandomStream random(67);
  auto sequences = sequences_of(Chain::sticky(2, 0.1), 100, 1, random);
  const auto alone = baum_welch(Chain::sticky(2, 0.2), sequences, {.estimate_initial = true});
  sequences.emplace_back();
  const auto beside = baum_welch(Chain::sticky(2, 0.2), sequences, {.estimate_initial = true});
  EXPECT_EQ(alone.history, beside.history);
  EXPECT_EQ(beside.posteriors.size(), 2U);
}

}  // namespace
