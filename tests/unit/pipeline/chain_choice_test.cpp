// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/pipeline/chain_choice.h>

namespace heed::pipeline {
namespace {

using hmm::From;
using hmm::To;

TEST(MakeChain, DefaultsToThePapersSwitchProbability) {
  EXPECT_DOUBLE_EQ(make_chain({}, 2, Seconds{1}).transition(From{0}, To{1}), 0.001);
  EXPECT_DOUBLE_EQ(make_chain({}, 3, Seconds{5}).transition(From{2}, To{0}), 0.005);
}

TEST(MakeChain, ExactScalingIsTheChainOfOneSecondLookedAtLessOften) {
  const auto slow = make_chain({.scaling = SwitchScaling::exact}, 3, Seconds{2});
  const auto quick = make_chain({}, 3, Seconds{1});
  double two_steps = 0;
  for (Index k = 0; k < 3; ++k) two_steps += quick.transition(From{0}, To{k}) * quick.transition(From{k}, To{1});
  EXPECT_NEAR(slow.transition(From{0}, To{1}), two_steps, 1e-15);
}

TEST(MakeChain, AnExplicitProbabilityIsTakenAsItIs) {
  // the default would be beyond 1/N here, but nobody asked for it
  EXPECT_DOUBLE_EQ(make_chain({.switch_probability = 0.1}, 2, Seconds{900}).transition(From{0}, To{1}), 0.1);
  EXPECT_THROW((void)make_chain({.switch_probability = 0.0}, 2, Seconds{1}), Error);
  EXPECT_THROW((void)make_chain({.switch_probability = 0.51}, 2, Seconds{1}), Error);
}

TEST(MakeChain, TakesAMatrixOfTheRightSizeAndAnInitialDistribution) {
  const Matrix matrix = (Matrix(2, 2) << 0.9, 0.1, 0, 1).finished();
  const auto chain = make_chain({.transition = matrix, .initial = {0.25, 0.75}}, 2, Seconds{1});
  EXPECT_EQ(chain.transition(From{1}, To{0}), 0);
  EXPECT_EQ(chain.initial()[1], 0.75);
  EXPECT_THROW((void)make_chain({.transition = matrix}, 3, Seconds{1}), Error);
}

}  // namespace
}  // namespace heed::pipeline
