// SPDX-License-Identifier: MIT
#include <heed/data/random.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/allocation_counter.h"
#include "support/dependence_oracle.h"
#include "support/expect_error.h"
#include "support/hmm_cases.h"

namespace heed::emission {
namespace {

using test::DependenceOracle;
using test::largest_difference;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

GaussianEmission gaussian(double attended, double unattended, double sigma) {
  return {.fisher = false,
          .mu_attended = attended,
          .mu_unattended = unattended,
          .sigma_attended = sigma,
          .sigma_unattended = sigma};
}

Scores scores_of(std::vector<std::vector<double>> rows) {
  Scores scores{.values = Matrix(std::ssize(rows), std::ssize(rows.front()))};
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t j = 0; j < rows[t].size(); ++j) {
      scores.values(static_cast<Index>(t), static_cast<Index>(j)) = rows[t][j];
    }
  }
  return scores;
}

void expect_row(const Matrix& values, Index t, std::vector<double> wanted) {
  for (std::size_t j = 0; j < wanted.size(); ++j) EXPECT_NEAR(values(t, static_cast<Index>(j)), wanted[j], 1e-9) << t;
}

// Numbers of an implementation of its own, checked there by enumeration.
TEST(Dependence, AutoregressiveGolden) {
  const Scores scores = scores_of({{.30, -.10, .05}, {.25, 0, .10}, {-.05, .20, 0}, {0, .35, -.10}, {.10, .30, .05}});
  const auto model = DependentGaussian::make(gaussian(0.124, 0.037, 0.3), {.autocorrelation = 0.6}, 3);
  const auto chain = hmm::Chain::sticky(3, 0.02);
  const Posteriors filtered = filter(chain, model, scores);
  EXPECT_NEAR(filtered.log_evidence, 4.9834231662, 1e-9);
  expect_row(filtered.values, 2, {.3574294122, .3278073779, .3147632099});
  expect_row(filtered.values, 4, {.3482409463, .3627633946, .2889956590});
  const Posteriors smoothed = smooth(chain, model, scores);
  expect_row(smoothed.values, 0, {.3710660753, .3339894906, .2949444341});
  EXPECT_NEAR(smoothed.log_evidence, filtered.log_evidence, 1e-12);
  EXPECT_EQ(viterbi(chain, model, scores).states, (std::vector<Speaker>{0, 0, 0, 0, 0}));
}

TEST(Dependence, OffsetGolden) {
  std::vector<std::vector<double>> rows;
  for (const double d : {.5, .2, .6, -.3, -.4, -.1}) rows.push_back({d / 2, -d / 2});
  GaussianEmission emission = gaussian(0.05, -0.05, 0.2);  // the difference: delta .1, variance 4 x .04
  emission.spread = Spread::exchangeable;
  emission.correlation = -1;
  std::vector<DependentGaussian::Offset> offsets;
  for (const double b : {-.4, -.2, 0., .2, .4}) offsets.push_back({b, std::exp(-b * b / 0.08)});
  const auto model =
      DependentGaussian::make(emission, {.autocorrelation = 0.5, .offset_sigma = 0.2}, 2).with_offsets(offsets);
  const Posteriors filtered = filter(hmm::Chain::sticky(2, 0.02), model, scores_of(rows));
  const std::vector<double> log_odds{.5057200555, .4194815061, .6972173172, .2457007787, .0694464513, .1139730586};
  for (std::size_t t = 0; t < log_odds.size(); ++t) {
    const auto row = filtered.values.row(static_cast<Index>(t));
    EXPECT_NEAR(std::log(row(0) / row(1)), log_odds[t], 1e-9) << t;
  }
}

struct Case {
  test::PlainChain plain;
  hmm::Chain chain;
  DependentGaussian model;
  Scores scores;
};

