// SPDX-License-Identifier: MIT
// Simulates the null of test_separation anew: one in a hundred recordings of noise may pass, and the table in
// src/emission/separation.cpp is what comes of the simulation.
#include <gtest/gtest.h>
#include <heed/emission/label_free.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "support/emission_cases.h"

namespace heed::emission {
namespace {

struct NullCase {
  Index windows, speakers;
  double p;
  int trials;
};

// The name of the test: GoogleTest would print the bytes, and those between the fields are anything.
void PrintTo(const NullCase& one, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest calls it
  *out << one.windows << " windows, " << one.speakers << " speakers, p " << one.p << ", " << one.trials << " trials";
}

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

struct SimulatedBound {
  double simulated;  // T d^2 that one in a hundred recordings of noise exceeds
  double stored;
};

SimulatedBound simulate_bound(Index speakers, double expected_switches) {
  constexpr Index windows = 1000;
  constexpr int recordings = 2000;
  const double p = expected_switches / static_cast<double>(windows * (speakers - 1));
  std::vector<double> found;
  double stored = 0;
  for (std::uint64_t seed = 1; seed <= recordings; ++seed) {
    const ScoredParticipant noise = test::scored_participant(
        {.windows = windows, .speakers = speakers, .mu_attended = 0, .mu_unattended = 0, .sigma = 1, .seed = seed});
    const SeparationTest tested = test_separation({&noise, 1}, hmm::Chain::sticky(speakers, p), false);
    found.push_back(windows * tested.found * tested.found);
    stored = windows * tested.bound * tested.bound;
  }
  std::ranges::nth_element(found, found.begin() + (recordings * 99 / 100));
  return {found[recordings * 99 / 100], stored};
}

// Whoever changes the fit takes the simulated values for the table; they vary by 5 % or so from draw to draw.
TEST(SeparationNull, TableIsWhatTheFitFindsInNoise) {
  for (const double expected : {0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0}) {
    for (const Index speakers : {2, 3}) {
      const SimulatedBound bound = simulate_bound(speakers, expected);
      EXPECT_NEAR(bound.stored, bound.simulated, 0.15 * bound.simulated)
          << speakers << " speakers, " << expected << " switches expected: " << bound.simulated;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, SeparationNull,
                         ::testing::Values(NullCase{100, 2, 0.001, 1}, NullCase{600, 2, 0.001, 1},
                                           NullCase{600, 2, 0.005, 10}, NullCase{3000, 2, 0.001, 30},
                                           NullCase{600, 2, 0.05, 1}, NullCase{600, 3, 0.001, 1},
                                           NullCase{600, 4, 0.003, 1}, NullCase{300, 8, 0.001, 3}));

}  // namespace
}  // namespace heed::emission
