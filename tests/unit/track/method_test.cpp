// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/track/method.h>

#include <string>

namespace heed::track {
namespace {

TEST(Method, NamesLeadBackToTheMethod) {
  for (const Method method : all_methods()) EXPECT_EQ(method_named(name(method)), method);
  EXPECT_EQ(all_methods().size(), std::variant_size_v<AnyTracker>);
}

TEST(Method, AnUnknownNameListsTheKnownOnes) {
  try {
    (void)method_named("kalman");
    FAIL() << "there is no method kalman";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("viterbi"), std::string::npos);
  }
}

TEST(MakeTracker, GivesTheTrackerOfTheMethod) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  EXPECT_TRUE(std::holds_alternative<RawTracker>(make_tracker(Method::raw, chain)));
  EXPECT_TRUE(std::holds_alternative<CausalTracker>(make_tracker(Method::causal, chain)));
  EXPECT_TRUE(std::holds_alternative<SmoothTracker>(make_tracker(Method::smooth, chain)));
  EXPECT_TRUE(std::holds_alternative<ViterbiTracker>(make_tracker(Method::viterbi, chain)));
  const AnyTracker lagged = make_tracker(Method::fixed_lag, chain, {.lag = Seconds{7}});
  EXPECT_EQ(look_ahead(lagged), Seconds{7});
}

}  // namespace
}  // namespace heed::track
