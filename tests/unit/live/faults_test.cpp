// SPDX-License-Identifier: MIT
// Random scripts of faults in virtual time. What is promised always: posteriors are distributions, gains keep their
// range and their pace, and once the input is good the answer is right again.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/live_faults.h"

namespace heed::test {
namespace {

TEST(Faults, WithoutAnyEveryWindowIsRight) {
  const FaultOutcome outcome = run_script({.seed = 3, .duration = 30});
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.held, 0);
  EXPECT_GT(outcome.worst_score, 0.7);
  EXPECT_EQ(outcome.counts.clock, live::ClockCounts{});
}

TEST(Faults, OfEveryKindAreOvercome) {
  const std::vector<Fault> faults{
      {FaultKind::loss, 5, 6, 0.5},    {FaultKind::eeg_gap, 5, 3, 0},    {FaultKind::sound_gap, 5, 4, 0},
      {FaultKind::pause, 5, 5, 0},     {FaultKind::nan, 5, 2, 0},        {FaultKind::rail, 5, 2, 0},
      {FaultKind::flat, 5, 2, 0},      {FaultKind::swap, 5, 4, 0},       {FaultKind::jump, 5, 0, 20},
      {FaultKind::jump, 5, 0, -20},    {FaultKind::jump, 5, 0, 200000},  {FaultKind::jump, 5, 0, -200000},
      {FaultKind::eeg_jump, 5, 0, 20}, {FaultKind::eeg_jump, 5, 0, -20}, {FaultKind::eeg_jump, 5, 0, 200000},
      {FaultKind::jitter, 5, 5, 0.04}, {FaultKind::backwards, 5, 3, 2},  {FaultKind::duplicates, 5, 5, 0},
      {FaultKind::burst, 5, 1.5, 0},   {FaultKind::drift, 0, 0, 500},    {FaultKind::drift, 0, 0, -500},
  };
  for (const Fault& fault : faults) {
    const FaultScript script{.seed = 7, .duration = 34, .faults = {fault}};
    EXPECT_EQ(run_script(script).failure, "") << describe(script);
  }
}

// 500 ppm for a minute are 30 ms; 5 ms are allowed, and scores see what is left.
TEST(Faults, SoundThatDriftsStaysBesideTheEeg) {
  for (const double ppm : {500.0, -500.0}) {
    const FaultOutcome outcome = run_script({.seed = 9, .duration = 80, .faults = {{FaultKind::drift, 0, 0, ppm}}});
    EXPECT_EQ(outcome.failure, "");
    EXPECT_NEAR(outcome.counts.clock.drift_ppm, 500, 100);
    EXPECT_GT(outcome.counts.clock.shifted, 1);
  }
}

TEST(Faults, InRandomScriptsNeverBreakAPromise) {
  constexpr std::uint64_t scripts = 2000;
  for (std::uint64_t seed = 1; seed <= scripts; ++seed) {
    const FaultScript script = random_script(seed);
    const FaultOutcome outcome = run_script(script);
    if (outcome.failure.empty()) continue;
    const FaultScript smallest = shrunk(script);
    FAIL() << outcome.failure << "; " << describe(script) << "\nsmallest: " << run_script(smallest).failure << "; "
           << describe(smallest);
  }
}

}  // namespace
}  // namespace heed::test
