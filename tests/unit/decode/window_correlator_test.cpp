// SPDX-License-Identifier: MIT
// Correlations of windows against their definitions on the samples, and what the shrunk cosine promises.
#include <heed/decode/score.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace heed::decode {
namespace {

constexpr Index speakers = 3;
constexpr Index pairs = 2;
const ScoreRule cosine{.measure = WindowMeasure::cosine};

// Two reconstructions, two targets of three speakers, and samples that are not there.
struct Signals {
  Hertz rate{64};
  Matrix u{};
  Matrix v{};
  std::vector<char> missing{};

  [[nodiscard]] CellSums cells() const {
    CellSums result(rate, speakers, pairs);
    for (Index t = 0; t < u.rows(); ++t) {
      result.add(data::view(u).row(t), data::view(v).row(t), missing[static_cast<std::size_t>(t)] != 0);
    }
    return result;
  }
  // Samples of a range of cells that are there.
  [[nodiscard]] std::vector<Index> recorded(Index first_cell, Index cell_count) const {
    std::vector<Index> result;
    const Index end = std::min(u.rows(), first_of_cell(first_cell + cell_count, rate));
    for (Index t = first_of_cell(first_cell, rate); t < end; ++t) {
      if (missing[static_cast<std::size_t>(t)] == 0) result.push_back(t);
    }
    return result;
  }
};

Signals any_signals() {
  Signals signals;
  signals.rate = Hertz{static_cast<double>(*rc::gen::inRange(20, 130))};
  const auto samples = *rc::gen::inRange<Index>(1, 800);
  test::Draws draws(*rc::gen::inRange<std::uint64_t>(1, 1000));
  signals.u = draws.matrix(samples, pairs).array() + 0.2;
  signals.v = draws.matrix(samples, speakers * pairs).array() - 0.1;
  signals.missing.assign(static_cast<std::size_t>(samples), 0);
  if (*rc::gen::arbitrary<bool>()) signals.missing[static_cast<std::size_t>(*rc::gen::inRange<Index>(0, samples))] = 1;
  return signals;
}

double pearson(const Eigen::ArrayXd& a, const Eigen::ArrayXd& b) {
  const Eigen::ArrayXd u = a - a.mean();
  const Eigen::ArrayXd v = b - b.mean();
  return (u * v).sum() / std::sqrt((u * u).sum() * (v * v).sum());
}

// What is found for every window of a trial, against expected(first cell, speaker, pair) where no sample is missing.
template <typename Expected>
void check_windows(const Signals& signals, const ScoreRule& rule, const Expected& expected) {
  const CellSums cells = signals.cells();
  const Index length = *rc::gen::inRange<Index>(1, 12);
  WindowCorrelator correlator(rule, {.cells = length}, cells);
  for (Index first = 0; first + length <= cells.complete_cells(); first += length) {
    const Matrix found = correlator.next(cells);
    RC_ASSERT(found.rows() == speakers);
    RC_ASSERT(found.cols() == pairs);
    const auto samples = signals.recorded(first, length);
    const bool complete = std::ssize(samples) == cells.samples_in(first, length);
    for (Index s = 0; s < speakers; ++s) {
      for (Index p = 0; p < pairs; ++p) {
        RC_ASSERT(complete == !std::isnan(found(s, p)));
        if (!complete) continue;
        const Eigen::ArrayXd a = signals.u(samples, p);
        const Eigen::ArrayXd b = signals.v(samples, s * pairs + p);
        RC_ASSERT(std::abs(found(s, p) - expected(a, b, first + length, s * pairs + p)) < 1e-11);
      }
    }
  }
}

RC_GTEST_PROP(WindowCorrelator, PearsonIsThatOfTheSamples, ()) {
  check_windows(any_signals(), {},
                [](const auto& a, const auto& b, Index /*end*/, Index /*column*/) { return pearson(a, b); });
}

// c = sum u v / sqrt((sum u^2 + eps w s_u^2)(sum v^2 + eps w s_v^2)), s^2 over the trial.
RC_GTEST_PROP(WindowCorrelator, TheCosineShrinksTowardsThePowersOfTheTrial, ()) {
  const Signals signals = any_signals();
  const double shrinkage = *rc::gen::element(0.0, 0.1, 0.3, 2.0);
  const auto there = signals.recorded(0, 1 << 20);
  ScoreRule rule = cosine;
  rule.shrinkage = shrinkage;
  check_windows(signals, rule, [&](const Eigen::ArrayXd& a, const Eigen::ArrayXd& b, Index /*end*/, Index column) {
    const auto n = static_cast<double>(a.size());
    const Eigen::ArrayXd all_u = signals.u(there, column % pairs);
    const Eigen::ArrayXd all_v = signals.v(there, column);
    const double power_u = a.square().sum() + shrinkage * n * all_u.square().mean();
    const double power_v = b.square().sum() + shrinkage * n * all_v.square().mean();
    return (a * b).sum() / std::sqrt(power_u * power_v);
  });
}

// The same with s^2 a mean over the cells until the window's end, each weighed by exp(-age / memory).
RC_GTEST_PROP(WindowCorrelator, WithAMemoryItShrinksTowardsThePowersOfThePast, ()) {
  const Signals signals = any_signals();
  ScoreRule rule = cosine;
  rule.memory = Seconds{*rc::gen::element(0.5, 3.0, 60.0)};
  check_windows(signals, rule, [&](const Eigen::ArrayXd& a, const Eigen::ArrayXd& b, Index end, Index column) {
    double samples = 0;
    double past_u = 0;
    double past_v = 0;
    double weight = 1;
    for (Index k = end - 1; k >= 0; --k) {
      const auto cell = signals.recorded(k, 1);
      if (std::ssize(cell) < first_of_cell(k + 1, signals.rate) - first_of_cell(k, signals.rate)) continue;
      samples += weight * static_cast<double>(cell.size());
      const Eigen::ArrayXd cell_u = signals.u(cell, column % pairs);
      const Eigen::ArrayXd cell_v = signals.v(cell, column);
      past_u += weight * cell_u.square().sum();
      past_v += weight * cell_v.square().sum();
      weight *= std::exp(-0.25 / rule.memory->value);
    }
    const double part = rule.shrinkage * static_cast<double>(a.size()) / samples;
    return (a * b).sum() / std::sqrt((a.square().sum() + part * past_u) * (b.square().sum() + part * past_v));
  });
}

// As one long signal, each part less its own mean for Pearson.
RC_GTEST_PROP(WindowCorrelator, StackedPairsAreOneSignal, ()) {
  Signals signals = any_signals();
  signals.missing.assign(signals.missing.size(), 0);
  const bool centred = *rc::gen::arbitrary<bool>();
  const CellSums cells = signals.cells();
  if (cells.complete_cells() < 4) return;
  const Index n = cells.samples_in(0, 4);
  const auto total = static_cast<double>(signals.u.rows());
  WindowCorrelator correlator(centred ? ScoreRule{} : cosine, {.cells = 4, .stacked = true}, cells);
  const Matrix found = correlator.next(cells);
  RC_ASSERT(found.cols() == 1);
  for (Index s = 0; s < speakers; ++s) {
    Matrix a = signals.u.topRows(n);
    Matrix b = signals.v.topRows(n).middleCols(s * pairs, pairs);
    if (centred) {
      a.rowwise() -= Eigen::RowVectorXd(a.colwise().mean());
      b.rowwise() -= Eigen::RowVectorXd(b.colwise().mean());
    }
    const double pull = centred ? 0 : 0.3 * static_cast<double>(n) / total;
    const double power_u = a.squaredNorm() + pull * signals.u.squaredNorm();
    const double power_v = b.squaredNorm() + pull * signals.v.middleCols(s * pairs, pairs).squaredNorm();
    RC_ASSERT(std::abs(found(s, 0) - a.cwiseProduct(b).sum() / std::sqrt(power_u * power_v)) < 1e-11);
  }
}

// An emission must not learn from scores which of two files is the louder one.
RC_GTEST_PROP(WindowCorrelator, LoudnessOfAWholeTrialDoesNotShow, ()) {
  Signals signals = any_signals();
  ScoreRule rule = cosine;
  if (*rc::gen::arbitrary<bool>()) rule.memory = Seconds{2};
  const CellSums before = signals.cells();
  signals.u *= 1e3;
  signals.v.leftCols(pairs) *= 1e-4;
  const CellSums after = signals.cells();
  WindowCorrelator quiet(rule, {.cells = 2}, before);
  WindowCorrelator loud(rule, {.cells = 2}, after);
  for (Index w = 0; w < before.complete_cells() / 2; ++w) {
    const Matrix expected = quiet.next(before);
    const Matrix found = loud.next(after);
    if (expected.hasNaN()) continue;
    RC_ASSERT((expected - found).cwiseAbs().maxCoeff() < 1e-12);
    RC_ASSERT(expected.cwiseAbs().maxCoeff() < 1);
  }
}

// Section 15.6's definition: mean products of the step over the powers of the last second and of the trial.
RC_GTEST_PROP(WindowCorrelator, StepsAreMeasuredByTheirSecond, ()) {
  const Signals signals = any_signals();
  const CellSums cells = signals.cells();
  const Index length = *rc::gen::inRange<Index>(1, 4);
  const auto powers = cells.powers();
  WindowCorrelator correlator(*rc::gen::element(cosine, ScoreRule{}), {.cells = length, .steps = true}, cells);
  for (Index first = 0; first + length <= cells.complete_cells(); first += length) {
    const Matrix found = correlator.next(cells);
    const auto step = signals.recorded(first, length);
    const bool complete = std::ssize(step) == cells.samples_in(first, length);
    std::vector<Index> second;  // whole cells of the last second
    for (Index k = std::max<Index>(0, first + length - 4); k < first + length; ++k) {
      const auto cell = signals.recorded(k, 1);
      if (std::ssize(cell) == cells.samples_in(k, 1)) second.insert(second.end(), cell.begin(), cell.end());
    }
    for (Index s = 0; s < speakers; ++s) {
      for (Index p = 0; p < pairs; ++p) {
        RC_ASSERT(complete == !std::isnan(found(s, p)));
        if (!complete) continue;
        const Eigen::ArrayXd u = signals.u(second, p).array();
        const Eigen::ArrayXd v = signals.v(second, s * pairs + p).array();
        const PairPowers& usual = powers[static_cast<std::size_t>(s * pairs + p)];
        double product = 0;
        for (const Index t : step) product += signals.u(t, p) * signals.v(t, s * pairs + p);
        product /= static_cast<double>(step.size());
        const double expected =
            product / std::sqrt((u.square().mean() + 0.1 * usual.u) * (v.square().mean() + 0.1 * usual.v));
        RC_ASSERT(std::abs(found(s, p) - expected) <= 1e-12 * std::max(1.0, std::abs(expected)));
      }
    }
  }
}

// A loud quarter of a quiet second: |c| is not bounded by 1.
TEST(WindowCorrelator, AStepMayBeLouderThanItsSecond) {
  CellSums cells(Hertz{64}, 1, 1);
  for (Index t = 0; t < 640; ++t) {
    const double loud = t >= 112 && t < 128 ? 1 : 0.01;
    const double value = (t % 2 == 0 ? 1 : -1) * loud;
    cells.add(std::array{value}, std::array{value}, false);
  }
  WindowCorrelator correlator({}, {.cells = 1, .stacked = true, .steps = true}, cells);
  double largest = 0;
  while (true) {
    largest = std::max(largest, correlator.next(cells)(0, 0));
    if (correlator.first_needed_cell() + 4 > cells.complete_cells()) break;
  }
  EXPECT_GT(largest, 2.5);
  EXPECT_LT(largest, 4);
}

TEST(WindowCorrelator, PearsonDoesNotKnowSignalsThatStandStillTheCosineDoes) {
  CellSums cells(Hertz{64}, 2, 1);
  test::Draws draws(2);
  for (Index t = 0; t < 3 * 16; ++t) {
    const double u = t / 16 == 1 ? 0.1 : draws();
    const std::array<double, 2> v{t / 16 == 2 ? 0 : draws(), 0};  // the second speaker never says a word
    cells.add({&u, 1}, v, false);
  }
  WindowCorrelator pearsons({}, {.cells = 1}, cells);
  EXPECT_FALSE(std::isnan(pearsons.next(cells)(0, 0)));
  EXPECT_TRUE(std::isnan(pearsons.next(cells)(0, 0))) << "constant";
  EXPECT_TRUE(std::isnan(pearsons.next(cells)(0, 0))) << "silent";
  WindowCorrelator cosines(cosine, {.cells = 1}, cells);
  (void)cosines.next(cells);
  EXPECT_NE(cosines.next(cells)(0, 0), 0);
  const Matrix silent = cosines.next(cells);
  EXPECT_EQ(silent(0, 0), 0) << "silence speaks for nobody";
  EXPECT_TRUE(std::isnan(silent(1, 0))) << "no power in all of the trial";
  WindowCorrelator plain({.measure = WindowMeasure::cosine, .shrinkage = 0}, {.cells = 1}, cells);
  (void)plain.next(cells);
  (void)plain.next(cells);
  EXPECT_TRUE(std::isnan(plain.next(cells)(0, 0))) << "nothing keeps a silent window from 0/0";
}

TEST(WindowCorrelator, RefusesRulesThatAreNone) {
  for (const double wrong : {-0.1, std::nan(""), HUGE_VAL}) {
    ScoreRule rule = cosine;
    rule.shrinkage = wrong;
    test::expect_error(ErrorKind::invalid_argument, {"shrinkage", "0.3 is usual"}, [&] { check_rule(rule); });
    rule = cosine;
    rule.memory = Seconds{wrong};
    test::expect_error(ErrorKind::invalid_argument, {"memory", "60 s is usual"}, [&] { check_rule(rule); });
  }
  test::expect_error(ErrorKind::invalid_argument, {"whole trial", "such as 60 s"},
                     [] { WindowCorrelator(cosine, {.cells = 4}); });
}

}  // namespace
}  // namespace heed::decode
