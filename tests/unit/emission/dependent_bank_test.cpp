// SPDX-License-Identifier: MIT
// Scores that repeat each other, of a listener whose switch probability nobody knows: against every path, offset and
// value of p.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/emission/dependence.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/allocation_counter.h"
#include "support/dependence_oracle.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> values{0.001, 0.02, 0.2};

DependentGaussian model_of(Index speakers, bool with_offset) {
  const GaussianEmission emission{
      .fisher = false, .mu_attended = 0.3, .mu_unattended = -0.1, .sigma_attended = 0.4, .sigma_unattended = 0.4};
  return DependentGaussian::make(emission, {.autocorrelation = 0.7, .offset_sigma = with_offset ? 0.2 : 0}, speakers);
}

Scores random_scores(Index windows, Index speakers, double missing, RandomStream& random) {
  Scores scores{.values = Matrix(windows, speakers)};
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) scores.values(t, j) = 0.5 * random.normal();
    if (random.uniform() < missing) scores.values.row(t).setConstant(nan);
  }
  return scores;
}

// What windows 0 ... m say of p and of every window, given what was known of p before.
struct Truth {
  std::vector<double> p{};
  Matrix posteriors{};
  double log_evidence = 0;
};

Truth truth_after(const DependentGaussian& model, const Matrix& z, std::span<const double> prior) {
  std::vector<long double> joint;
  std::vector<Matrix> given;
  for (std::size_t g = 0; g < values.size(); ++g) {
    const auto one = test::DependenceOracle(test::plain_sticky_chain(z.cols(), values[g]), model, z).enumerate();
    joint.push_back(prior[g] * std::exp(static_cast<long double>(one.log_evidence)));
    given.push_back(one.given.back());
  }
  long double total = 0;
  for (const long double one : joint) total += one;
  Truth truth{.posteriors = Matrix::Zero(z.rows(), z.cols()), .log_evidence = static_cast<double>(std::log(total))};
  for (std::size_t g = 0; g < joint.size(); ++g) {
    truth.p.push_back(static_cast<double>(joint[g] / total));
    truth.posteriors += truth.p.back() * given[g];
  }
  return truth;
}

void expect_near(std::span<const double> found, std::span<const double> expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-12) << k;
}

// Every row of every look-ahead, p after every window, and the evidence; returns what is known of p at the end.
void expect_enumerated(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores,
                       std::vector<double>& known) {
  const Index windows = scores.values.rows();
  std::vector<Truth> truth;
  for (Index m = 0; m < windows; ++m) truth.push_back(truth_after(model, scores.values.topRows(m + 1), known));
  for (Index lag = 0; lag <= windows; ++lag) {
    const auto found = fixed_lag(bank, model, scores, static_cast<double>(lag) * scores.hop);
    ASSERT_NEAR(found.posteriors.log_evidence, truth.back().log_evidence, 1e-11);
    for (Index t = 0; t < windows; ++t) {
      expect_near(data::view(found.switching.weights).row(t), truth[static_cast<std::size_t>(t)].p);
      const Truth& seen = truth[static_cast<std::size_t>(std::min(t + lag, windows - 1))];
      expect_near(data::view(found.posteriors.values).row(t), data::view(seen.posteriors).row(t));
    }
  }
  ASSERT_EQ(filter(bank, model, scores).posteriors.values,
            fixed_lag(bank, model, scores, Seconds{0}).posteriors.values);
  const auto smoothed = smooth(bank, model, scores);
  for (Index t = 0; t < windows; ++t) {
    expect_near(data::view(smoothed.posteriors.values).row(t), data::view(truth.back().posteriors).row(t));
  }
  known = truth.back().p;
}

TEST(DependentBank, IsTheSumOverAllPathsOffsetsAndValues) {
  RandomStream random(31);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    const bool with_offset = k % 2 == 0;
    const Index speakers = with_offset ? 2 : 2 + (k % 4) / 2;
    const DependentGaussian model = model_of(speakers, with_offset);
    auto bank = hmm::Bank::make(speakers, values);
    std::vector<double> known(values.size(), 1 / static_cast<double>(values.size()));
    for (int trial = 0; trial < 2; ++trial) {  // what the first says of p is where the second begins
      const Scores scores = random_scores(speakers == 2 ? 6 : 5, speakers, 0.25, random);
      expect_enumerated(bank, model, scores, known);
      bank = bank.with_weights(filter(bank, model, scores).switching.after);
    }
  }
}

TEST(DependentBank, OfOneValueIsTheChain) {
  RandomStream random(32);
  for (const bool with_offset : {false, true}) {
    const DependentGaussian model = model_of(2, with_offset);
    const Scores scores = random_scores(60, 2, 0.1, random);
    const auto bank = hmm::Bank::make(2, std::vector{0.02});
    const auto chain = hmm::Chain::sticky(2, 0.02);
    EXPECT_EQ(filter(bank, model, scores).posteriors.values, filter(chain, model, scores).values);
    EXPECT_EQ(smooth(bank, model, scores).posteriors.values, smooth(chain, model, scores).values);
    EXPECT_EQ(viterbi(bank, model, scores).path.states, viterbi(chain, model, scores).states);
  }
}

