// SPDX-License-Identifier: MIT
#include <dsp/reference.h>
#include <gtest/gtest.h>

#include "support/dsp_matrices.h"
#include "support/expect_error.h"

namespace heed::dsp {
namespace {

using test::expect_error;
using test::noise;

const std::vector<std::string> names = {"Fz", "Cz", "M1", "M2"};

Matrix referenced(const Reference& reference) {
  Matrix signal = noise(50, 4, 1);
  Rereference(reference, names).apply(data::view(signal));
  return signal;
}

TEST(Rereference, SubtractsNothing) { EXPECT_EQ(referenced({.kind = ReferenceKind::none}), noise(50, 4, 1)); }

TEST(Rereference, SubtractsTheAverage) {
  const Matrix signal = noise(50, 4, 1);
  const Matrix expected = signal.colwise() - signal.rowwise().mean();
  const Matrix actual = referenced({.kind = ReferenceKind::average});
  EXPECT_LE(test::relative_error(actual, expected), 1e-15);
  EXPECT_LE(actual.rowwise().sum().cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Rereference, SubtractsTheMeanOfNamedChannelsWhateverTheCase) {
  const Matrix signal = noise(50, 4, 1);
  const Matrix mastoids = signal.colwise() - (signal.col(2) + signal.col(3)) / 2;
  EXPECT_LE(test::relative_error(referenced({ReferenceKind::channels, {"m1", "M2"}}), mastoids), 1e-15);
  EXPECT_EQ(referenced({ReferenceKind::channels, {"CZ"}}).col(1).cwiseAbs().maxCoeff(), 0);
}

TEST(Rereference, SaysWhatIsMissing) {
  expect_error(ErrorKind::not_found, {"reference channel 'TP9'", "Fz Cz M1 M2"}, [] {
    referenced({ReferenceKind::channels, {"TP9"}});
  });
  expect_error(ErrorKind::invalid_argument, {"at least one name"}, [] { referenced({ReferenceKind::channels, {}}); });
  const std::vector<std::string> one = {"Cz"};
  expect_error(ErrorKind::bad_data, {"1 channel", "no reference"}, [&] { Rereference({}, one); });
  expect_error(ErrorKind::bad_data, {"0 channel"}, [] { Rereference({}, {}); });
}

}  // namespace
}  // namespace heed::dsp
