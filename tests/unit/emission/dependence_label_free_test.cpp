// SPDX-License-Identifier: MIT
#include <heed/emission/dependence.h>
#include <heed/emission/label_free.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/emission_cases.h"

namespace heed::emission {
namespace {

using test::scored_participant;

DependentFit fit(const ScoredParticipant& participant, const hmm::Chain& chain, Spread spread = Spread::shared) {
  const auto start = fit_baum_welch({&participant, 1}, chain, {.fisher = false, .spread = spread});
  return fit_without_labels({&participant, 1}, chain, start.emission, {.fisher = false, .spread = spread});
}

TEST(DependenceLabelFree, FindsTheAutocorrelation) {
  for (const Index speakers : {2, 3}) {
    const auto one = scored_participant({.windows = 6000,
                                         .speakers = speakers,
                                         .trials = 2,
                                         .block = 200,
                                         .mu_attended = 0.5,
                                         .mu_unattended = -0.1,
                                         .sigma = 0.6,
                                         .autocorrelation = 0.88,
                                         .seed = 1});
    const DependentFit found = fit(one, hmm::Chain::sticky(speakers, 0.005));
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.dependence.autocorrelation, 0.88, 0.02);
    EXPECT_NEAR(found.emission.sigma_attended, 0.6, 0.05);
    EXPECT_NEAR(found.emission.mu_attended - found.emission.mu_unattended, 0.6, 0.1);
    for (std::size_t k = 1; k < found.history.size(); ++k) EXPECT_GE(found.history[k], found.history[k - 1]);
  }
}

TEST(DependenceLabelFree, IndependentScoresStayIndependent) {
  const auto one = scored_participant({.windows = 4000, .block = 200, .seed = 3});
  const DependentFit found = fit(one, hmm::Chain::sticky(2, 0.005));
  EXPECT_LT(found.dependence.autocorrelation, 0.05);
}

// s and -s: what the two columns have in common is their difference alone, and its density tells when to stop.
TEST(DependenceLabelFree, RepeatedColumns) {
  auto one = scored_participant({.windows = 6000, .block = 200, .sigma = 0.6, .autocorrelation = 0.8, .seed = 4});
  for (ScoredTrial& trial : one.trials) {
    trial.scores.values.col(0) -= Eigen::VectorXd(trial.scores.values.col(1));
    trial.scores.values.col(1) = -trial.scores.values.col(0);
  }
  const DependentFit found = fit(one, hmm::Chain::sticky(2, 0.005), Spread::exchangeable);
  EXPECT_NEAR(found.dependence.autocorrelation, 0.8, 0.03);
  EXPECT_NEAR(found.emission.correlation, -1, 1e-6);
  for (std::size_t k = 1; k < found.history.size(); ++k) EXPECT_GE(found.history[k], found.history[k - 1]);
}

}  // namespace
}  // namespace heed::emission
