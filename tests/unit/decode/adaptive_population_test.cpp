// SPDX-License-Identifier: MIT
// What an adaptive decoder starts from, leans on afterwards, and goes on from in another session.
#include <heed/decode/adaptive_decoder.h>

#include "support/adaptive_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

namespace heed::decode {
namespace {

using namespace test::adaptive;

// The first columns of a covariance that depends on the difference of lags alone say all of it.
TEST(AdaptiveDecoder, AStationaryCovarianceMayBeGivenByItsFirstColumns) {
  AdaptiveStart whole = population();
  AdaptiveStart compact = whole;
  compact.covariance = whole.covariance.leftCols(channels);
  for (Index row = 0; row < whole.covariance.rows(); ++row) {
    for (Index column = 0; column < whole.covariance.cols(); ++column) {
      const Index lag = row / channels - column / channels;
      whole.covariance(row, column) = lag >= 0
                                          ? compact.covariance(lag * channels + row % channels, column % channels)
                                          : compact.covariance(-lag * channels + column % channels, row % channels);
    }
  }
  const AdaptiveDecoder a(whole, shape, half_seconds);
  const AdaptiveDecoder b(compact, shape, half_seconds);
  ASSERT_EQ(a.weights().size(), b.weights().size());
  for (std::size_t i = 0; i < a.weights().size(); ++i) EXPECT_EQ(a.weights()[i], b.weights()[i]);
}

TEST(AdaptiveDecoder, LeansOnAnotherPopulationAndKeepsWhatItLearnt) {
  const Windows windows = windows_of(listener(200, 29));
  AdaptiveDecoder decoder(population(), shape, half_seconds);
  for (Index t = 0; t < 100; ++t) (void)decoder.step(windows.at(t));
  decoder.restart();
  const LearningState before = decoder.learnt();
  AdaptiveStart other = population();
  other.cross *= 2;
  decoder.lean_on(other);
  EXPECT_EQ(decoder.learnt().labelled_windows, before.labelled_windows);
  // The same from the start, but for the population that labels came from.
  AdaptiveDecoder resumed(other, shape, half_seconds);
  LearntSums sums = decoder.sums();
  resumed.resume(sums);
  for (std::size_t i = 0; i < decoder.weights().size(); ++i) {
    EXPECT_NEAR(resumed.weights()[i], decoder.weights()[i], 0.1) << i;  // but for the edges of windows
  }
  EXPECT_NEAR(resumed.learnt().labelled_windows, before.labelled_windows, 1e-9);
  EXPECT_NEAR(resumed.learnt().emission.mu_attended, decoder.learnt().emission.mu_attended, 1e-12);
  decoder.restart();  // twice is once
  EXPECT_EQ(decoder.learnt().decoders, before.decoders + 2);
  sums.cross.conservativeResize(3);
  test::expect_error(ErrorKind::invalid_argument, {"other channels or lags"}, [&] { resumed.resume(sums); });
  other.cross.conservativeResize(3);
  test::expect_error(ErrorKind::invalid_argument, {"lags x channels"}, [&] { decoder.lean_on(other); });
}

TEST(AdaptiveDecoder, OnlyDecodersThatHearTheSameShareACovariance) {
  AdaptiveDecoder leader(population(), shape, half_seconds);
  const auto refused = [&](const AdaptiveShape& other_shape, const AdaptationOptions& options) {
    test::expect_error(ErrorKind::invalid_argument, {"share a covariance"},
                       [&] { AdaptiveDecoder(population(), other_shape, options, &leader); });
  };
  AdaptationOptions options = half_seconds;
  options.population_windows = 7;
  EXPECT_NO_THROW(AdaptiveDecoder(population(), shape, options, &leader));
  options.block = 6;
  refused(shape, options);
  AdaptiveShape longer = shape;
  longer.window_samples = 64;
  refused(longer, half_seconds);
  (void)leader.step(windows_of(listener(1)).at(0));
  refused(shape, half_seconds);
}

}  // namespace
}  // namespace heed::decode
