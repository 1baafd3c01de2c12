// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/matrix.h>
#include <heed/data/random.h>
#include <heed/evaluate/mesd.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::evaluate {
namespace {

// Figures of another implementation.
struct Golden {
  double accuracy;
  int states;
  int target;
  double windows;
};
constexpr auto goldens = std::to_array<Golden>({{.55, 21, 14, 72.0735},
                                                {.58, 13, 9, 28.6887},
                                                {.60, 10, 7, 17.2384},
                                                {.65, 7, 5, 8.25484},
                                                {.70, 5, 4, 4.99760},
                                                {.80, 5, 4, 4.08110}});

// The gain chain as a matrix; state k is row k - 1.
Matrix chain_of(double accuracy, int states) {
  Matrix chain = Matrix::Zero(states, states);
  for (int k = 0; k < states; ++k) {
    chain(k, std::min(k + 1, states - 1)) += accuracy;
    chain(k, std::max(k - 1, 0)) += 1 - accuracy;
  }
  return chain;
}

// Mean times to `target` from the states below it, by solving (I - A) h = 1.
Eigen::VectorXd solved_hitting_times(double accuracy, int target) {
  const Index below = target - 1;
  const Matrix within = chain_of(accuracy, target).topLeftCorner(below, below);
  return (Matrix::Identity(below, below) - within).fullPivLu().solve(Eigen::VectorXd::Ones(below));
}

// Where the chain stands in the long run, by running it.
Eigen::RowVectorXd stationary(double accuracy, int states) {
  Matrix chain = chain_of(accuracy, states);
  for (int doubling = 0; doubling < 40; ++doubling) chain = (chain * chain).eval();
  return chain.row(0);
}

TEST(OptimalGainChain, EqualsPublishedFigures) {
  for (const Golden& golden : goldens) {
    const auto chain = optimal_gain_chain(golden.accuracy);
    ASSERT_TRUE(chain);
    EXPECT_EQ(chain->states, golden.states) << golden.accuracy;
    EXPECT_EQ(chain->target, golden.target) << golden.accuracy;
    EXPECT_NEAR(expected_switch_duration(golden.accuracy, Seconds{1})->value / golden.windows, 1, 1e-4);
    EXPECT_NEAR(expected_switch_duration(golden.accuracy, Seconds{3})->value / golden.windows, 3, 3e-4);
  }
}

TEST(ConfidentState, IsWhereTheChainKeepsToInTheLongRun) {
  for (const double accuracy : {.53, .6, .7, .9}) {
    for (const int states : {5, 8, 13, 30}) {
      const Eigen::RowVectorXd shares = stationary(accuracy, states);
      const int state = confident_state(accuracy, states);
      // P(at `state` or above) >= .8, and one state higher no more.
      EXPECT_GE(shares.tail(states - state + 1).sum(), 0.8 - 1e-9) << accuracy << ' ' << states;
      EXPECT_LT(shares.tail(states - state).sum(), 0.8) << accuracy << ' ' << states;
    }
  }
  EXPECT_EQ(confident_state(1, 7), 7);
}

TEST(OptimalGainChain, IsTheFirstThatIsComfortable) {
  for (double accuracy = 0.501; accuracy <= 1; accuracy += 0.0037) {
    int states = 5;
    while ((confident_state(accuracy, states) - 1) / (states - 1.0) < 0.65 - 1e-12) ++states;
    const auto chain = optimal_gain_chain(accuracy);
    ASSERT_TRUE(chain);
    EXPECT_EQ(chain->states, states) << accuracy;
    EXPECT_GE((chain->target - 1) / (states - 1.0), 0.65 - 1e-12);
    EXPECT_LT((chain->target - 2) / (states - 1.0), 0.65);
  }
}

TEST(OptimalGainChain, DoesNotExistForGuessers) {
  EXPECT_FALSE(optimal_gain_chain(0.5));
  EXPECT_FALSE(optimal_gain_chain(0));
  EXPECT_FALSE(optimal_gain_chain(std::nextafter(0.5, 1))) << "K would have to be in the billions";
  EXPECT_TRUE(optimal_gain_chain(0.5001));
  EXPECT_FALSE(expected_switch_duration(0.3, Seconds{1}));
}

TEST(OptimalGainChain, OfAPerfectDecoderIsTheSmallest) {
  EXPECT_EQ(optimal_gain_chain(1)->states, 5);
  EXPECT_DOUBLE_EQ(expected_switch_duration(1, Seconds{2})->value, 3 * 2) << "three steps up from the bottom";
}

RC_GTEST_PROP(HittingTime, SolvesTheLinearSystem, ()) {
  // Below .3 the system loses more digits than the tolerance has: its condition grows with (q/p)^target.
  const double accuracy = *rc::gen::inRange(300, 999) / 1000.0;
  const int target = *rc::gen::inRange(2, 16);
  const Eigen::VectorXd solved = solved_hitting_times(accuracy, target);
  for (int from = 1; from < target; ++from) {
    RC_ASSERT(std::abs(expected_hitting_time(accuracy, from, target) / solved(from - 1) - 1) < 1e-9);
  }
}

TEST(HittingTime, EqualsItsClosedForms) {
  for (const double p : {.3, .51, .6, .95}) {
    const double q = 1 - p;
    const double r = p / q;
    for (int i = 1; i < 12; ++i) {
      for (int k = i + 1; k < 13; ++k) {
        const double closed = ((k - i) / (p - q)) + (p * (std::pow(r, -k) - std::pow(r, -i)) / ((p - q) * (p - q)));
        EXPECT_NEAR(expected_hitting_time(p, i, k) / closed, 1, 1e-9) << p << ' ' << i << ' ' << k;
      }
    }
  }
  EXPECT_DOUBLE_EQ(expected_hitting_time(0.5, 3, 9), (9 - 3) * (9 + 3 - 1)) << "the closed form is 0/0 here";
}

TEST(ExpectedSwitchDuration, IsWhatTheChainDoesWhenItIsRun) {
  constexpr double accuracy = 0.65;
  const GainChain chain = *optimal_gain_chain(accuracy);
  RandomStream random(5);
  double sum = 0;
  double squares = 0;
  constexpr int runs = 200000;
  for (int run = 0; run < runs; ++run) {
    // Below the target: the mirror image of the long run, given that it is below.
    const double s = (1 - accuracy) / accuracy;
    int state = chain.target;
    while (state >= chain.target) state = 1 + static_cast<int>(std::log(random.uniform()) / std::log(s));
    int windows = 0;
    for (; state < chain.target; ++windows) {
      state = random.uniform() < accuracy ? state + 1 : std::max(1, state - 1);
    }
    sum += windows;
    squares += static_cast<double>(windows) * windows;
  }
  const double mean = sum / runs;
  const double error = std::sqrt(((squares / runs) - (mean * mean)) / runs);
  EXPECT_NEAR(expected_switch_duration(accuracy, Seconds{1})->value, mean, 4 * error);
  EXPECT_LT(error, 0.02);
}

TEST(Mesd, IsTheBestWindowLengthOfTheCurve) {
  const std::vector<CurvePoint> curve{
      {Seconds{1}, .58}, {Seconds{5}, .66}, {Seconds{10}, .72}, {Seconds{30}, .82}, {Seconds{60}, .88}};
  const Mesd mesd = minimal_expected_switch_duration(curve);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 1000; ++k) {
    const double window = 1 + (59.0 * k / 999);
    double accuracy = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const auto& [a, b] = std::pair(curve[i - 1], curve[i]);
      if (window < a.window.value || window > b.window.value + 1e-9) continue;
      accuracy = a.accuracy + ((b.accuracy - a.accuracy) * (window - a.window.value) / (b.window - a.window).value);
    }
    least = std::min(least, expected_switch_duration(accuracy, Seconds{window})->value);
  }
  EXPECT_NEAR(mesd.duration.value, least, 1e-9 * least);
  EXPECT_NEAR(expected_switch_duration(mesd.accuracy, mesd.window)->value, mesd.duration.value, 1e-12);
  EXPECT_EQ(optimal_gain_chain(mesd.accuracy)->states, mesd.chain.states);
}

