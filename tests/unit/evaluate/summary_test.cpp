// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/evaluate/summary.h>

#include <vector>

namespace heed::evaluate {
namespace {

using Values = std::vector<std::optional<double>>;

TEST(Summary, LeavesOutWhatDoesNotExist) {
  const Summary summary = summarise(Values{2, std::nullopt, 4, 9});
  EXPECT_EQ(summary.count, 3U);
  EXPECT_DOUBLE_EQ(summary.mean.value(), 5);
  EXPECT_DOUBLE_EQ(summary.sd.value(), 3.605551275463989);  // numpy.std([2, 4, 9], ddof=1)
}

TEST(Summary, HasNoSpreadOfOneValueAndNothingOfNone) {
  const Summary one = summarise(Values{std::nullopt, 7});
  EXPECT_EQ(one.mean, 7);
  EXPECT_FALSE(one.sd);
  const Summary none = summarise(Values{std::nullopt});
  EXPECT_EQ(none.count, 0U);
  EXPECT_FALSE(none.mean);
  EXPECT_FALSE(none.sd);
}

// numpy.percentile(values, [25, 75])
TEST(Quartiles, EqualNumpy) {
  struct Case {
    Values values;
    double lower;
    double upper;
  };
  const std::vector<Case> cases{{{3, 1, 4, 1, 5, 9, 2.5, 6}, 2.125, 5.25},
                                {{7, 7, std::nullopt, 1, 3, 2.2}, 2.2, 7},
                                {{1, 2}, 1.25, 1.75},
                                {{2}, 2, 2}};
  for (const Case& one : cases) {
    const Quartiles found = quartiles(one.values).value();
    EXPECT_DOUBLE_EQ(found.lower, one.lower);
    EXPECT_DOUBLE_EQ(found.upper, one.upper);
  }
}

TEST(Quartiles, OfNothingAreNothing) {
  EXPECT_FALSE(quartiles(Values{}));
  EXPECT_FALSE(quartiles(Values{std::nullopt, std::nullopt}));
}

}  // namespace
}  // namespace heed::evaluate
