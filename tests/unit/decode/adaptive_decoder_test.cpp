// SPDX-License-Identifier: MIT
// Numbers of an independent implementation in numpy; batch least squares where labels are given and nothing is
// forgotten; the fixed decoder where nothing is learnt; what goes wrong while somebody listens.
#include <decode/adaptive/label_queue.h>
#include <heed/decode/adaptive_decoder.h>

#include "support/adaptive_cases.h"
#include "support/allocation_counter.h"
#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <heed/decode/least_squares.h>
#include <heed/decode/reconstruction.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace heed::decode {
namespace {

using namespace test::adaptive;  // the listener, its windows and the population

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The case of the numpy implementation.
struct Golden {
  static constexpr Index samples = 40;
  Matrix eeg{samples, 3};
  Matrix speech{samples, 2};
  AdaptiveStart start{};
  AdaptiveShape shape{.channels = 3, .lags = {0, 1}, .talkers = 2, .window_samples = 10};
  AdaptationOptions options{.population_windows = 2,
                            .covariance_windows = 2,
                            .emission_windows = 4,
                            .half_life = 8,
                            .block = 1,
                            .handover = 0,
                            .lag = 1};
  Golden() {
    for (Index t = 0; t < samples; ++t) {
      const auto time = static_cast<double>(t);
      for (Index c = 0; c < 3; ++c) {
        const auto channel = static_cast<double>(c);
        eeg(t, c) = std::sin(0.9 * time * (channel + 1) + channel) + 0.5 * std::cos(0.37 * time * time + channel);
      }
      speech(t, 0) = std::sin(0.9 * time + 0.3);
      speech(t, 1) = std::cos(1.3 * time);
    }
    start.covariance = Matrix::Zero(6, 6);
    for (Index i = 0; i < 6; ++i) start.covariance(i, i) = static_cast<double>(i + 1) / 3;
    start.cross = Eigen::VectorXd(6);
    start.cross << 0.3, -0.1, 0.05, 0.2, 0, -0.05;
    start.emission = {.mu_attended = 0.12, .mu_unattended = 0.04, .sigma_attended = 0.25, .sigma_unattended = 0.25};
  }
  [[nodiscard]] Windows windows() const { return {eeg, speech, 2, 10}; }
};

TEST(AdaptiveDecoder, HasTheNumbersOfNumpy) {
  const Golden golden;
  const Windows windows = golden.windows();
  AdaptiveDecoder decoder(golden.start, golden.shape, golden.options);
  std::vector<std::array<double, 2>> z;
  std::vector<double> posterior;
  for (Index t = 0; t < 4; ++t) {
    const AdaptiveWindow window = decoder.step(windows.at(t));
    z.push_back({std::atanh(window.scores[0]), std::atanh(window.scores[1])});
    posterior.push_back(window.posterior[0]);
    if (t != 3) continue;
    const std::array expected{1.0645038287, -0.1494228366, 0.1300671064, 0.4788027427, 0.0066671995, -0.0261972698};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(decoder.weights()[i], expected[i], 1e-9) << i;
  }
  EXPECT_NEAR(z[0][0], 0.8882201547, 1e-9);
  EXPECT_NEAR(z[0][1], -0.1682252529, 1e-9);
  EXPECT_NEAR(z[2][0], 0.7053724348, 1e-9);
  EXPECT_NEAR(z[2][1], 0.0141467848, 1e-9);
  EXPECT_NEAR(z[3][0], 0.7122700436, 1e-9);
  EXPECT_NEAR(z[3][1], -0.1179840428, 1e-9);
  EXPECT_NEAR(posterior[0], 0.7944972521, 1e-9);
  EXPECT_NEAR(posterior[3], 0.9976395310, 1e-9);
  const LearningState learnt = decoder.learnt();
  EXPECT_NEAR(learnt.labelled_windows, 2.7227263591, 1e-9);
  EXPECT_NEAR(learnt.eeg_windows, 3.5290058712, 1e-9);
  EXPECT_NEAR(learnt.emission.mu_attended, 0.3721358189, 1e-9);
  EXPECT_NEAR(learnt.emission.mu_unattended, 0.0285318283, 1e-9);
  EXPECT_NEAR(learnt.emission.sigma_attended, 0.2838447350, 1e-9);
  EXPECT_NEAR(learnt.population_share, 2 / (2 + 2.7227263591), 1e-9);
  EXPECT_FALSE(learnt.guarded);
  EXPECT_FALSE(learnt.learning);
}

// Labels as the queue releases them, each in the light of one more window; the rest is nobody's.
TEST(AdaptiveDecoder, HasTheLabelsOfNumpy) {
  const Golden golden;
  const Windows windows = golden.windows();
  AdaptiveDecoder decoder(golden.start, golden.shape, golden.options);
  LabelQueue queue(2, 6, golden.options, true);
  std::vector<std::vector<double>> labels;
  for (Index t = 0; t < 4; ++t) {
    queue.push(decoder.step(windows.at(t)).log_likelihoods);
    if (queue.size() > golden.options.lag) labels.push_back(queue.pop().label);
  }
  ASSERT_EQ(labels.size(), 3);
  EXPECT_NEAR(labels[0][0], 0.8785894814, 1e-9);
  EXPECT_NEAR(labels[0][1], 0.0920771022, 1e-9);
  EXPECT_NEAR(1 - labels[0][0] - labels[0][1], 0.0293334164, 1e-9);
  EXPECT_NEAR(labels[2][0], 0.9961649637, 1e-9);
  EXPECT_NEAR(labels[2][1], 0.0019138928, 1e-9);
  EXPECT_NEAR(1 - labels[2][0] - labels[2][1], 0.0019211434, 1e-9);
}

// What is tested on speech of its own is not learnt from, and scored by all that was learnt.
TEST(AdaptiveDecoder, HeldItScoresByWhatWasLearntAndLearnsNothing) {
  const Windows windows = windows_of(listener(120, 3));
  AdaptiveDecoder decoder(population(), shape, half_seconds);
  for (Index t = 0; t < 63; ++t) (void)decoder.step(windows.at(t));
  decoder.restart();
  decoder.learn(false);
  const LearntSums before = decoder.sums();
  const std::vector<double> weights(decoder.weights().begin(), decoder.weights().end());
  std::vector<double> scores;
  for (Index t = 63; t < 120; ++t) scores.push_back(decoder.step(windows.at(t)).scores[0]);
  decoder.restart();
  EXPECT_TRUE(std::ranges::equal(decoder.weights(), weights));
  EXPECT_EQ(decoder.sums().cross, before.cross);
  EXPECT_EQ(decoder.sums().covariance, before.covariance);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_EQ(decoder.step(windows.at(63 + static_cast<Index>(k))).scores[0], scores[k]) << k;
  }
  decoder.restart();
  decoder.learn(true);
  for (Index t = 63; t < 120; ++t) (void)decoder.step(windows.at(t));
  EXPECT_GT(decoder.learnt().labelled_windows, before.labelled_windows + 20);
}