Case random_case(RandomStream& random, bool with_offset) {
  const Index speakers = with_offset ? 2 : random.integer(2, 3);
  const Index windows = random.integer(1, with_offset ? 7 : speakers == 2 ? 7 : 6);
  const bool sticky = random.uniform() < 0.5;
  const double p = 0.3 / static_cast<double>(speakers);
  test::PlainChain plain =
      sticky ? test::plain_sticky_chain(speakers, p) : test::random_chain(speakers, {.zero = 0.15}, random);
  plain.initial = test::random_distribution(speakers, 0, random);
  const auto chain =
      (sticky ? hmm::Chain::sticky(speakers, p) : hmm::Chain::make(plain.transition)).with_initial(plain.initial);
  GaussianEmission emission = gaussian(0.4 * random.uniform(), -0.3 * random.uniform(), 0.2 + random.uniform());
  if (random.uniform() < 0.4) {
    emission.spread = Spread::exchangeable;
    emission.correlation = (random.uniform() < 0.3 ? -1.0 : random.uniform() - 0.4) / static_cast<double>(speakers - 1);
  }
  const double sigma = emission.sigma_attended;
  const Dependence dependence{.autocorrelation = 0.95 * random.uniform(), .offset_sigma = with_offset ? sigma / 2 : 0};
  Scores scores{.values = Matrix(windows, speakers)};
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) scores.values(t, j) = sigma * random.normal();
    if (random.uniform() < 0.3) scores.values(t, random.integer(0, speakers - 1)) = nan;
  }
  return {plain, chain, DependentGaussian::make(emission, dependence, speakers), scores};
}

Matrix missing_whole(Matrix z) {
  for (Index t = 0; t < z.rows(); ++t) {
    if (z.row(t).hasNaN()) z.row(t).setConstant(nan);
  }
  return z;
}

// The filter at every window, every fixed lag, the smoother, the evidence and the best path.
void expect_enumerated(const Case& one) {
  const auto truth = DependenceOracle(one.plain, one.model, missing_whole(one.scores.values)).enumerate();
  const Index windows = one.scores.values.rows();
  const Posteriors filtered = filter(one.chain, one.model, one.scores);
  ASSERT_NEAR(filtered.log_evidence, truth.log_evidence, 1e-12 * std::max(1.0, std::abs(truth.log_evidence)));
  for (Index lag = 0; lag <= windows; ++lag) {
    const Posteriors lagged = fixed_lag(one.chain, one.model, one.scores, static_cast<double>(lag) * one.scores.hop);
    for (Index t = 0; t < windows; ++t) {
      const Matrix& given = truth.given[static_cast<std::size_t>(std::min(t + lag, windows - 1))];
      for (Index j = 0; j < given.cols(); ++j) ASSERT_NEAR(lagged.values(t, j), given(t, j), 1e-12) << lag << " " << t;
    }
    if (lag == 0) {
      ASSERT_EQ(largest_difference(lagged.values, filtered.values), 0);
    }
  }
  ASSERT_LT(largest_difference(smooth(one.chain, one.model, one.scores).values, truth.given.back()), 1e-12);
  const Path path = viterbi(one.chain, one.model, one.scores);
  ASSERT_NEAR(path.log_probability, truth.best, 1e-12 * std::max(1.0, std::abs(truth.best)));
  if (truth.best - truth.runner_up > 1e-9) {
    ASSERT_EQ(path.states, truth.best_path);
  }
}

TEST(Dependence, AutoregressiveIsTheSumOverAllPathsWithGaps) {
  RandomStream random(1);
  for (int k = 0; k < 400; ++k) {
    SCOPED_TRACE(k);
    expect_enumerated(random_case(random, false));
    if (HasFatalFailure()) return;
  }
}

TEST(Dependence, OffsetIsTheSumOverAllPathsAndOffsetsWithGaps) {
  RandomStream random(2);
  for (int k = 0; k < 150; ++k) {
    SCOPED_TRACE(k);
    expect_enumerated(random_case(random, true));
    if (HasFatalFailure()) return;
  }
}

