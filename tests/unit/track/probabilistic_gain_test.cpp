// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/track/rivals.h>

#include <cmath>
#include <limits>

namespace heed::track {
namespace {

Tracked run(const ProbabilisticGainTracker& tracker, const Matrix& log_likelihoods) {
  return tracker.track({Scores{}, LogLikelihoods{log_likelihoods, {1}}});
}

TEST(ProbabilisticGain, MovesByWhatAWindowSays) {
  // P = 3/4 and 1/2, then sure of the second, then sure of the first four times.
  const double sure = std::numeric_limits<double>::infinity();
  const Matrix logs =
      (Matrix(7, 2) << std::log(3), 0, -7, -7, -sure, 0, 0, -sure, 0, -sure, 0, -sure, 0, -sure).finished();
  const Tracked tracked = run({.step = 0.4}, logs);
  const std::vector<double> gains{.7, .7, .3, .7, 1, 1, 1};
  for (std::size_t t = 0; t < gains.size(); ++t) {
    EXPECT_NEAR(tracked.posteriors.values(static_cast<Index>(t), 0), gains[t], 1e-15) << t;
    EXPECT_EQ(tracked.posteriors.values.row(static_cast<Index>(t)).sum(), 1);
  }
  EXPECT_EQ(tracked.decisions.states, (std::vector<Speaker>{0, 0, 1, 0, 0, 0, 0}));
}

TEST(ProbabilisticGain, HoldsMissingWindows) {
  const double inf = std::numeric_limits<double>::infinity();
  const Matrix logs = (Matrix(5, 3) << 2, 0, 0, NAN, 1, 1, 0, inf, 0, -inf, -inf, -inf, 0, 0, 0).finished();
  const Tracked tracked = run({}, logs);
  for (Index t = 1; t < 5; ++t) {
    for (Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(tracked.posteriors.values(t, j), tracked.posteriors.values(0, j), 1e-15) << t;
    }
  }
  EXPECT_EQ(tracked.posteriors.held, 3);
}

// The definition written out, for any number of speakers.
TEST(ProbabilisticGain, FollowsItsDefinitionForFourSpeakers) {
  RandomStream random(9);
  Matrix logs(300, 4);
  for (double& x : logs.reshaped()) x = 1.5 * random.normal();
  const Tracked tracked = run({.step = 0.2}, logs);
  Eigen::RowVectorXd gains = Eigen::RowVectorXd::Constant(4, 0.25);
  for (Index t = 0; t < logs.rows(); ++t) {
    const Eigen::RowVectorXd b = logs.row(t).array().exp();
    gains += 0.2 * ((b / b.sum()).array() - 0.25).matrix() * 4 / 3;
    gains = gains.cwiseMax(0).cwiseMin(1);
    gains /= gains.sum();
    for (Index j = 0; j < 4; ++j) EXPECT_NEAR(tracked.posteriors.values(t, j), gains(j), 1e-12) << t;
    Index best = 0;
    gains.maxCoeff(&best);
    EXPECT_EQ(tracked.decisions.states[static_cast<std::size_t>(t)], best);
  }
}

TEST(ProbabilisticGain, RefusesStepsThatAreNone) {
  for (const double step : {0.0, -0.4, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)run({.step = step}, Matrix::Zero(3, 2)), Error) << step;
  }
}

}  // namespace
}  // namespace heed::track
