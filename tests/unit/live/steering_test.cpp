// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/live/steering.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace heed::live {
namespace {

constexpr Seconds window{1};
const std::vector<double> first{1, 0};
const std::vector<double> second{0, 1};

std::vector<double> gains_of(const Steering& steering) { return {steering.gains().begin(), steering.gains().end()}; }

TEST(Steering, FollowsThePosteriorWithinTheSlewLimit) {
  Steering steering(2, {window}, {});
  EXPECT_EQ(steering.standing(), Standing::unknown);
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-6, -6}));
  steering.decided(first, false, {1});
  EXPECT_EQ(steering.standing(), Standing::tracking);
  EXPECT_EQ(gains_of(steering), (std::vector<double>{0, -12}));
  steering.decided(second, false, {2});
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-6, -6}));
}

TEST(Steering, PausedItGoesToEqualGainsAndStays) {
  Steering steering(2, {window}, {});
  steering.decided(first, false, {1});
  steering.adopt(Steering(2, {window}, {.paused = true}));
  for (int t = 2; t < 6; ++t) steering.decided(first, false, {static_cast<double>(t)});
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-6, -6}));
  EXPECT_EQ(steering.standing(), Standing::tracking);
  steering.adopt(Steering(2, {window}, {}));
  steering.decided(first, false, {6});
  EXPECT_EQ(gains_of(steering), (std::vector<double>{0, -12}));
}

TEST(Steering, DecisionsInABurstShareTheTimeThatPassed) {
  Steering steering(2, {window}, {});
  steering.decided(first, false, {1});
  for (int i = 0; i < 10; ++i) steering.decided(second, false, {1.5});
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-3, -9}));
  steering.decided(first, false, {0.5});  // a clock that runs backwards moves nothing
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-3, -9}));
}

TEST(Steering, MissingWindowsMakeTheStateUnknownAndItComesBackByItself) {
  Steering steering(2, {window}, {});
  steering.decided(first, false, {1});
  steering.decided(first, true, {2});
  EXPECT_EQ(steering.standing(), Standing::tracking);
  steering.decided(first, true, {3});
  EXPECT_EQ(steering.standing(), Standing::unknown);
  for (int t = 4; t < 8; ++t) steering.decided(first, true, {static_cast<double>(t)});
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-6, -6}));
  steering.decided(first, false, {8});
  EXPECT_EQ(steering.standing(), Standing::tracking);
  EXPECT_EQ(gains_of(steering), (std::vector<double>{0, -12}));
}

TEST(Steering, TheWatchdogRelaxesWithinFiveSecondsInSmallSteps) {
  Steering steering(2, {window}, {});
  steering.decided(first, false, {10});
  EXPECT_FALSE(steering.wait({11.9}));
  double before = steering.gains()[0];
  for (double t = 12; t <= 17; t += 0.25) {
    (void)steering.wait({t});
    EXPECT_LE(std::abs(steering.gains()[0] - before), 6 + 1e-12) << t;
    before = steering.gains()[0];
  }
  EXPECT_EQ(steering.standing(), Standing::unknown);
  EXPECT_EQ(gains_of(steering), (std::vector<double>{-6, -6}));
  EXPECT_FALSE(steering.wait({20}));  // nothing moves any more
  steering.decided(first, false, {20.5});
  EXPECT_EQ(steering.standing(), Standing::tracking);
}

TEST(Steering, TheSlowestSlewThatIsAllowedIsEqualInTime) {
  SteeringOptions options;
  options.gains.slew_decibel_per_second = 1.2;  // 6 dB in 5 s
  Steering steering(2, {window}, options);
  for (int t = 1; t < 20; ++t) steering.decided(first, false, {static_cast<double>(t)});
  for (double t = 21; t <= 26.001; t += 0.25) (void)steering.wait({t});
  EXPECT_NEAR(steering.gains()[0], steering.gains()[1], 1e-9);
}

