// SPDX-License-Identifier: MIT
// Cells, correlations and labels of windows against their definitions.
#include <heed/decode/window_sums.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace heed::decode {
namespace {

double pearson(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const Eigen::ArrayXd u = a.array() - a.mean();
  const Eigen::ArrayXd v = b.array() - b.mean();
  return (u * v).sum() / std::sqrt((u * u).sum() * (v * v).sum());
}

TEST(WindowSums, CellsBeginWhereTheirQuarterSecondDoes) {
  EXPECT_EQ(first_of_cell(3, Hertz{64}), 48);
  EXPECT_EQ(first_of_cell(1, Hertz{50}), 13) << "12.5 rounded up";
  EXPECT_EQ(first_of_cell(2, Hertz{50}), 25);
  EXPECT_EQ(cells_per_window(Seconds{1}), 4);
  EXPECT_EQ(cells_per_window(Seconds{0.25}), 1);
  EXPECT_EQ(whole_windows(639, Hertz{64}, Seconds{5}), 1);
  EXPECT_EQ(whole_windows(640, Hertz{64}, Seconds{5}), 2);
  EXPECT_EQ(whole_windows(63, Hertz{64}, Seconds{1}), 0);
  for (const double window : {0.0, -1.0, 0.3, 1.1, std::nan("")}) {
    test::expect_error(ErrorKind::invalid_argument, {"quarter seconds"}, [&] { (void)cells_per_window({window}); });
  }
}

RC_GTEST_PROP(WindowSums, CorrelationsAreThoseOfTheSamples, ()) {
  const Hertz rate{static_cast<double>(*rc::gen::inRange(20, 130))};
  const Seconds window{0.25 * static_cast<double>(*rc::gen::inRange(1, 12))};
  const auto samples = *rc::gen::inRange<Index>(1, 800);
  test::Draws draws(*rc::gen::inRange<std::uint64_t>(1, 1000));
  const Matrix u = draws.matrix(samples, 2);
  const Matrix v = draws.matrix(samples, 6);  // three speakers, two pairs
  CellSums cells(rate, 3, 2);
  for (Index t = 0; t < samples; ++t) cells.add(data::view(u).row(t), data::view(v).row(t), false);
  const Index length = cells_per_window(window);
  RC_ASSERT(cells.complete_cells() / length == whole_windows(samples, rate, window));
  for (Index w = 0; w < cells.complete_cells() / length; ++w) {
    const Index begin = first_of_cell(w * length, rate);
    const Index count = first_of_cell((w + 1) * length, rate) - begin;
    const Matrix found = cells.correlations(w * length, length);
    for (Index s = 0; s < 3; ++s) {
      for (Index p = 0; p < 2; ++p) {
        const double expected = pearson(u.col(p).segment(begin, count), v.col(2 * s + p).segment(begin, count));
        RC_ASSERT(std::abs(found(s, p) - expected) < 1e-11);
      }
    }
  }
}

TEST(WindowSums, MissingSamplesAndSignalsThatDoNotVaryMakeNaN) {
  CellSums cells(Hertz{64}, 1, 1);
  test::Draws draws(2);
  for (Index t = 0; t < 5 * 16; ++t) {
    const double u = t / 16 == 2 ? 0.1 : draws();
    const double v = t / 16 == 4 ? std::nan("") : draws();
    cells.add({&u, 1}, {&v, 1}, t == 17);
  }
  EXPECT_FALSE(std::isnan(cells.correlations(0, 1)(0, 0)));
  EXPECT_TRUE(std::isnan(cells.correlations(1, 1)(0, 0))) << "missing";
  EXPECT_TRUE(std::isnan(cells.correlations(0, 2)(0, 0))) << "missing within";
  EXPECT_TRUE(std::isnan(cells.correlations(2, 1)(0, 0))) << "constant";
  EXPECT_FALSE(std::isnan(cells.correlations(2, 2)(0, 0))) << "varies after all";
  EXPECT_TRUE(std::isnan(cells.correlations(4, 1)(0, 0))) << "not a number";
  const double kept = cells.correlations(3, 1)(0, 0);
  cells.forget_before(3);
  EXPECT_EQ(cells.correlations(3, 1)(0, 0), kept);
  EXPECT_EQ(cells.complete_cells(), 5);
  test::expect_error(ErrorKind::invalid_argument, {"20 Hz"}, [] { CellSums(Hertz{3}, 1, 1); });
}

TEST(WindowSums, FisherKeepsPerfectCorrelationsFinite) {
  EXPECT_DOUBLE_EQ(fisher(1), std::atanh(1 - 1e-7));
  EXPECT_EQ(fisher(-1), -fisher(1));
  EXPECT_DOUBLE_EQ(fisher(0.3), std::atanh(0.3));
}

TEST(WindowSums, AWindowHasALabelIfAllItsSamplesHaveOne) {
  Trial trial = test::planted_trial({.samples = 5 * 64 + 10});
  trial.attention = {{{0, 128}, 1}, {{128, 32}, 0}, {{160, 32}, 1}, {{192, 63}, 0}, {{256, 64}, 0}};
  const std::vector<Speaker> expected{1, 1, unknown_speaker, unknown_speaker, 0};
  EXPECT_EQ(attention_track(trial, Seconds{1}).attended, expected);
  EXPECT_EQ(attention_track(trial, Seconds{2}).attended, (std::vector<Speaker>{1, unknown_speaker}));
}

}  // namespace
}  // namespace heed::decode
