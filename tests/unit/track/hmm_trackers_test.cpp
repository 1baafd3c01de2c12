// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>
#include <heed/track/method.h>

#include <cmath>
#include <limits>

namespace heed::track {
namespace {

class HmmTrackers : public ::testing::Test {
 protected:
  HmmTrackers() {
    RandomStream random(11);
    for (Index t = 0; t < log_likelihoods_.values.rows(); ++t) {
      for (Index j = 0; j < 3; ++j) log_likelihoods_.values(t, j) = random.normal();
    }
    log_likelihoods_.values.row(7).setConstant(std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] Evidence evidence() const { return {scores_, log_likelihoods_}; }

  hmm::Chain chain_ = hmm::Chain::sticky(3, 0.05);
  Scores scores_{Matrix::Zero(40, 3), Seconds{0.5}};
  LogLikelihoods log_likelihoods_{Matrix(40, 3), Seconds{0.5}};
};

TEST_F(HmmTrackers, RawIsTheSoftmaxOfEachWindow) {
  const Tracked raw = RawTracker::track(evidence());
  for (Index t = 0; t < 40; ++t) {
    const Eigen::RowVectorXd weights = log_likelihoods_.values.row(t).array().exp();
    for (Index j = 0; j < 3; ++j) {
      const double expected = t == 7 ? 1.0 / 3 : weights(j) / weights.sum();
      EXPECT_NEAR(raw.posteriors.values(t, j), expected, 1e-14) << "window " << t;
    }
  }
  EXPECT_EQ(raw.decisions.states[7], raw.decisions.states[6]) << "a missing window holds the decision";
  EXPECT_EQ(raw.posteriors.held, 1);
  EXPECT_EQ(RawTracker::look_ahead(Seconds{0.5}), Seconds{0});
}

TEST_F(HmmTrackers, CausalIsTheFilterAndDecidesByTheRule) {
  const Tracked causal = CausalTracker{chain_}.track(evidence());
  EXPECT_EQ(causal.posteriors.values, hmm::filter(chain_, log_likelihoods_).values);
  EXPECT_EQ(causal.decisions.states, decide(causal.posteriors).states);
  EXPECT_EQ(causal.decisions.window, Seconds{0.5});
}

TEST_F(HmmTrackers, SmoothSeesTheWholeTrial) {
  const SmoothTracker tracker{chain_};
  EXPECT_EQ(tracker.track(evidence()).posteriors.values, hmm::smooth(chain_, log_likelihoods_).values);
  EXPECT_TRUE(std::isinf(SmoothTracker::look_ahead(Seconds{0.5}).value));
}

TEST_F(HmmTrackers, ViterbiIsOneHotAlongThePath) {
  const ViterbiTracker tracker{chain_};
  const Tracked tracked = tracker.track(evidence());
  const Path path = hmm::viterbi(chain_, log_likelihoods_);
  EXPECT_EQ(tracked.decisions.states, path.states);
  EXPECT_EQ(tracked.decisions.log_probability, path.log_probability);
  for (Index t = 0; t < 40; ++t) {
    EXPECT_EQ(tracked.posteriors.values.row(t).sum(), 1);
    EXPECT_EQ(tracked.posteriors.values(t, path.states[static_cast<std::size_t>(t)]), 1);
  }
  EXPECT_EQ(tracked.posteriors.log_evidence, hmm::filter(chain_, log_likelihoods_).log_evidence);
  EXPECT_TRUE(std::isinf(ViterbiTracker::look_ahead(Seconds{0.5}).value));
}

TEST_F(HmmTrackers, ABankIsEveryMethodOfAnUnknownP) {
  const auto bank = hmm::Bank::per_second(3, Seconds{0.5});
  const auto tracked = [&](Method method) { return BankTracker{bank, method, Seconds{2}}.track(evidence()); };
  const Tracked causal = tracked(Method::causal);
  EXPECT_EQ(causal.posteriors.values, filter(bank, log_likelihoods_).posteriors.values);
  EXPECT_EQ(causal.decisions.states, decide(causal.posteriors).states);
  EXPECT_EQ(tracked(Method::smooth).posteriors.values, smooth(bank, log_likelihoods_).posteriors.values);
  EXPECT_EQ(tracked(Method::fixed_lag).posteriors.values,
            fixed_lag(bank, log_likelihoods_, Seconds{2}).posteriors.values);
  const Tracked best = tracked(Method::viterbi);
  EXPECT_EQ(best.decisions.states, viterbi(bank, log_likelihoods_).path.states);
  EXPECT_EQ(best.posteriors.log_evidence, causal.posteriors.log_evidence);
  EXPECT_EQ(best.posteriors.values.sum(), 40) << "one-hot";
  for (const Method method : {Method::fixed_lag, Method::viterbi}) {
    EXPECT_EQ(tracked(method).switching.weights, causal.switching.weights) << "all have heard the same of p";
  }
  // The smoother's kernel adds in another order.
  EXPECT_LT((tracked(Method::smooth).switching.weights - causal.switching.weights).cwiseAbs().maxCoeff(), 1e-14);
  const BankTracker next = BankTracker{bank}.after(causal);
  EXPECT_EQ(next.bank.weights(), causal.switching.after);
  EXPECT_NE(next.track(evidence()).posteriors.values, causal.posteriors.values);
}

TEST_F(HmmTrackers, FixedLagCountsItsLagInSeconds) {
  const FixedLagTracker tracker{chain_, Seconds{2}};
  EXPECT_EQ(tracker.track(evidence()).posteriors.values, hmm::fixed_lag(chain_, log_likelihoods_, Seconds{2}).values);
  EXPECT_EQ(tracker.look_ahead(Seconds{0.5}), Seconds{2});
  EXPECT_EQ(tracker.look_ahead(Seconds{1.5}), Seconds{3}) << "whole windows are waited for";
}

}  // namespace
}  // namespace heed::track