// Scores that do not repeat each other: what hmm says of the log-likelihoods.
TEST(DependentBank, WithoutDependenceItIsTheBank) {
  RandomStream random(33);
  const GaussianEmission emission{
      .fisher = false, .mu_attended = 0.3, .mu_unattended = -0.1, .sigma_attended = 0.4, .sigma_unattended = 0.4};
  const auto model = DependentGaussian::make(emission, {}, 3);
  const Scores scores = random_scores(200, 3, 0.1, random);
  LogLikelihoods windows{Matrix(200, 3), scores.window, scores.hop};
  for (Index t = 0; t < 200; ++t) {
    for (Index j = 0; j < 3; ++j) windows.values(t, j) = 0.4 / 0.16 * scores.values(t, j);
  }
  const auto bank = hmm::Bank::make(3, values);
  const auto found = smooth(bank, model, scores);
  const auto expected = hmm::smooth(bank, windows);
  EXPECT_LT((found.posteriors.values - expected.posteriors.values).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((found.switching.weights - expected.switching.weights).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(viterbi(bank, model, scores).path.states, hmm::viterbi(bank, windows).path.states);
}

TEST(DependentBank, StreamsAreWholeTrialsToTheBitAndDoNotAllocate) {
  RandomStream random(34);
  for (const bool with_offset : {false, true}) {
    const DependentGaussian model = model_of(2, with_offset);
    auto bank = hmm::Bank::per_second(2, Seconds{1});
    DependentStream stream(bank, model, 5);
    std::vector<double> posterior(2);
    for (int trial = 0; trial < 3; ++trial) {
      const Scores scores = random_scores(90, 2, 0.1, random);
      const auto filtered = filter(bank, model, scores);
      const auto lagged = fixed_lag(bank, model, scores, Seconds{5});
      const test::AllocationCount allocations;
      for (Index t = 0; t < 90; ++t) {
        stream.step(data::view(scores.values).row(t));
        ASSERT_EQ(stream.belief()[0], filtered.posteriors.values(t, 0)) << t;
        if (t >= 5) {
          ASSERT_TRUE(stream.look_back(5, posterior));
          ASSERT_EQ(posterior[1], lagged.posteriors.values(t - 5, 1)) << t;
        }
      }
      EXPECT_EQ(allocations.so_far(), 0U);
      ASSERT_EQ(stream.known(), filtered.switching.after);
      stream.reset();
      bank = bank.with_weights(filtered.switching.after);
    }
  }
}

TEST(DependentBank, FindsHowOftenAListenerSwitches) {
  RandomStream random(35);
  const DependentGaussian model = model_of(2, false);
  const auto& e = model.emission();
  for (const Index every : {25, 400}) {
    Scores scores{.values = Matrix(4000, 2)};
    Eigen::RowVector2d noise(0, 0);
    for (Index t = 0; t < 4000; ++t) {
      for (Index j = 0; j < 2; ++j) {
        noise[j] = (0.7 * noise[j]) + (std::sqrt(1 - 0.49) * e.sigma_attended * random.normal());
        scores.values(t, j) = noise[j] + ((t / every) % 2 == j ? e.mu_attended : e.mu_unattended);
      }
    }
    const auto found = filter(hmm::Bank::per_second(2, Seconds{1}), model, scores);
    const auto heaviest = found.switching.after.heaviest();
    EXPECT_EQ(heaviest, every == 25 ? 5U : 3U) << hmm::bank_probabilities_per_second[heaviest];
  }
}

TEST(DependentBank, LearnsFromAnother) {
  RandomStream random(36);
  const DependentGaussian model = model_of(2, true);
  const auto bank = hmm::Bank::per_second(2, Seconds{1});
  DependentStream before(bank, model);
  const Scores scores = random_scores(50, 2, 0, random);
  for (Index t = 0; t < 50; ++t) before.step(data::view(scores.values).row(t));
  DependentStream after(bank, model);
  ASSERT_TRUE(after.learn_from(before));
  expect_near(after.probabilities(), before.probabilities());
  EXPECT_FALSE(after.learn_from(DependentStream(hmm::Chain::sticky(2, 0.1), model)));
  EXPECT_FALSE(DependentStream(hmm::Chain::sticky(2, 0.1), model).switching());
  test::expect_error(ErrorKind::invalid_argument, {"3 states"},
                     [&] { (void)filter(hmm::Bank::per_second(3, Seconds{1}), model, scores); });
}

}  // namespace
}  // namespace heed::emission
