// SPDX-License-Identifier: MIT
#include <heed/hmm/chain.h>

#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::Matrix;
using heed::Seconds;
using heed::hmm::Chain;
using heed::hmm::From;
using heed::hmm::To;
using heed::test::expect_error;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix two_by_two(double a, double b, double c, double d) {
  Matrix matrix(2, 2);
  matrix << a, b, c, d;
  return matrix;
}

TEST(Chain, StickyStaysAndMoves) {
  const Chain chain = Chain::sticky(3, 0.1);
  EXPECT_EQ(chain.states(), 3);
  EXPECT_DOUBLE_EQ(chain.transition(From{1}, To{1}), 0.8);
  EXPECT_EQ(chain.transition(From{1}, To{2}), 0.1);
  ASSERT_NE(chain.as_sticky(), nullptr);
  EXPECT_EQ(chain.as_sticky()->move(), 0.1);
  EXPECT_EQ(chain.initial()[2], 1.0 / 3);
  EXPECT_EQ(chain.general().rows, 0);
}

TEST(Chain, StickyRefusesAProbabilityOutOfRange) {
  for (const double p : {0.0, -0.1, 0.34, 1.0, nan, infinity}) {
    expect_error(ErrorKind::invalid_argument, {"switch probability", "N = 3", "1/N = 0.333"},
                 [&] { Chain::sticky(3, p); });
  }
  expect_error(ErrorKind::invalid_argument, {"0.5001", "N = 2", "0.5"}, [] { Chain::sticky(2, 0.5001); });
  EXPECT_EQ(Chain::sticky(2, 0.5).transition(From{0}, To{1}), 0.5);
}

TEST(Chain, StickyNeedsTwoStates) {
  for (const Index states : {1, 0, -4}) {
    expect_error(ErrorKind::invalid_argument, {std::to_string(states) + " states", "at least 2"},
                 [&] { Chain::sticky(states, 0.1); });
  }
}

TEST(Chain, FirstIndexIsFrom) {
  const Chain chain = Chain::make(two_by_two(0.9, 0.1, 0.4, 0.6));
  EXPECT_EQ(chain.transition(From{0}, To{1}), 0.1);
  EXPECT_EQ(chain.transition(From{1}, To{0}), 0.4);
  EXPECT_EQ(chain.as_sticky(), nullptr);
  EXPECT_EQ(chain.initial()[0], 0.5);
  EXPECT_DOUBLE_EQ(chain.log_general()(1, 0), std::log(0.4));
}

TEST(Chain, KeepsZerosAndAllowsOneState) {
  const Chain chain = Chain::make(two_by_two(0, 1, 0.5, 0.5));
  EXPECT_EQ(chain.transition(From{0}, To{0}), 0);
  EXPECT_EQ(chain.log_general()(0, 0), -infinity);
  EXPECT_EQ(Chain::make(Matrix::Ones(1, 1)).states(), 1);
}

TEST(Chain, RowsNearlyOneAreScaledToOneExactly) {
  for (const double rest : {0.2999995, 0.3000005, 0.3 + 1e-9}) {
    Matrix matrix = Matrix::Constant(3, 3, 1.0 / 3);
    matrix.row(1) << 0.1, 0.6, rest;
    const Chain chain = Chain::make(matrix);
    double sum = 0;
    for (Index j = 0; j < 3; ++j) sum += chain.transition(From{1}, To{j});
    EXPECT_EQ(sum, 1);
    EXPECT_NEAR(chain.transition(From{1}, To{1}), 0.6 / (0.7 + rest), 1e-15);
  }
}

TEST(Chain, RefusesRowsThatDoNotSumToOne) {
  expect_error(ErrorKind::invalid_argument, {"row 2", "0.95"}, [] { Chain::make(two_by_two(0.5, 0.5, 0.5, 0.45)); });
  expect_error(ErrorKind::invalid_argument, {"row 1", "1.00001"},
               [] { Chain::make(two_by_two(0.5, 0.50001, 0.5, 0.5)); });
}

TEST(Chain, RefusesEntriesThatAreNoProbabilities) {
  expect_error(ErrorKind::invalid_argument, {"row 1", "entry 2", "-0.1"},
               [] { Chain::make(two_by_two(1, -0.1, 0, 1)); });
  expect_error(ErrorKind::invalid_argument, {"row 2", "entry 1", "nan"}, [] { Chain::make(two_by_two(1, 0, nan, 1)); });
  expect_error(ErrorKind::invalid_argument, {"row 2", "entry 2", "inf"},
               [] { Chain::make(two_by_two(1, 0, 0, infinity)); });
}