// On a sticky chain a switch over a gap is placed in its first missing window.
TEST(Dependence, ASwitchOverAGapComesFirst) {
  const auto model = DependentGaussian::make(gaussian(1, 0, 0.3), {.autocorrelation = 0.5}, 2);
  const Scores scores = scores_of({{1, 0}, {1, 0}, {nan, nan}, {nan, 0}, {0, 1}, {0, 1}, {nan, 0}});
  const Path path = viterbi(hmm::Chain::sticky(2, 0.05), model, scores);
  EXPECT_EQ(path.states, (std::vector<Speaker>{0, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(path.held, 3);
}

Scores random_scores(Index windows, Index speakers, double missing, std::uint64_t seed) {
  RandomStream random(seed);
  Scores scores{.values = Matrix(windows, speakers)};
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) scores.values(t, j) = 0.3 * random.normal();
    if (random.uniform() < missing) scores.values(t, 0) = nan;
  }
  return scores;
}

TEST(Dependence, WithoutAutocorrelationItIsThePlainModel) {
  for (const Index speakers : {2, 3, 64}) {
    for (const bool exchangeable : {false, true}) {
      GaussianEmission emission = gaussian(0.124, 0.037, 0.3);
      if (exchangeable) {
        emission.spread = Spread::exchangeable;
        emission.correlation = 0.2;
      }
      const auto chain = hmm::Chain::sticky(speakers, 0.01);
      const auto model = DependentGaussian::make(emission, {}, speakers);
      const Scores scores = random_scores(200, speakers, 0.1, 3);
      const LogLikelihoods plain = log_likelihoods(emission, scores);
      EXPECT_LT(largest_difference(filter(chain, model, scores).values, hmm::filter(chain, plain).values), 1e-12);
      const Posteriors smoothed = hmm::smooth(chain, plain);
      EXPECT_LT(largest_difference(smooth(chain, model, scores).values, smoothed.values), 1e-11);
      EXPECT_NEAR(filter(chain, model, scores).log_evidence, smoothed.log_evidence,
                  1e-12 * std::abs(smoothed.log_evidence));
      EXPECT_EQ(viterbi(chain, model, scores).states, hmm::viterbi(chain, plain).states);
    }
  }
}

TEST(Dependence, AnOffsetThatDoesNotVaryIsNone) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const Scores scores = random_scores(300, 2, 0.1, 4);
  const auto without = DependentGaussian::make(gaussian(0.3, 0, 0.4), {.autocorrelation = 0.7}, 2);
  const auto with = without.with_offsets({{0, 0.3}, {0, 0.7}});
  EXPECT_LT(largest_difference(filter(chain, with, scores).values, filter(chain, without, scores).values), 1e-12);
  EXPECT_LT(largest_difference(smooth(chain, with, scores).values, smooth(chain, without, scores).values), 1e-12);
  const auto hardly = DependentGaussian::make(gaussian(0.3, 0, 0.4), {.autocorrelation = 0.7, .offset_sigma = 1e-9}, 2);
  EXPECT_LT(largest_difference(filter(chain, hardly, scores).values, filter(chain, without, scores).values), 1e-7);
}

// What is said in s and -s is said once.
TEST(Dependence, RepeatedColumnsCountOnce) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const Scores two = random_scores(100, 2, 0.1, 5);
  Scores one = two;
  one.values.col(0) = two.values.col(0) - two.values.col(1);
  one.values.col(1) = -one.values.col(0);
  const auto plain = DependentGaussian::make(gaussian(0.3, 0.1, 0.4), {.autocorrelation = 0.6}, 2);
  GaussianEmission emission = gaussian(0.2, -0.2, 0.4 * std::sqrt(2.0));
  emission.spread = Spread::exchangeable;
  emission.correlation = -1;
  const auto repeated = DependentGaussian::make(emission, {.autocorrelation = 0.6}, 2);
  EXPECT_LT(largest_difference(filter(chain, repeated, one).values, filter(chain, plain, two).values), 1e-12);
}

