// SPDX-License-Identifier: MIT
// The small promises of data: units, errors, views and the defaults a caller relies on.
#include <heed/data/error.h>
#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <heed/data/units.h>
#include <heed/data/version.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

namespace heed {
namespace {

TEST(Seconds, AddsAndScales) {
  EXPECT_EQ((Seconds{1.5} + Seconds{2}).value, 3.5);
  EXPECT_EQ((Seconds{1.5} - Seconds{2}).value, -0.5);
  EXPECT_EQ((4 * Seconds{0.25}).value, 1);
  EXPECT_EQ(Seconds{60} / Seconds{0.5}, 120);  // a number of windows, no unit
  EXPECT_EQ(Seconds{1}, Seconds{1});
}

// Nouns of the same layout do not stand in for each other, nor a bare number for a time.
static_assert(!std::convertible_to<Posteriors, LogLikelihoods>);
static_assert(!std::convertible_to<Scores, LogLikelihoods>);
static_assert(!std::convertible_to<double, Seconds>);
static_assert(std::totally_ordered<Seconds>);
static_assert(!std::convertible_to<MatrixView, MutableMatrixView>);
static_assert(std::convertible_to<MutableMatrixView, MatrixView>);

TEST(Error, KeepsItsKindWhenThePlaceIsAdded) {
  const Error error(ErrorKind::not_found, "no such column");
  const Error outer = error.within("sub-01_scores.tsv");
  EXPECT_EQ(outer.kind(), ErrorKind::not_found);
  EXPECT_EQ(std::string_view(outer.what()), "sub-01_scores.tsv: no such column");
  EXPECT_EQ(std::string_view(error.what()), "no such column");
}

TEST(MatrixView, SeesTheMatrixWithoutCopying) {
  Matrix matrix(3, 2);
  matrix << 1, 2, 3, 4, 5, 6;
  const MutableMatrixView mutable_view = data::view(matrix);
  mutable_view(1, 0) = 30;
  EXPECT_EQ(matrix(1, 0), 30);
  const MatrixView read_only = mutable_view;
  EXPECT_EQ(read_only.data, matrix.data());
  EXPECT_EQ(read_only.row(2)[1], 6);  // time down the rows
  EXPECT_EQ(read_only.row(2).size(), 2U);
  const MatrixView tail = read_only.middle_rows(1, 2);
  EXPECT_EQ(tail.rows, 2);
  EXPECT_EQ(tail(0, 0), 30);
  EXPECT_EQ(tail(1, 1), 6);
}

TEST(MatrixView, ReadsStridedStorage) {
  const std::array<double, 6> storage{1, 2, -1, 3, 4, -1};  // two rows of two, one number of padding
  const MatrixView padded{storage.data(), 2, 2, 3};
  EXPECT_EQ(padded(1, 0), 3);
  EXPECT_EQ(padded.row(1)[1], 4);
}

TEST(Series, DefaultsAreOneSecondWindows) {
  EXPECT_EQ(Scores{}.window, Seconds{1});
  EXPECT_EQ(Posteriors{}.window, Seconds{1});
  EXPECT_EQ(Path{}.window, Seconds{1});
}

TEST(Version, IsThreeNumbers) {
  const std::string_view text = version();
  EXPECT_EQ(std::count(text.begin(), text.end(), '.'), 2);
  EXPECT_EQ(text.find_first_not_of("0123456789."), std::string_view::npos) << text;
}

}  // namespace
}  // namespace heed
