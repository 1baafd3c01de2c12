// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/compare_notes.h>

#include <algorithm>
#include <string>

namespace heed::pipeline {
namespace {

using track::Method;

bool says(const Comparison& comparison, const std::string& words) {
  return std::ranges::any_of(comparison.notes,
                             [&](const Note& note) { return note.text.find(words) != std::string::npos; });
}

// Weak scores, at a switch probability that is far too small for evidence that is counted right.
TEST(CompareNotes, SaysWhyAModelThatKnowsBetterIsRightLessOften) {
  const auto repeating = sim::simulate_scores({.participants = 3, .autocorrelation = 0.88, .seed = 1});
  CompareRequest request{.participants = repeating, .methods = {Method::causal}};
  request.emission.dependence = DependenceChoice::ar1;
  const Comparison slow = compare(request);
  EXPECT_TRUE(says(slow, "% where they are taken for independent"));
  EXPECT_TRUE(says(slow, "as if the switch probability were about 0.01"));
  request.chain.switch_probability = 0.0106;
  const Comparison fair = compare(request);
  EXPECT_FALSE(says(fair, "taken for independent"));
  EXPECT_GT(*fair.methods[0].whole_accuracy.mean, *figures_of(slow.methods[0].independent).whole_accuracy);
}

TEST(CompareNotes, AdvisesNoSwitchProbabilityThatIsInUse) {
  const auto seldom = sim::simulate_scores({.participants = 3, .trials = 1});
  CompareRequest request{
      .participants = seldom, .methods = {Method::viterbi}, .switch_every = SwitchInterval{Seconds{20}, Seconds{20}}};
  EXPECT_TRUE(says(compare(request), "or auto, follows sooner"));
  request.chain.unknown_switch_probability = true;
  const Comparison unknown = compare(request);
  EXPECT_TRUE(says(unknown, "never noticed by viterbi"));
  EXPECT_FALSE(says(unknown, "or auto"));
}

}  // namespace
}  // namespace heed::pipeline
