// SPDX-License-Identifier: MIT
// One place for parameters: ranges, and what several hands change one after the other.
#include <gtest/gtest.h>
#include <live/parameter_desk.h>

#include <string_view>

#include "support/expect_error.h"

namespace heed::live {
namespace {

TEST(ParameterDesk, StaysWithinItsRanges) {
  const SessionParameters before{};
  const SessionParameters after =
      changed(before, {.switch_probability = 0.05, .suppressed_decibel = -6, .paused = true});
  EXPECT_EQ(after.tracking.chain.switch_probability, 0.05);
  EXPECT_EQ(after.steering.gains.suppressed_decibel, -6);
  EXPECT_EQ(after.steering.gains.enhanced_decibel, before.steering.gains.enhanced_decibel);
  EXPECT_TRUE(after.steering.paused);
  const auto refused = [&](const ParameterChange& change, std::string_view words) {
    test::expect_error(ErrorKind::invalid_argument, {words}, [&] { (void)changed(before, change); });
  };
  refused({.switch_probability = 0.0}, "from 0.0001 to 0.2");
  refused({.switch_probability = 0.5}, "from 0.0001 to 0.2");
  refused({.enhanced_decibel = 6}, "from -20 to 0");
  refused({.suppressed_decibel = -21}, "from -20 to 0");
  refused({.enhanced_decibel = -10, .suppressed_decibel = -5}, "from -20 to -10");
  SessionParameters matrix{};
  matrix.tracking.chain.transition = Matrix::Identity(2, 2);
  test::expect_error(ErrorKind::invalid_argument, {"matrix"},
                     [&] { (void)changed(matrix, {.switch_probability = 0.1}); });
}

TEST(ParameterDesk, KeepsWhatOthersChanged) {
  Session session({.name = "scores", .content = StreamContent::scores, .speakers = {"left", "right"}}, {});
  ParameterDesk desk(session, {});
  EXPECT_EQ(desk.parameters().tracking.chain.switch_probability, session.switch_probability());
  desk.change({.suppressed_decibel = -6});
  desk.change({.switch_probability = 0.05});
  const SessionParameters now = desk.change({.paused = true});
  EXPECT_EQ(now.steering.gains.suppressed_decibel, -6);
  EXPECT_EQ(now.tracking.chain.switch_probability, 0.05);
  EXPECT_TRUE(now.steering.paused);
  test::expect_error(ErrorKind::invalid_argument, {"switch probability"},
                     [&] { desk.change({.switch_probability = 7}); });
  EXPECT_EQ(desk.parameters().tracking.chain.switch_probability, 0.05) << "nothing is changed then";
}

TEST(ParameterDesk, MakesAnUnknownSwitchProbabilityKnown) {
  SessionParameters unknown{};
  unknown.tracking.chain.unknown_switch_probability = true;
  EXPECT_TRUE(changed(unknown, {.paused = true}).tracking.chain.unknown_switch_probability);
  EXPECT_FALSE(changed(unknown, {.switch_probability = 0.01}).tracking.chain.unknown_switch_probability);
}

}  // namespace
}  // namespace heed::live
