// SPDX-License-Identifier: MIT
// The discriminant against scikit-learn's, and its sums.
#include <heed/decode/cca.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"
#include "unit/decode/oracle_values.h"

#include <gtest/gtest.h>

namespace heed::decode {
namespace {

DiscriminantMoments oracle_moments() {
  test::Draws draws(7);
  Matrix attended = draws.matrix(40, 3);
  const Matrix unattended = draws.matrix(80, 3);
  attended.col(0).array() += 0.3;
  attended.col(1) += 0.5 * attended.col(0);
  DiscriminantMoments moments;
  for (Index w = 0; w < 40; ++w) moments.attended.add(data::view(std::as_const(attended)).row(w));
  for (Index w = 0; w < 80; ++w) moments.unattended.add(data::view(unattended).row(w));
  return moments;
}

TEST(Discriminant, IsThatOfScikitLearn) {
  const LinearDiscriminant found = fit_discriminant(oracle_moments());
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.weights(i), test::discriminant_weights_oracle[static_cast<std::size_t>(i)], 1e-11);
  }
  EXPECT_NEAR(found.bias, test::discriminant_bias_oracle[0], 1e-11);
}

TEST(Discriminant, MomentsAdd) {
  const DiscriminantMoments one = oracle_moments();
  DiscriminantMoments twice;
  twice += one;
  twice += one;
  EXPECT_EQ(twice.attended.count, 80);
  const LinearDiscriminant found = fit_discriminant(twice);
  EXPECT_LE((found.weights - fit_discriminant(one).weights).norm(), 1e-12);
}

TEST(Discriminant, RefusesTooFewWindowsOrEqualCorrelations) {
  test::expect_error(ErrorKind::bad_data, {"only 0 attended windows"}, [] { (void)fit_discriminant({}); });
  DiscriminantMoments moments;
  const std::vector<double> z{0.1, 0.2};
  for (int w = 0; w < 5; ++w) {
    moments.attended.add(z);
    moments.unattended.add(z);
  }
  test::expect_error(ErrorKind::singular, {"more data", "fewer pairs"}, [&] { (void)fit_discriminant(moments); });
  DiscriminantMoments other = oracle_moments();
  test::expect_error(ErrorKind::invalid_argument, {"cannot be added"}, [&] { other += moments; });
}

}  // namespace
}  // namespace heed::decode