TEST(DependentStream, StepsHaveTheBitsOfTheBatchAndDoNotAllocate) {
  RandomStream random(6);
  for (const bool with_offset : {false, true}) {
    for (const bool sticky : {false, true}) {
      const Index speakers = with_offset ? 2 : 3;
      const auto chain = sticky ? hmm::Chain::sticky(speakers, 0.02)
                                : hmm::Chain::make(test::random_chain(speakers, {}, random).transition);
      const Dependence dependence{.autocorrelation = 0.8, .offset_sigma = with_offset ? 0.2 : 0};
      const auto model = DependentGaussian::make(gaussian(0.2, 0, 0.3), dependence, speakers);
      const Scores scores = random_scores(120, speakers, 0.3, 7);
      const Posteriors filtered = filter(chain, model, scores);
      const Posteriors lagged = fixed_lag(chain, model, scores, Seconds{5});
      DependentStream stream(chain, model, 5);
      std::vector<double> posterior(static_cast<std::size_t>(speakers));
      for (int round = 0; round < 2; ++round) {
        const test::AllocationCount allocations;
        for (Index t = 0; t < scores.values.rows(); ++t) {
          stream.step(data::view(scores.values).row(t));
          for (Index j = 0; j < speakers; ++j) {
            ASSERT_EQ(stream.belief()[static_cast<std::size_t>(j)], filtered.values(t, j));
          }
          if (t < 5) continue;
          ASSERT_TRUE(stream.look_back(5, posterior));
          for (Index j = 0; j < speakers; ++j) {
            ASSERT_EQ(posterior[static_cast<std::size_t>(j)], lagged.values(t - 5, j)) << t;
          }
        }
        EXPECT_EQ(allocations.so_far(), 0U);
        for (Index age = 0; age < 5; ++age) {
          ASSERT_TRUE(stream.look_back(age, posterior));
          for (Index j = 0; j < speakers; ++j) {
            ASSERT_EQ(posterior[static_cast<std::size_t>(j)], lagged.values(119 - age, j)) << age;
          }
        }
        stream.reset();
      }
    }
  }
}

TEST(DependentStream, GoesOnFromABelief) {
  const auto model = DependentGaussian::make(gaussian(0.2, 0, 0.3), {.autocorrelation = 0.8}, 2);
  const auto chain = hmm::Chain::sticky(2, 0.1);
  DependentStream stream(chain, model, 2);
  ASSERT_FALSE(stream.resume(std::vector{0.5, 0.4}));
  ASSERT_TRUE(stream.resume(std::vector{0.9, 0.1}));
  EXPECT_EQ(stream.step(std::vector{nan, 0.1}), core::Step::held);
  EXPECT_NEAR(stream.belief()[0], (0.9 * 0.9) + (0.1 * 0.1), 1e-15);
  EXPECT_EQ(stream.step(std::vector{0.1, 0.2, 0.3}), core::Step::wrong_size);
  EXPECT_EQ(stream.windows(), 2);
}

