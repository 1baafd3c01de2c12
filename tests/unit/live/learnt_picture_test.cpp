// SPDX-License-Identifier: MIT
#include <live/page/learnt_picture.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace heed::live {
namespace {

const std::vector<std::string> channels{"Fz", "Cz", "T7", "EXG1", "Oz"};

// Three lags of these channels; the second is the strongest.
LearntNews news(std::vector<double> second) {
  LearntNews made{.first_lag = {0.125}, .rate = {64}};
  made.pattern = {0.1, 0, 0, 9, 0};
  made.pattern.insert(made.pattern.end(), second.begin(), second.end());
  made.pattern.insert(made.pattern.end(), {0, 0.1, 0, 9, 0});
  return made;
}

TEST(LearntPicture, PlacesElectrodesThatHaveAPlace) {
  const LearntPicture picture(channels);
  ASSERT_EQ(picture.electrodes().size(), 4U);  // EXG1 lies nowhere
  const auto& front = picture.electrodes()[0];
  EXPECT_EQ(front.name, "Fz");
  EXPECT_NEAR(front.x, 0, 1e-12);
  EXPECT_GT(front.y, 0.3);
  EXPECT_NEAR(std::hypot(picture.electrodes()[1].x, picture.electrodes()[1].y), 0, 1e-12);
  EXPECT_LT(picture.electrodes()[2].x, -0.9);
  EXPECT_FALSE(picture.is_known());
}

TEST(LearntPicture, KeepsTheFirstAndTheLast) {
  LearntPicture picture(channels);
  picture.take(news({2, 4, -1, 0, 0}));
  picture.take(news({7, 7, 7, 7, 7}));
  picture.take(news({-3, 1, 0, 0, 0.5}));
  EXPECT_EQ(picture.then(), (std::vector<double>{0.5, 1, -0.25, 0}));
  EXPECT_EQ(picture.now(), (std::vector<double>{-1, 1 / 3.0, 0, 0.5 / 3}));
  EXPECT_NEAR(picture.lag().value, 0.125 + (1 / 64.0), 1e-12);
  const double dot = (2 * -3) + 4 + 0.01 + 81 + 81 + 0.01;
  const double norms = std::sqrt(4 + 16 + 1 + 162 + 0.02) * std::sqrt(9 + 1 + 0.25 + 162 + 0.02);
  EXPECT_NEAR(picture.likeness(), dot / norms, 1e-12);
  picture.take({.pattern = {1, 2, 3}});  // of other channels
  EXPECT_EQ(picture.now().front(), -1);
}

}  // namespace
}  // namespace heed::live