// The pattern is the covariance times the weights, written out.
TEST(AdaptiveDecoder, ItsPatternIsTheCovarianceTimesItsWeights) {
  const Golden golden;
  const AdaptiveDecoder decoder(golden.start, golden.shape, golden.options);
  const Eigen::Map<const Eigen::VectorXd> weights(decoder.weights().data(), 6);
  const Eigen::VectorXd expected = golden.start.covariance * weights;
  ASSERT_EQ(decoder.pattern().size(), 6);
  for (Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(decoder.pattern()[static_cast<std::size_t>(i)], expected(i), 1e-14) << i;
  }
}

// The sums, which the last decoder does not show: racc and the trace of Racc of numpy, and the decoder that follows
// from them written out.
TEST(AdaptiveDecoder, HasTheSumsOfNumpy) {
  const Golden golden;
  const Windows windows = golden.windows();
  AdaptiveDecoder decoder(golden.start, golden.shape, golden.options);
  Matrix gram = Matrix::Zero(6, 6);
  const double kept = std::exp2(-1.0 / 8);
  for (Index t = 0; t < 4; ++t) {
    (void)decoder.step(windows.at(t));
    gram *= kept;
    const MatrixView eeg = windows.at(t).eeg;
    for (Index k = 0; k < 10; ++k) {
      const Eigen::Map<const Eigen::VectorXd> x(eeg.row(k).data(), 6);  // the row of lag 1 lies behind that of lag 0
      gram += x * x.transpose();
    }
  }
  const std::array racc{12.0899697060, -0.0105065390, -1.1687976222, 12.2743795674, -0.6907180786, -0.5075609562};
  const LearntSums sums = decoder.sums();
  Eigen::VectorXd cross(6);
  for (std::size_t i = 0; i < 6; ++i) {
    cross(static_cast<Index>(i)) = racc[i];
    EXPECT_NEAR(10 * sums.labelled_windows * sums.cross(static_cast<Index>(i)), racc[i], 1e-8) << i;
  }
  EXPECT_NEAR(gram.trace(), 126.9862971322, 1e-8);
  EXPECT_LT((10 * sums.eeg_windows * sums.covariance - gram.leftCols(3)).cwiseAbs().maxCoeff(), 1e-10);

  decoder.settle();
  const Matrix r = (gram + 20 * golden.start.covariance) / ((3.5290058712 + 2) * 10);
  const Eigen::VectorXd right = (cross + 20 * golden.start.cross) / ((2.7227263591 + 2) * 10);
  const double ridge = 0.3 * r.trace() / 6;
  Eigen::VectorXd expected = (r + ridge * Matrix::Identity(6, 6)).inverse() * right;
  expected /= std::sqrt(expected.dot(r * expected));
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(decoder.weights()[static_cast<std::size_t>(i)], expected(i), 1e-8) << i;
}

