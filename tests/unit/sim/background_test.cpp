// SPDX-License-Identifier: MIT
// The EEG between responses: its spectrum, its alpha rhythm, how it is shared by electrodes, and which way it leans.
#include <gtest/gtest.h>
#include <sim/background.h>

#include <cmath>
#include <numbers>

namespace heed::sim {
namespace {

constexpr double rate = 128;

SampleMatrix background(Index seconds, double lateralisation, double amount = 1, std::uint64_t seed = 4) {
  const Head head = make_head({"Cz", "C1", "Oz", "Fpz", "FT7", "FT8"});
  RandomStream traits(3);
  const BackgroundSources sources = draw_background(head, Hertz{10}, traits);
  const Index samples = seconds * 128;
  SampleMatrix result = SampleMatrix::Zero(samples, head.electrodes.rows());
  RandomStream random(seed);
  Background(sources, {Hertz{rate}, amount}, random).add(Eigen::VectorXd::Constant(samples, lateralisation), result);
  return result;
}

// Mean power a hertz of a channel from low to high, over blocks of 2 s.
double density(const SampleMatrix& samples, Index channel, double low, double high) {
  constexpr Index block = 256;
  double sum = 0;
  Index count = 0;
  for (Index first = 0; first + block <= samples.rows(); first += block) {
    for (double f = low; f < high; f += rate / block) {
      double re = 0;
      double im = 0;
      for (Index n = 0; n < block; ++n) {
        const double hann = 1 - std::cos(2 * std::numbers::pi * static_cast<double>(n) / block);
        const double angle = 2 * std::numbers::pi * f * static_cast<double>(n) / rate;
        re += hann * static_cast<double>(samples(first + n, channel)) * std::cos(angle);
        im += hann * static_cast<double>(samples(first + n, channel)) * std::sin(angle);
      }
      sum += (re * re) + (im * im);
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

// Power drifts for minutes: many short stretches show the mean.
TEST(Background, FallsWithFrequencyAndHasAlphaAtTheBack) {
  double slow = 0;
  double middle = 0;
  double before_alpha = 0;
  double alpha = 0;
  double forehead = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const SampleMatrix samples = background(4, 0, 1, seed);
    slow += density(samples, 0, 1.5, 2.6);
    middle += density(samples, 0, 5.5, 6.6);
    before_alpha += density(samples, 2, 6, 7.1);
    alpha += density(samples, 2, 9.5, 10.6);
    forehead += density(samples, 3, 9.5, 10.6);
  }
  // 1/f^1.1 from 2 to 6 Hz is a factor of 3.3; noise of the amplifier and drifts of power blur it.
  EXPECT_GT(slow / middle, 2);
  EXPECT_LT(slow / middle, 6);
  EXPECT_GT(alpha, 1.5 * before_alpha);
  EXPECT_LT(forehead, alpha / 2);
}

TEST(Background, IsAsLargeAsEegAndSharedByNeighbours) {
  const Eigen::MatrixXd samples = background(60, 0).cast<double>();
  const Eigen::MatrixXd centred = samples.rowwise() - samples.colwise().mean();
  const Eigen::MatrixXd covariance = centred.transpose() * centred / static_cast<double>(centred.rows());
  const auto correlation = [&](Index i, Index j) {
    return covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
  };
  for (Index c = 0; c < covariance.rows(); ++c) {
    EXPECT_GT(std::sqrt(covariance(c, c)), 3);  // uV
    EXPECT_LT(std::sqrt(covariance(c, c)), 40);
  }
  EXPECT_GT(correlation(0, 1), 0.6);                          // Cz, C1
  EXPECT_LT(std::abs(correlation(0, 3)), correlation(0, 1));  // Cz, Fpz
}

// Log ratio of power at the temples, above 15 Hz where nothing else is large, follows what was asked for.
TEST(Background, LeansToTheSideAskedFor) {
  const auto ratio = [](double lateralisation) {
    const SampleMatrix samples = background(30, lateralisation);
    return std::log(density(samples, 5, 20, 30) / density(samples, 4, 20, 30));
  };
  const double balanced = ratio(0);
  EXPECT_GT(ratio(2) - balanced, 1);
  EXPECT_LT(ratio(-2) - balanced, -1);
  EXPECT_LT(ratio(2) - balanced, 2.1);
}

TEST(Background, ScalesAndRepeats) {
  const SampleMatrix once = background(4, 0.5);
  EXPECT_EQ(once, background(4, 0.5));
  EXPECT_LT((background(4, 0.5, 2) - (2 * once)).cwiseAbs().maxCoeff(), 1e-3F * once.cwiseAbs().maxCoeff());
}

TEST(Background, TellsItsCovarianceInTheBandOfSpeech) {
  RandomStream traits(3);
  const BackgroundSources sources = draw_background(make_head({"Cz", "C1", "Oz"}), Hertz{10}, traits);
  const Eigen::MatrixXd covariance = speech_band_covariance(sources);
  EXPECT_LT((covariance - covariance.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(covariance.diagonal().minCoeff(), 0);
  // Against the mean of the channels: only the amplifier's noise is left in it.
  EXPECT_NEAR(covariance.sum(), 3 * 0.125 * 16, 1e-3);
}

}  // namespace
}  // namespace heed::sim
