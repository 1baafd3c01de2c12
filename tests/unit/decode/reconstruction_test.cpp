// SPDX-License-Identifier: MIT
// Filters over lags against plain sums, and chunks of any size against the whole.
#include <heed/decode/reconstruction.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace heed::decode {
namespace {

RC_GTEST_PROP(LaggedFilter, ChunksOfAnySizeGiveTheBitsOfTheWhole, ()) {
  const auto rows = *rc::gen::inRange<Index>(1, 80);
  const auto channels = *rc::gen::inRange<Index>(1, 11);
  const auto first = *rc::gen::inRange<Index>(-8, 8);
  const LagRange lags{first, first + *rc::gen::inRange<Index>(0, 9)};
  test::Draws draws(*rc::gen::inRange<std::uint64_t>(1, 1000));
  const Matrix signal = draws.matrix(rows, channels);
  const std::vector<Matrix> filters{draws.matrix(lags.count(), channels), draws.matrix(lags.count(), channels)};
  const SignalScales scales{Eigen::VectorXd::Constant(channels, 0.25), Eigen::VectorXd::Constant(channels, 3)};

  LaggedFilter whole(filters, lags, scales);
  const Matrix begin = whole.push(data::view(signal));
  const Matrix end = whole.finish();
  RC_ASSERT(begin.rows() + end.rows() == rows);
  Matrix expected(rows, 2);
  expected << begin, end;

  const Matrix lagged = test::lagged_matrix((signal.array() - 0.25) / 3, lags);
  for (Index p = 0; p < 2; ++p) {
    const Matrix& filter = filters[static_cast<std::size_t>(p)];
    const Eigen::VectorXd plain = lagged * Eigen::Map<const Eigen::VectorXd>(filter.data(), filter.size());
    RC_ASSERT((plain - expected.col(p)).cwiseAbs().maxCoeff() < 1e-12);
  }

  LaggedFilter pieces(filters, lags, scales);
  Index done = 0;
  for (Index t = 0; t < rows;) {
    const Index count = std::min(*rc::gen::inRange<Index>(1, 20), rows - t);
    const Matrix ready = pieces.push(data::view(signal).middle_rows(t, count));
    RC_ASSERT(ready == expected.middleRows(done, ready.rows()));
    done += ready.rows();
    t += count;
  }
  const Matrix rest = pieces.finish();
  RC_ASSERT(done + rest.rows() == rows);
  RC_ASSERT(rest == expected.bottomRows(rest.rows()));
}

TEST(LaggedFilter, RefusesShapesThatDoNotFit) {
  const std::vector<Matrix> filters{Matrix::Ones(3, 2)};
  test::expect_error(ErrorKind::invalid_argument, {"3 x 2", "4 x 2"}, [&] { LaggedFilter(filters, {0, 3}); });
  test::expect_error(ErrorKind::invalid_argument, {"scales for 1 of its 2"}, [&] {
    LaggedFilter(filters, {0, 2}, {Eigen::VectorXd::Zero(1), Eigen::VectorXd::Ones(1)});
  });
  LaggedFilter filter(filters, {0, 2});
  const Matrix wide = Matrix::Zero(4, 3);
  test::expect_error(ErrorKind::invalid_argument, {"3 channels", "filter of 2"},
                     [&] { (void)filter.push(data::view(wide)); });
}

Decoder two_channels() {
  Decoder decoder;
  decoder.channels = {"C3", "C1"};
  decoder.eeg_lags = {0, 1};
  Matrix weights(2, 2);
  weights << 1, 10, 100, 1000;
  decoder.filters = LeastSquaresDecoder{weights};
  return decoder;
}

TEST(Reconstruction, TakesChannelsByTheirNames) {
  const Trial trial = test::planted_trial({.samples = 20});
  const Matrix u = reconstruct(two_channels(), trial);
  ASSERT_EQ(u.rows(), 20);
  EXPECT_NEAR(u(4, 0), trial.eeg(4, 2) + 10 * trial.eeg(4, 0) + 100 * trial.eeg(5, 2) + 1000 * trial.eeg(5, 0), 1e-10);
  EXPECT_NEAR(u(19, 0), trial.eeg(19, 2) + 10 * trial.eeg(19, 0), 1e-12) << "zeros beyond the end";
  EXPECT_EQ(filtered_stimulus(two_channels(), trial, 1), trial.stimuli[1]);
}

TEST(Reconstruction, NamesChannelsAndTargetsThatAreNotThere) {
  Trial trial = test::planted_trial({.samples = 20});
  trial.channels = {"C1", "C2", "Cz", "C4"};
  test::expect_error(ErrorKind::bad_data, {"missing here: C3", "montage"},
                     [&] { (void)reconstruct(two_channels(), trial); });
  Decoder decoder = two_channels();
  decoder.targets = {"onset"};
  test::expect_error(ErrorKind::bad_data, {"planted", "target onset"},
                     [&] { (void)filtered_stimulus(decoder, trial, 0); });
}

}  // namespace
}  // namespace heed::decode