TEST(AdaptiveDecoder, WithLabelsAndWithoutForgettingIsBatchLeastSquares) {
  const Listener someone = listener(40);
  AdaptationOptions options{.half_life = std::numeric_limits<double>::infinity(), .uniform_windows = 0};
  AdaptiveDecoder decoder({}, shape, options);
  const Windows windows = windows_of(someone);
  for (Index t = 0; t < windows.count(); ++t) (void)decoder.step(windows.at(t), std::array{1.0, 0.0});
  decoder.restart();
  decoder.settle();

  const TrialStatistics statistics = statistics_of(someone);
  const Matrix fitted = fit_least_squares(statistics, {.ridge = options.ridge}).weights;
  Eigen::VectorXd expected = Eigen::Map<const Eigen::VectorXd>(fitted.data(), fitted.size());
  expected /= std::sqrt(expected.dot(statistics.xx * expected) / statistics.samples);
  ASSERT_EQ(std::ssize(decoder.weights()), expected.size());
  for (Index i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(decoder.weights()[static_cast<std::size_t>(i)], expected(i), 1e-10) << i;
  }
  EXPECT_EQ(decoder.learnt().labelled_windows, 40);
}

// What a fixed decoder of these weights reconstructs, window by window.
TEST(AdaptiveDecoder, SwitchedOffIsTheFixedDecoderBitForBit) {
  const Listener someone = listener(50, 7);
  AdaptationOptions options = half_seconds;
  options.adapt = false;
  AdaptiveDecoder decoder(population(), shape, options);
  Decoder fixed;
  fixed.channels = someone.trial.channels;
  fixed.eeg_lags = shape.lags;
  fixed.preprocessing.sampling_frequency = someone.trial.sampling_frequency;
  fixed.filters = LeastSquaresDecoder{Eigen::Map<const Matrix>(decoder.weights().data(), lags, channels)};
  const Matrix reconstruction = reconstruct(fixed, someone.trial);
  const Windows windows = windows_of(someone);
  for (Index t = 0; t < windows.count(); ++t) {
    const AdaptiveWindow window = decoder.step(windows.at(t));
    for (Index j = 0; j < 2; ++j) {
      double uv = 0;
      double uu = 0;
      double vv = 0;
      for (Index k = t * window_samples; k < (t + 1) * window_samples; ++k) {
        const double u = reconstruction(k, 0);
        const double v = someone.speech(k, j);
        uu += u * u;
        vv += v * v;
        uv += u * v;
      }
      const double weight = 0.3 * window_samples;
      EXPECT_EQ(window.scores[static_cast<std::size_t>(j)], uv / (std::sqrt(uu + weight) * std::sqrt(vv + weight)));
    }
  }
  EXPECT_EQ(decoder.learnt().decoders, 0);
  EXPECT_EQ(decoder.learnt().labelled_windows, 0);
}

