// SPDX-License-Identifier: MIT
// Listeners: waves where and when they should be, and strengths that spread over a cohort.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <sim/recording_run.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace heed::sim {
namespace {

TEST(Listener, HasThreeWavesAndASlowPotentialLargestInFrontOfTheCentre) {
  const RecordingCohortOptions options;
  const auto names = electrodes(64);
  for (int participant = 1; participant <= 5; ++participant) {
    const Listener listener = simulate_listener(options, participant);
    ASSERT_EQ(listener.responses.size(), 4U);
    const std::array latencies{0.05, 0.105, 0.185, 0.15};
    for (std::size_t k = 0; k < 4; ++k) {
      const ResponseComponent& wave = listener.responses[k];
      EXPECT_EQ(wave.name, (std::array{"P1", "N1", "P2", "SP"}[k]));
      EXPECT_NEAR(wave.latency.value, latencies[k], 0.035);
      EXPECT_GT(wave.attended * (k == 1 ? -1 : 1), 0);
      EXPECT_LT(std::abs(wave.unattended), std::abs(wave.attended));
      const auto at = [&](const char* name) { return wave.pattern[std::ranges::find(names, name) - names.begin()]; };
      EXPECT_GT(at("FCz"), 0.4);
      EXPECT_GT(at("FCz"), at("Oz"));
      EXPECT_LT(at("P9"), 0);  // turned round below
      EXPECT_LT(at("P10"), 0);
    }
    // The later, the more attention matters.
    const auto share = [&](std::size_t k) { return listener.responses[k].unattended / listener.responses[k].attended; };
    EXPECT_GT(share(0), share(1));
    EXPECT_GT(share(1), share(2));
  }
}

TEST(Listener, DoesNotDependOnTheOthersOrOnWhichElectrodesAreThere) {
  RecordingCohortOptions options;
  const Listener whole = simulate_listener(options, 3);
  options.participants = 40;
  options.trials = 1;
  options.channels = {"Oz", "Cz"};
  const Listener part = simulate_listener(options, 3);
  const auto names = electrodes(64);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(part.responses[k].attended, whole.responses[k].attended);
    EXPECT_EQ(part.responses[k].pattern[1], whole.responses[k].pattern[std::ranges::find(names, "Cz") - names.begin()]);
  }
}

TEST(Listener, StrengthIsProportionalToTheSignalAndSpreads) {
  RecordingCohortOptions options;
  const double usual = simulate_listener(options, 1).responses[2].attended;
  options.signal = 3;
  EXPECT_NEAR(simulate_listener(options, 1).responses[2].attended, 3 * usual, 1e-12);
  options.signal = 0;
  EXPECT_EQ(simulate_listener(options, 1).responses[2].attended, 0);
  options = {};
  const auto ratios = [&](double spread) {
    std::vector<double> values;
    for (int participant = 1; participant <= 8; ++participant) {
      options.signal_spread = 0;
      const double even = simulate_listener(options, participant).responses[0].attended;
      options.signal_spread = spread;
      values.push_back(simulate_listener(options, participant).responses[0].attended / even);
    }
    return values;
  };
  double mean = 0;
  double squares = 0;
  for (const double value : ratios(0.2)) mean += value / 8;
  for (const double value : ratios(0.2)) squares += (value - mean) * (value - mean) / 8;
  EXPECT_NEAR(mean, 1, 0.05);
  EXPECT_NEAR(std::sqrt(squares), 0.2, 0.08);
}

TEST(Listener, KernelIsTheSumOfItsWaves) {
  RecordingCohortOptions options;
  options.channels = {"FCz", "Oz", "P9"};
  const Listener listener = simulate_listener(options, 2);
  const Matrix kernel = response_kernel(listener, Attention::attended, Hertz{128});
  ASSERT_EQ(kernel.rows(), 52);  // 0 to 400 ms
  ASSERT_EQ(kernel.cols(), 3);
  // Areas: the bells of the waves are narrow against the lags and keep theirs; the slow potential is cut off at both
  // ends.
  Eigen::RowVectorXd area = Eigen::RowVectorXd::Zero(3);
  for (const ResponseComponent& wave : listener.responses) {
    const double kept = response_bell(wave, Hertz{128}).sum();
    EXPECT_NEAR(kept, wave.name == "SP" ? 0.68 : 1, wave.name == "SP" ? 0.1 : 1e-3);
    area += wave.attended * kept * wave.pattern.transpose();
  }
  EXPECT_LT((kernel.colwise().sum() - area).cwiseAbs().maxCoeff(), 1e-9 * area.cwiseAbs().maxCoeff());
  // The rate does not matter: the same area in twice as many lags.
  const Matrix finer = response_kernel(listener, Attention::attended, Hertz{256});
  EXPECT_LT((finer.colwise().sum() - area).cwiseAbs().maxCoeff(), 0.02 * area.cwiseAbs().maxCoeff());
  const Matrix ignored = response_kernel(listener, Attention::unattended, Hertz{128});
  EXPECT_LT(ignored.col(0).cwiseAbs().maxCoeff(), kernel.col(0).cwiseAbs().maxCoeff());
}

TEST(Listener, RefusesElectrodesItDoesNotKnow) {
  RecordingCohortOptions options;
  options.channels = {"Cz", "nose"};
  EXPECT_THROW((void)simulate_listener(options, 1), Error);
}

}  // namespace
}  // namespace heed::sim
