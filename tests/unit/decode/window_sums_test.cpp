// SPDX-License-Identifier: MIT
// Cells, their sums and labels of windows against their definitions.
#include <heed/decode/window_sums.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace heed::decode {
namespace {

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
  test::expect_error(ErrorKind::invalid_argument, {"longer than 10000000 s"},
                     [] { (void)cells_per_window(Seconds{1e30}); });
}

RC_GTEST_PROP(WindowSums, CellsHoldTheSumsOfTheirSamples, ()) {
  const Hertz rate{static_cast<double>(*rc::gen::inRange(20, 130))};
  const auto samples = *rc::gen::inRange<Index>(1, 400);
  test::Draws draws(*rc::gen::inRange<std::uint64_t>(1, 1000));
  const Matrix u = draws.matrix(samples, 2);
  const Matrix v = draws.matrix(samples, 6);  // three speakers, two pairs
  CellSums cells(rate, 3, 2);
  for (Index t = 0; t < samples; ++t) cells.add(data::view(u).row(t), data::view(v).row(t), false);
  RC_ASSERT(cells.complete_cells() == whole_windows(samples, rate, cell_length));
  for (Index k = 0; k < cells.complete_cells(); ++k) {
    const Index begin = first_of_cell(k, rate);
    const Index count = cells.samples_in(k, 1);
    RC_ASSERT(count == first_of_cell(k + 1, rate) - begin);
    for (Index i = 0; i < 6; ++i) {
      const auto a = u.col(i % 2).segment(begin, count);
      const auto b = v.col(i).segment(begin, count);
      const PairSums& sums = cells.cell(k)[static_cast<std::size_t>(i)];
      RC_ASSERT(std::abs(sums.u - a.sum()) + std::abs(sums.v - b.sum()) < 1e-12);
      RC_ASSERT(std::abs(sums.uu - a.squaredNorm()) + std::abs(sums.vv - b.squaredNorm()) < 1e-12);
      RC_ASSERT(std::abs(sums.uv - a.dot(b)) < 1e-12);
    }
  }
  const auto powers = cells.powers();  // of all samples, those of a last part of a cell too
  const auto n = static_cast<double>(samples);
  for (Index i = 0; i < 6; ++i) {
    RC_ASSERT(std::abs(powers[static_cast<std::size_t>(i)].u - u.col(i % 2).squaredNorm() / n) < 1e-12);
    RC_ASSERT(std::abs(powers[static_cast<std::size_t>(i)].v - v.col(i).squaredNorm() / n) < 1e-12);
  }
}

TEST(WindowSums, SamplesThatAreNotThereSpoilTheirCellAndCountInNoPower) {
  CellSums cells(Hertz{64}, 1, 1);
  double squares = 0;
  for (Index t = 0; t < 4 * 16 + 3; ++t) {
    const auto u = static_cast<double>(t);
    const double v = t == 40 || t == 65 ? std::nan("") : 1;
    const bool missing = t == 17;
    cells.add({&u, 1}, {&v, 1}, missing);
    const bool not_a_number = t / 16 == 2 || t / 16 == 4;  // the whole cell goes
    if (!missing && !not_a_number) squares += u * u;
  }
  EXPECT_FALSE(cells.is_spoilt(0, 1));
  EXPECT_TRUE(cells.is_spoilt(1, 1)) << "missing";
  EXPECT_TRUE(cells.is_spoilt(0, 2)) << "missing within";
  EXPECT_TRUE(cells.is_spoilt(2, 1)) << "not a number";
  EXPECT_FALSE(cells.is_spoilt(3, 1));
  EXPECT_DOUBLE_EQ(cells.powers().front().u, squares / (16 + 15 + 16));
  EXPECT_DOUBLE_EQ(cells.powers().front().v, 1);
  const double kept = cells.cell(3).front().uu;
  cells.forget_before(3);
  EXPECT_EQ(cells.cell(3).front().uu, kept);
  EXPECT_FALSE(cells.is_spoilt(3, 1));
  EXPECT_EQ(cells.complete_cells(), 4);
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