double accuracy(AdaptiveDecoder& decoder, const Listener& someone, Index from) {
  const Windows windows = windows_of(someone);
  double right = 0;
  for (Index t = 0; t < windows.count(); ++t) {
    const AdaptiveWindow window = decoder.step(windows.at(t));
    if (t >= from) right += window.scores[0] > window.scores[1] ? 1 : 0;
  }
  return right / static_cast<double>(windows.count() - from);
}

TEST(AdaptiveDecoder, GetsBetterWithoutLabels) {
  // A listener whose brain is not the population's: two of six channels follow speech upside down.
  Listener someone = listener(1200, 9, 0.2);
  someone.trial.eeg.leftCols(2) *= -1;
  AdaptationOptions frozen = half_seconds;
  frozen.adapt = false;
  AdaptiveDecoder fixed(population(), shape, frozen);
  AdaptiveDecoder adaptive(population(), shape, half_seconds);
  AdaptiveDecoder from_nothing({}, shape, half_seconds);
  const double before = accuracy(fixed, someone, 600);
  const double after = accuracy(adaptive, someone, 600);
  EXPECT_GT(after, before + 0.05);
  EXPECT_FALSE(adaptive.learnt().guarded);
  EXPECT_GT(accuracy(from_nothing, someone, 600), after - 0.05);
  EXPECT_FALSE(from_nothing.learnt().learning);
}

TEST(AdaptiveDecoder, WithoutAPopulationItSaysThatItLearns) {
  const Windows windows = windows_of(listener(120, 3));
  AdaptiveDecoder decoder({}, shape, half_seconds);
  EXPECT_TRUE(decoder.weights().empty());
  for (Index t = 0; t < 120; ++t) {
    const AdaptiveWindow window = decoder.step(windows.at(t));
    EXPECT_TRUE(decoder.learnt().learning);
    EXPECT_EQ(decoder.learnt().population_share, 0);
    if (t >= half_seconds.uniform_windows) continue;
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_TRUE(std::isnan(window.scores[j]));
      EXPECT_EQ(window.log_likelihoods[j], 0);
      EXPECT_EQ(window.posterior[j], 0.5);
    }
  }
  EXPECT_FALSE(decoder.weights().empty());
}

TEST(AdaptiveDecoder, GivesUpAPopulationOfTheWrongSign) {
  const Listener someone = listener(900, 5);
  AdaptiveDecoder inverted(population(-1), shape, half_seconds);
  const double after = accuracy(inverted, someone, 450);
  ASSERT_TRUE(inverted.learnt().guarded);
  EXPECT_GE(*inverted.learnt().guarded, 100);
  EXPECT_LT(*inverted.learnt().guarded, 200);
  EXPECT_EQ(inverted.learnt().population_share, 0);
  EXPECT_GT(after, 0.8);
}

TEST(AdaptiveDecoder, NoiseIsNoReasonToGiveUpThePopulation) {
  const AdaptiveStart start = population();
  for (std::uint64_t seed = 201; seed < 221; ++seed) {
    AdaptiveDecoder decoder(start, shape, half_seconds);
    (void)accuracy(decoder, listener(300, seed, 0.02), 0);
    EXPECT_FALSE(decoder.learnt().guarded) << seed;
  }
}