// Handed over to a stream of the same model and chain, nothing changes; windows that were missing at that moment count.
TEST(DependentStream, GoesOnFromAnotherStreamBitForBit) {
  const auto chain = hmm::Chain::sticky(2, 0.02);
  const auto model = DependentGaussian::make(gaussian(0.2, 0, 0.3), {.autocorrelation = 0.8, .offset_sigma = 0.2}, 2);
  Scores scores = random_scores(60, 2, 0.3, 9);
  for (const Index missing : {18, 19}) scores.values.row(missing).setConstant(nan);
  for (const Index handed_over : {1, 10, 19, 20, 21}) {
    DependentStream first(chain, model, 3);
    DependentStream second(chain, model, 3);
    for (Index t = 0; t < handed_over; ++t) first.step(data::view(scores.values).row(t));
    ASSERT_TRUE(second.resume(first));
    EXPECT_EQ(second.belief()[0], first.belief()[0]);
    std::vector<double> found(2);
    std::vector<double> expected(2);
    for (Index t = handed_over; t < 60; ++t) {
      ASSERT_EQ(first.step(data::view(scores.values).row(t)), second.step(data::view(scores.values).row(t)));
      ASSERT_EQ(second.belief()[0], first.belief()[0]) << handed_over << ", " << t;
      ASSERT_EQ(second.offset_posterior()[3], first.offset_posterior()[3]);
      // Hindsight reaches as far back as the hand-over.
      for (Index age = 0; age <= std::min<Index>(3, t - handed_over); ++age) {
        ASSERT_TRUE(second.look_back(age, found));
        ASSERT_TRUE(first.look_back(age, expected));
        ASSERT_EQ(found[0], expected[0]) << handed_over << ", " << t << ", " << age;
      }
    }
  }
  DependentStream other(chain, DependentGaussian::make(gaussian(0.2, 0, 0.3), {.autocorrelation = 0.7}, 2));
  EXPECT_FALSE(other.resume(DependentStream(chain, model)));
}

// Far beyond what any scores say: certain, never NaN.
TEST(DependentStream, StaysADistribution) {
  const auto model = DependentGaussian::make(gaussian(5, 0, 1), {.autocorrelation = 0.978}, 2);  // e^562 for staying
  DependentStream stream(hmm::Chain::sticky(2, 1e-4), model);
  RandomStream random(8);
  for (int t = 0; t < 2000; ++t) {
    const double scale = t % 7 == 0 ? 1e6 : 10;
    stream.step(std::vector{scale * random.normal(), scale * random.normal()});
    ASSERT_NEAR(stream.belief()[0] + stream.belief()[1], 1, 1e-12) << t;
  }
}

TEST(DependentGaussian, RefusesWhatMakesNoModel) {
  using test::expect_error;
  const GaussianEmission emission = gaussian(0.2, 0, 0.3);
  const auto refuses = [&](const GaussianEmission& e, const Dependence& dependence, Index speakers, const char* words) {
    expect_error(ErrorKind::invalid_argument, {words}, [&] { (void)DependentGaussian::make(e, dependence, speakers); });
  };
  refuses(emission, {.autocorrelation = 1}, 2, "is 1; it must be at least 0 and below 1");
  refuses(emission, {.autocorrelation = -0.1}, 2, "is -0.1; it must be");
  refuses(emission, {.autocorrelation = nan}, 2, "must be at least 0 and below 1");
  refuses(emission, {.autocorrelation = 0.5, .offset_sigma = -1}, 2, "sigma of the offset is -1");
  refuses(emission, {.autocorrelation = 0.5, .offset_sigma = 0.1}, 3, "between two speakers, not 3");
  refuses(gaussian(9, 0, 0.3), {.autocorrelation = 0.99}, 2, "30 sigmas apart");
  GaussianEmission separate = emission;
  separate.spread = Spread::separate;
  refuses(separate, {.autocorrelation = 0.5}, 2, "one sigma");
  const auto model = DependentGaussian::make(emission, {.autocorrelation = 0.5}, 2);
  expect_error(ErrorKind::invalid_argument, {"3 columns"},
               [&] { (void)filter(hmm::Chain::sticky(2, 0.1), model, random_scores(4, 3, 0, 1)); });
  expect_error(ErrorKind::invalid_argument, {"3 states"},
               [&] { (void)filter(hmm::Chain::sticky(3, 0.1), model, random_scores(4, 2, 0, 1)); });
  GaussianEmission fisher = emission;
  fisher.fisher = true;
  expect_error(ErrorKind::bad_data, {"window 2"}, [&] {
    (void)filter(hmm::Chain::sticky(2, 0.1), DependentGaussian::make(fisher, {.autocorrelation = 0.5}, 2),
                 scores_of({{0.1, 0.2}, {1.5, 0}}));
  });
}

}  // namespace
}  // namespace heed::emission
