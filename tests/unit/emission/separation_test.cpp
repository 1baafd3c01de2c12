// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::ScoreCase;
using test::scored_participant;

ScoreCase noise(std::uint64_t seed) {
  return {.windows = 600, .mu_attended = 0.1, .mu_unattended = 0.1, .sigma = 0.3, .seed = seed};
}

SeparationTest tested(const ScoreCase& scores, double p = 0.001) {
  const ScoredParticipant participant = scored_participant(scores);
  return test_separation({&participant, 1}, hmm::Chain::sticky(scores.speakers, p), false);
}

// How many of 100 recordings of noise pass; one is expected.
int passing(ScoreCase scores, double p = 0.001) {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    scores.seed = seed;
    count += tested(scores, p).passed() ? 1 : 0;
  }
  return count;
}

// More than 4 of 100 would come of a test at 1 % in 0.4 % of such draws.
TEST(Separation, IsNotFoundInNoise) {
  EXPECT_LE(passing(noise(1)), 4);
  ScoreCase three = noise(1);
  three.speakers = 3;
  EXPECT_LE(passing(three), 4);
  ScoreCase trials = noise(1);
  trials.windows = 60;
  trials.trials = 10;
  EXPECT_LE(passing(trials), 4);
  EXPECT_LE(passing(noise(1), 0.03), 4);
}

TEST(Separation, IsNotFoundInNoiseThatRepeatsItself) {
  ScoreCase slow = noise(1);
  slow.autocorrelation = 0.6;
  EXPECT_LE(passing(slow), 6);  // blocks of (1 + r)/(1 - r) windows still correlate a little
}

TEST(Separation, IsFoundWhereListenersAttend) {
  // Of 1,000 recordings 999, 950 and 751, at d' of 0.44, 0.35 and 0.29.
  const auto found = [](double sigma) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const ScoreCase scores{
          .windows = 600, .mu_attended = 0.124, .mu_unattended = 0.037, .sigma = sigma, .seed = seed};
      count += tested(scores, 0.01).passed() ? 1 : 0;
    }
    return count;
  };
  EXPECT_GE(found(0.2), 99);
  EXPECT_GE(found(0.25), 90);
  EXPECT_GE(found(0.3), 65);
}

TEST(Separation, DependsOnNeitherUnitNorOrigin) {
  const ScoredParticipant first = scored_participant({.windows = 300, .seed = 5});
  ScoredParticipant second = first;
  second.trials.front().scores.values = (3 * first.trials.front().scores.values.array() + 7).matrix();
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const auto a = test_separation({&first, 1}, chain, false);
  const auto b = test_separation({&second, 1}, chain, false);
  EXPECT_NEAR(a.found, b.found, 1e-4 * a.found);  // Baum-Welch stops at a gain relative to the evidence
  EXPECT_EQ(a.bound, b.bound);
}

TEST(Separation, NeedsMoreOfShorterRecordings) {
  const auto bound = [](Index windows) { return tested({.windows = windows}).bound; };
  EXPECT_GT(bound(100), bound(400));
  EXPECT_GT(bound(400), bound(1600));
  EXPECT_FALSE(tested({.windows = 8}).passed());  // too few to say anything
}

TEST(Separation, PassesOverMissingWindows) {
  ScoredParticipant gaps = scored_participant({.windows = 300, .seed = 2});
  ScoredParticipant whole = gaps;
  for (Index t = 100; t < 150; ++t) gaps.trials.front().scores.values(t, t % 2) = std::nan("");
  const auto chain = hmm::Chain::sticky(2, 0.01);
  EXPECT_GT(test_separation({&gaps, 1}, chain, false).bound, test_separation({&whole, 1}, chain, false).bound);
  test::expect_error(ErrorKind::bad_data, {"no scores"}, [&] { (void)test_separation({}, chain, false); });
}

TEST(Undecided, SaysTheSameOfEverySpeaker) {
  const GaussianEmission found{
      .fisher = false, .mu_attended = 0.5, .mu_unattended = -0.1, .sigma_attended = 0.8, .sigma_unattended = 0.8};
  const GaussianEmission none = undecided(found, 3);
  EXPECT_DOUBLE_EQ(none.mu_attended, (0.5 - 0.1 - 0.1) / 3);
  EXPECT_EQ(none.mu_attended, none.mu_unattended);
  const auto said = log_likelihoods(none, {Matrix::Random(20, 3), Seconds{1}});
  for (Index t = 0; t < 20; ++t) {
    EXPECT_EQ(said.values(t, 0), said.values(t, 1));
    EXPECT_EQ(said.values(t, 1), said.values(t, 2));
  }
}

}  // namespace
}  // namespace heed::emission