TEST(AdaptiveDecoder, WhileNothingIsHeardItReturnsToThePopulation) {
  const Windows windows = windows_of(listener(300, 11));
  AdaptiveDecoder decoder(population(), shape, half_seconds);
  const std::vector<double> start(decoder.weights().begin(), decoder.weights().end());
  for (Index t = 0; t < 300; ++t) (void)decoder.step(windows.at(t));
  const LearningState learnt = decoder.learnt();
  for (Index t = 0; t < 8000; ++t) {
    AdaptiveSignals signals = windows.at(0);
    signals.eeg_missing = true;
    const AdaptiveWindow window = decoder.step(signals);
    EXPECT_TRUE(std::isnan(window.scores[0]) && window.log_likelihoods[0] == 0);
  }
  EXPECT_LT(decoder.learnt().labelled_windows, 1e-5 * learnt.labelled_windows);
  EXPECT_NEAR(decoder.learnt().emission.mu_attended, learnt.emission.mu_attended, 1);
  for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(decoder.weights()[i], start[i], 1e-4) << i;
}

TEST(AdaptiveDecoder, SoundThatIsMissingLeavesTheCovariance) {
  const Windows windows = windows_of(listener(40, 11));
  AdaptiveDecoder decoder(population(), shape, half_seconds);
  for (Index t = 0; t < 40; ++t) {
    AdaptiveSignals signals = windows.at(t);
    signals.missing = true;
    (void)decoder.step(signals);
  }
  EXPECT_EQ(decoder.learnt().labelled_windows, 0);
  EXPECT_GT(decoder.learnt().eeg_windows, 35);
}

// Numbers that are none, silence, two talkers with one sound, EEG that stands still, a channel that explodes.
TEST(AdaptiveDecoder, NothingMakesItGiveWhatIsNoNumber) {
  Listener someone = listener(600, 13);
  someone.trial.eeg(40 * window_samples, 2) = nan;
  someone.speech(60 * window_samples, 1) = std::numeric_limits<double>::infinity();
  someone.speech.col(1).segment(100 * window_samples, 100 * window_samples).setZero();
  someone.speech.col(1).segment(200 * window_samples, 50 * window_samples) =
      someone.speech.col(0).segment(200 * window_samples, 50 * window_samples);
  someone.trial.eeg.middleRows(300 * window_samples, 100 * window_samples).setZero();
  someone.trial.eeg.col(1).segment(450 * window_samples, window_samples).setConstant(1e9);
  const Windows windows = windows_of(someone);
  for (const AdaptiveStart& start : {population(), AdaptiveStart{}}) {
    AdaptiveDecoder decoder(start, shape, half_seconds);
    for (Index t = 0; t < windows.count(); ++t) {
      const AdaptiveWindow window = decoder.step(windows.at(t));
      ASSERT_NEAR(window.posterior[0] + window.posterior[1], 1, 1e-12) << t;
      for (const double l : window.log_likelihoods) ASSERT_TRUE(std::isfinite(l)) << t;
      if (t >= 201 && t < 250) {
        ASSERT_EQ(window.scores[0], window.scores[1]) << t;
      }
      for (const double weight : decoder.weights()) ASSERT_LT(std::abs(weight), 1e3) << t;
    }
    EXPECT_TRUE(std::isfinite(decoder.learnt().emission.sigma_attended));
  }
}

TEST(AdaptiveDecoder, AnyThreadMayComputeTheDecoder) {
  const Windows windows = windows_of(listener(400, 17));
  AdaptiveDecoder alone(population(), shape, half_seconds);
  AdaptiveDecoder helped(population(), shape, half_seconds);
  for (Index t = 0; t < windows.count(); ++t) {
    const double expected = alone.step(windows.at(t)).scores[0];
    EXPECT_EQ(helped.step(windows.at(t)).scores[0], expected) << t;
    if (!helped.has_work()) continue;
    std::thread helper([&] { helped.compute(); });
    if (t % 3 == 0) helper.join();
    if (t % 3 != 0) {
      ++t;
      EXPECT_EQ(helped.step(windows.at(t)).scores[0], alone.step(windows.at(t)).scores[0]) << t;
      helper.join();
    }
  }
}

