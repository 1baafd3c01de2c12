// SPDX-License-Identifier: MIT
// Simulates the null of test_separation anew: one in a hundred recordings of noise may pass.
#include <gtest/gtest.h>
#include <heed/emission/label_free.h>

#include "support/emission_cases.h"

namespace heed::emission {
namespace {

struct NullCase {
  Index windows, speakers;
  double p;
  int trials;
};

class SeparationNull : public ::testing::TestWithParam<NullCase> {};

// 1,000 recordings: 10 are expected to pass, 1 to 20 do in 99.8 % of such draws.
TEST_P(SeparationNull, IsPassedByOneOfAHundred) {
  const NullCase& one = GetParam();
  int passed = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const ScoredParticipant noise = test::scored_participant({.windows = one.windows / one.trials,
                                                              .speakers = one.speakers,
                                                              .trials = one.trials,
                                                              .mu_attended = 0,
                                                              .mu_unattended = 0,
                                                              .sigma = 1,
                                                              .seed = seed});
    passed += test_separation({&noise, 1}, hmm::Chain::sticky(one.speakers, one.p), false).passed() ? 1 : 0;
  }
  EXPECT_GE(passed, 1);
  EXPECT_LE(passed, 20);
}

INSTANTIATE_TEST_SUITE_P(Cases, SeparationNull,
                         ::testing::Values(NullCase{100, 2, 0.001, 1}, NullCase{600, 2, 0.001, 1},
                                           NullCase{600, 2, 0.005, 10}, NullCase{3000, 2, 0.001, 30},
                                           NullCase{600, 2, 0.05, 1}, NullCase{600, 3, 0.001, 1},
                                           NullCase{600, 4, 0.003, 1}, NullCase{300, 8, 0.001, 3}));

}  // namespace
}  // namespace heed::emission