TEST(Steering, StaysEqualWhileCalibrating) {
  Steering steering(3, {window}, {});
  steering.calibrating({1});
  EXPECT_EQ(steering.standing(), Standing::calibrating);
  EXPECT_EQ(gains_of(steering), std::vector<double>(3, -8));
  EXPECT_FALSE(steering.wait({2}));
  EXPECT_TRUE(steering.wait({4}));
  EXPECT_EQ(steering.standing(), Standing::unknown);
}

TEST(Steering, TakesAnyMap) {
  const std::vector<double> doubtful{0.6, 0.4};
  const auto difference = [&](core::GainMap map) {
    SteeringOptions options;
    options.gains.map = map;
    Steering steering(2, {window}, options);
    for (int t = 1; t < 5; ++t) steering.decided(doubtful, false, {static_cast<double>(t)});
    return steering.gains()[0] - steering.gains()[1];
  };
  EXPECT_EQ(difference(core::GainMap::dead_zone), 0) << "not sure enough";
  EXPECT_EQ(difference(core::GainMap::decision), 12);
  EXPECT_NEAR(difference(core::GainMap::decibels), 2.4, 1e-12);
  EXPECT_NEAR(difference(core::GainMap::decibels_per_nat), 2 * std::log(1.5), 1e-12);
  EXPECT_GT(difference(core::GainMap::intelligibility), 0.5);
}

// Where one of three is doubted alone, decibels per nat lower it beyond the suppressed gain.
TEST(Steering, RelaxesInTimeFromWhereverAMapMayLead) {
  SteeringOptions options;
  options.gains.map = core::GainMap::decibels_per_nat;
  options.gains.highest_decibel = -6;
  options.gains.slew_decibel_per_second = 1;
  EXPECT_THROW(Steering(3, {window}, options), Error);
  options.gains.slew_decibel_per_second = 1.6;
  Steering steering(3, {window}, options);
  for (int t = 1; t < 30; ++t) steering.decided(std::vector{0.5, 0.5, 0.0}, false, {static_cast<double>(t)});
  EXPECT_NEAR(steering.gains()[2], -16, 1e-9);
  for (double t = 31; t <= 37.001; t += 0.25) (void)steering.wait({t});
  EXPECT_NEAR(steering.gains()[2], steering.gains()[0], 1e-9);
}

TEST(Steering, NewOptionsGoOnFromWhereTheGainsAre) {
  Steering steering(2, {window}, {});
  steering.decided(first, false, {1});
  SteeringOptions narrow;
  narrow.gains.suppressed_decibel = -6;
  steering.adopt(Steering(2, {window}, narrow));
  EXPECT_EQ(gains_of(steering), (std::vector<double>{0, -12}));
  steering.decided(first, false, {2});
  EXPECT_EQ(gains_of(steering), (std::vector<double>{0, -6}));
}

TEST(Steering, RefusesWhatCannotBeKept) {
  const auto refusal = [](Index speakers, const SteeringOptions& options) -> std::string {
    try {
      const Steering steering(speakers, {window}, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  SteeringOptions slow;
  slow.gains.slew_decibel_per_second = 0.5;
  EXPECT_NE(refusal(2, slow).find("1.2 dB/s"), std::string::npos);
  SteeringOptions flat;
  flat.gains.suppressed_decibel = 0;
  EXPECT_NE(refusal(2, flat).find("need a range"), std::string::npos);
  SteeringOptions words_of_three;
  words_of_three.gains.map = core::GainMap::intelligibility;
  EXPECT_NE(refusal(3, words_of_three).find("two speakers"), std::string::npos);
  SteeringOptions broken;
  broken.gains.enhanced_decibel = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal(2, broken).find("finite"), std::string::npos);
  EXPECT_NE(refusal(2, {.patience = 0}).find("at least 1 window"), std::string::npos);
  EXPECT_NE(refusal(2, {.relaxed_in = {0}}).find("longer than 0 s"), std::string::npos);
  EXPECT_NE(refusal(65, {}).find("64"), std::string::npos);
  EXPECT_NE(refusal(1, {}).find("2 to 64"), std::string::npos);
}

}  // namespace
}  // namespace heed::live