TEST(Mesd, OfOnePointIsItsSwitchDuration) {
  const Mesd mesd = minimal_expected_switch_duration(std::vector<CurvePoint>{{Seconds{2}, .6}});
  EXPECT_NEAR(mesd.duration.value, 2 * 17.2384, 2e-3);
  EXPECT_EQ(mesd.window, Seconds{2});
  EXPECT_EQ(mesd.chain.states, 10);
}

TEST(Mesd, PassesOverWindowLengthsNoBetterThanChance) {
  const std::vector<CurvePoint> curve{{Seconds{1}, .4}, {Seconds{2}, .5}, {Seconds{4}, .7}};
  const Mesd mesd = minimal_expected_switch_duration(curve);
  EXPECT_GT(mesd.window, Seconds{2});
  EXPECT_LE(mesd.window, Seconds{4});
}

RC_GTEST_PROP(Mesd, NeverGrowsWithAccuracy, ()) {
  const double low = *rc::gen::inRange(520, 900) / 1000.0;
  const double high = low + (*rc::gen::inRange(1, 100) / 1000.0);
  // Up to the rounding of K to whole states, which may cost a step.
  RC_ASSERT(expected_switch_duration(high, Seconds{1})->value <
            1.15 * expected_switch_duration(low, Seconds{1})->value);
}

void expect_refused(const std::vector<CurvePoint>& curve, const std::string& part) {
  try {
    (void)minimal_expected_switch_duration(curve);
    FAIL() << "took a curve that is none: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Mesd, RefusesCurvesThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused({}, "at least one window length");
  expect_refused({{Seconds{1}, .6}, {Seconds{1}, .7}}, "must be positive and increasing");
  expect_refused({{Seconds{5}, .6}, {Seconds{1}, .7}}, "must be positive and increasing");
  expect_refused({{Seconds{0}, .6}}, "must be positive and increasing");
  expect_refused({{Seconds{nan}, .6}}, "must be positive and increasing");
  expect_refused({{Seconds{1}, 1.2}}, "between 0 and 1");
  expect_refused({{Seconds{1}, nan}}, "between 0 and 1");
  expect_refused({{Seconds{1}, .5}, {Seconds{2}, .4}}, "accuracy above chance");
}

TEST(GainChain, RefusesWhatMakesNone) {
  EXPECT_THROW((void)optimal_gain_chain(-0.1), Error);
  EXPECT_THROW((void)optimal_gain_chain(0.6, {.comfort = 1}), Error);
  EXPECT_THROW((void)optimal_gain_chain(0.6, {.fewest_states = 1}), Error);
  EXPECT_THROW((void)confident_state(0.5, 5), Error);
  EXPECT_THROW((void)confident_state(0.6, 0), Error);
  EXPECT_THROW((void)expected_hitting_time(0, 1, 2), Error);
  EXPECT_THROW((void)expected_hitting_time(0.6, 2, 2), Error);
  EXPECT_THROW((void)expected_hitting_time(0.6, 0, 2), Error);
}

}  // namespace
}  // namespace heed::evaluate