TEST(AdaptiveDecoder, AllocatesNothingOnceItIsMade) {
  Listener someone = listener(300, 19);
  const Windows windows = windows_of(someone);
  for (const double sign : {1.0, -1.0}) {  // the second gives its population up on the way
    AdaptiveDecoder decoder(population(sign), shape, half_seconds);
    const test::AllocationCount allocations;
    for (Index t = 0; t < windows.count(); ++t) (void)decoder.step(windows.at(t));
    decoder.restart();
    EXPECT_EQ(allocations.so_far(), 0U);
  }
}

TEST(AdaptiveDecoder, ManyTalkers) {
  for (const Index talkers : {3, 64}) {
    const Listener someone = listener(300, 23);
    test::Draws draws(5);
    Matrix speech = std::sqrt(3.0) * draws.matrix(someone.trial.samples(), talkers);
    speech.col(talkers - 1) = someone.speech.col(0);
    const Windows windows(someone.trial.eeg, speech, lags, window_samples);
    AdaptiveShape many = shape;
    many.talkers = talkers;
    AdaptiveDecoder decoder(population(), many, half_seconds);
    AdaptiveWindow window;
    for (Index t = 0; t < windows.count(); ++t) window = decoder.step(windows.at(t));
    EXPECT_GT(window.posterior[static_cast<std::size_t>(talkers - 1)], 0.9) << talkers;
    EXPECT_GT(decoder.learnt().labelled_windows, 150) << talkers;
  }
}

TEST(AdaptiveDecoder, RefusesWhatDoesNotFit) {
  using test::expect_error;
  const AdaptiveStart start = population();
  AdaptiveShape other = shape;
  other.channels = 5;
  expect_error(ErrorKind::invalid_argument, {"24 lags x channels"}, [&] { AdaptiveDecoder(start, other, {}); });
  other = shape;
  other.talkers = 1;
  expect_error(ErrorKind::invalid_argument, {"two or more talkers"}, [&] { AdaptiveDecoder(start, other, {}); });
  expect_error(ErrorKind::invalid_argument, {"half-life"}, [&] { AdaptiveDecoder(start, shape, {.half_life = 0}); });
  expect_error(ErrorKind::invalid_argument, {"less than a block"},
               [&] { AdaptiveDecoder(start, shape, {.block = 2, .handover = 2}); });
  expect_error(ErrorKind::invalid_argument, {"0.7"},
               [&] { AdaptiveDecoder(start, shape, {.switch_probability = 0.7}); });
  AdaptiveDecoder decoder(start, shape, {});
  const Windows windows = windows_of(listener(2));
  AdaptiveSignals signals = windows.at(0);
  signals.eeg.rows -= 1;
  expect_error(ErrorKind::invalid_argument, {"35 rows of 6 channels"}, [&] { (void)decoder.step(signals); });
  expect_error(ErrorKind::invalid_argument, {"sum to at most 1"}, [&] {
    (void)decoder.step(windows.at(0), std::array{0.8, 0.4});
  });
}

TEST(AdaptiveDecoder, OtherWindowsKeepTheirTimes) {
  const AdaptationOptions quarter = for_windows_of({}, Seconds{0.25});
  EXPECT_EQ(quarter.population_windows, 1200);
  EXPECT_EQ(quarter.half_life, 2400);
  EXPECT_EQ(quarter.block, 20);
  EXPECT_EQ(quarter.lag, 60);
  EXPECT_NEAR(std::pow(1 - quarter.switch_probability, 4), 0.99, 1e-15);
  const AdaptationOptions ten = for_windows_of({}, Seconds{10});
  EXPECT_EQ(ten.block, 1);
  EXPECT_EQ(ten.handover, 0);
  EXPECT_EQ(for_windows_of({}, Seconds{1}), AdaptationOptions{});
}

}  // namespace
}  // namespace heed::decode
