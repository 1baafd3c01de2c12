// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <sim/background.h>
#include <sim/recording_options.h>

#include "support/expect_error.h"

namespace heed::sim {
namespace {

TEST(Head, ADipoleThatPointsUpIsPositiveAboveAndNegativeBelow) {
  const Head head = make_head({"Cz", "P9", "P10", "C3", "C4"});
  const Eigen::VectorXd pattern = scalp_pattern(head, {{{0, 0, 0.2}, {0, 0, 1}}});
  EXPECT_NEAR(pattern[0], 1, 1e-9);  // the cap's largest
  EXPECT_LT(pattern[1], 0);
  EXPECT_NEAR(pattern[1], pattern[2], 1e-6);
  EXPECT_NEAR(pattern[3], pattern[4], 1e-6);
  EXPECT_GT(pattern[3], 0);
  // By hand: (1 - .2) / (1 - .2)^3 at the vertex against the same law at C3.
  const Eigen::Vector3d way = head.electrodes.row(3).transpose() - Eigen::Vector3d(0, 0, 0.2);
  EXPECT_NEAR(pattern[3], way.z() / std::pow(way.norm(), 3) * 0.64, 1e-9);
}

TEST(Head, FewerElectrodesSeeTheSame) {
  const std::vector<Dipole> dipoles{{{0.3, -0.4, 0.5}, {1, 2, 0.5}}, {{-0.5, 0.1, 0.1}, {0, 0, 1}}};
  const auto all = electrodes(64);
  const Eigen::VectorXd whole = scalp_pattern(make_head(all), dipoles);
  EXPECT_NEAR(whole.cwiseAbs().maxCoeff(), 1, 1e-12);
  const Eigen::VectorXd part = scalp_pattern(make_head({all[10], all[47]}), dipoles);
  EXPECT_EQ(part[0], whole[10]);
  EXPECT_EQ(part[1], whole[47]);
}

TEST(Head, KnowsEveryElectrodeOfItsCapsAndNoOther) {
  for (const int count : {64, 32, 19}) EXPECT_EQ(make_head(electrodes(count)).electrodes.rows(), count);
  test::expect_error(ErrorKind::invalid_argument, {"'EXG1'", "10-10"}, [] { (void)make_head({"Cz", "EXG1"}); });
}

}  // namespace
}  // namespace heed::sim