TEST(Chain, RefusesMatricesThatAreNotSquare) {
  expect_error(ErrorKind::invalid_argument, {"2 rows", "3 columns"},
               [] { Chain::make(Matrix::Constant(2, 3, 1. / 3)); });
  expect_error(ErrorKind::invalid_argument, {"0 rows"}, [] { Chain::make(Matrix()); });
}

TEST(Chain, WithInitialChangesTheFirstWindowOnly) {
  const Chain before = Chain::sticky(2, 0.1);
  const Chain after = before.with_initial(std::array{0.75, 0.25});
  EXPECT_EQ(after.initial()[0], 0.75);
  EXPECT_EQ(before.initial()[0], 0.5);
  EXPECT_EQ(after.transition(From{0}, To{1}), 0.1);
}

// So that another part that scales what it is given (core::AttentionFilter) does not change a bit of it.
TEST(Chain, InitialAddsUpToOneInOrder) {
  for (int k = 1; k < 200; ++k) {
    const std::array given{0.1 + (k * 1e-9), 0.2, 0.3 - (k * 1e-9), 0.15, 0.25};
    const Chain chain = Chain::sticky(5, 0.1).with_initial(given);
    EXPECT_EQ(std::accumulate(chain.initial().begin(), chain.initial().end(), 0.0), 1.0);
    EXPECT_NEAR(chain.initial()[0], given[0], 1e-15);
  }
}

TEST(Chain, RefusesInitialsThatAreNoDistribution) {
  const Chain chain = Chain::sticky(2, 0.1);
  expect_error(ErrorKind::invalid_argument, {"initial", "0.9"}, [&] {
    (void)chain.with_initial(std::array{0.4, 0.5});
  });
  expect_error(ErrorKind::invalid_argument, {"initial", "3 probabilities", "2 states"}, [&] {
    (void)chain.with_initial(std::array{0.4, 0.5, 0.1});
  });
  expect_error(ErrorKind::invalid_argument, {"initial", "entry 2", "nan"}, [&] {
    (void)chain.with_initial(std::array{1.0, nan});
  });
  expect_error(ErrorKind::invalid_argument, {"initial", "entry 1", "1.2"}, [&] {
    (void)chain.with_initial(std::array{1.2, -0.2});
  });
}

TEST(SwitchProbability, LinearIsThePapers) {
  EXPECT_DOUBLE_EQ(heed::hmm::linear_switch_probability(2, Seconds{5}), 0.005);
  EXPECT_DOUBLE_EQ(heed::hmm::linear_switch_probability(3, Seconds{0.25}, 0.01), 0.0025);
}

// Looking at a chain every second window is the chain squared.
TEST(SwitchProbability, ExactIsThePowerOfTheMatrix) {
  for (const Index states : {2, 3, 8}) {
    const double p = 0.03;
    Matrix one = Matrix::Constant(states, states, p);
    one.diagonal().setConstant(1 - (static_cast<double>(states - 1) * p));
    Matrix power = one;
    for (int tau = 1; tau <= 6; ++tau, power = power * one) {
      EXPECT_NEAR(heed::hmm::exact_switch_probability(states, Seconds{static_cast<double>(tau)}, p), power(0, 1),
                  1e-15);
    }
  }
  EXPECT_NEAR(heed::hmm::exact_switch_probability(2, Seconds{1e-9}) / 1.001001335336e-12, 1, 1e-9);
}

TEST(SwitchProbability, NeverLeavesItsRange) {
  expect_error(ErrorKind::invalid_argument, {"600 s", "0.6", "2 states", "0.5"},
               [] { heed::hmm::linear_switch_probability(2, Seconds{600}); });
  EXPECT_LE(heed::hmm::exact_switch_probability(2, Seconds{1e6}), 0.5);
  EXPECT_EQ(heed::hmm::exact_switch_probability(2, Seconds{3}, 0.5), 0.5);
  for (const double window : {0.0, -1.0, nan, infinity}) {
    expect_error(ErrorKind::invalid_argument, {"above 0 s"},
                 [&] { heed::hmm::exact_switch_probability(2, Seconds{window}); });
  }
  for (const double rate : {0.0, -0.1, 0.51, nan}) {
    expect_error(ErrorKind::invalid_argument, {"per second", "2 states", "0.5"},
                 [&] { heed::hmm::linear_switch_probability(2, Seconds{1}, rate); });
  }
  expect_error(ErrorKind::invalid_argument, {"at least 2"},
               [] { heed::hmm::linear_switch_probability(1, Seconds{1}); });
}

}  // namespace
