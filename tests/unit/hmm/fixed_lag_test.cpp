// SPDX-License-Identifier: MIT
#include <heed/core/fixed_lag_filter.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Seconds;
using heed::hmm::Chain;
using heed::hmm::lag_in_windows;
using heed::hmm::SmoothWorkspace;
using namespace heed::test;

TEST(LagInWindows, RoundsUp) {
  EXPECT_EQ(lag_in_windows(Seconds{5}, Seconds{1}), 5);
  EXPECT_EQ(lag_in_windows(Seconds{5}, Seconds{2}), 3);
  EXPECT_EQ(lag_in_windows(Seconds{0}, Seconds{1}), 0);
  EXPECT_EQ(lag_in_windows(Seconds{0.001}, Seconds{30}), 1);
  EXPECT_EQ(lag_in_windows(Seconds{0.3}, Seconds{0.1}), 3);  // the quotient is a little below 3,
  EXPECT_EQ(lag_in_windows(Seconds{2.1}, Seconds{0.7}), 3);  // here a little above: both mean three windows
  EXPECT_EQ(lag_in_windows(Seconds{2.1}, Seconds{0.3}), 7);
  EXPECT_EQ(lag_in_windows(Seconds{3.00001}, Seconds{1}), 4);
  EXPECT_EQ(lag_in_windows(Seconds{1e300}, Seconds{1e-3}), Index{1} << 52);
}

TEST(LagInWindows, RefusesImpossibleTimes) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::array<Seconds, 2>> impossible{{Seconds{-1}, Seconds{1}},       {Seconds{nan}, Seconds{1}},
                                                       {Seconds{infinity}, Seconds{1}}, {Seconds{5}, Seconds{0}},
                                                       {Seconds{5}, Seconds{-1}},       {Seconds{5}, Seconds{nan}}};
  for (const auto& times : impossible) {
    expect_error(ErrorKind::invalid_argument, {"lag", "windows longer than 0 s"},
                 [&] { lag_in_windows(times[0], times[1]); });
  }
}

// The streaming filter of core and the offline rows tell the same of every window.
TEST(FixedLag, EqualsTheStreamingFilter) {
  constexpr Index windows = 300;
  RandomStream random(41);
  const LogLikelihoods data{random_log_likelihoods(windows, 3, {.missing = 0.05, .impossible = 0.05}, random)};
  const Chain chain = Chain::sticky(3, 0.02).with_initial(std::array{0.2, 0.5, 0.3});
  const auto rows = heed::hmm::fixed_lag(chain, data, Seconds{7});
  auto live = heed::core::FixedLagFilter<double, 3, 7>::make(*chain.as_sticky(), chain.initial());
  ASSERT_TRUE(live);
  std::array<double, 3> seen{};
  const auto expect_row = [&](Index t, std::size_t age) {
    ASSERT_TRUE(live->look_back(age, seen));
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(rows.values(t, j), seen[static_cast<std::size_t>(j)], 1e-15) << t;
  };
  for (Index t = 0; t < windows; ++t) {
    live->step(heed::data::view(data.values).row(t));
    if (t >= 7) expect_row(t - 7, 7);
  }
  for (std::size_t age = 7; age-- > 0;) expect_row(windows - 1 - static_cast<Index>(age), age);
}

TEST(FixedLag, WaitsFiveSecondsUnlessTold) {
  RandomStream random(42);
  const LogLikelihoods data{random_log_likelihoods(50, 2, {}, random), Seconds{2}};
  const Chain chain = Chain::sticky(2, 0.05);
  const auto usual = heed::hmm::fixed_lag(chain, data);
  SmoothWorkspace workspace(50, 2);
  Matrix three(50, 2);
  heed::hmm::fixed_lag_into(chain, {heed::data::view(data.values), 3}, workspace, heed::data::view(three));
  EXPECT_EQ(largest_difference(usual.values, three), 0);
  EXPECT_EQ(usual.window, Seconds{2});
}

TEST(FixedLag, NegativeLagIsNone) {
  RandomStream random(43);
  const LogLikelihoods data{random_log_likelihoods(50, 2, {}, random)};
  const Chain chain = Chain::sticky(2, 0.05);
  SmoothWorkspace workspace(50, 2);
  Matrix out(50, 2);
  heed::hmm::fixed_lag_into(chain, {heed::data::view(data.values), -3}, workspace, heed::data::view(out));
  EXPECT_EQ(largest_difference(out, heed::hmm::filter(chain, data).values), 0);
}

TEST(FixedLag, StepsOfAnySizeGiveTheSameBits) {
  RandomStream random(44);
  const LogLikelihoods data{random_log_likelihoods(50, 3, {}, random)};
  const Chain chain = Chain::sticky(3, 0.05);
  SmoothWorkspace workspace(50, 3);
  for (const Index lag : {0, 1, 7, 49, 80}) {
    Matrix whole(50, 3);
    const double log_evidence =
        heed::hmm::fixed_lag_into(chain, {heed::data::view(data.values), lag}, workspace, heed::data::view(whole));
    for (const Index step : {0, 1, 4, 1000}) {
      Matrix out(50, 3);
      heed::hmm::FixedLagRun run(chain, {heed::data::view(data.values), lag}, workspace, heed::data::view(out));
      Index steps = 1;
      while (run.look_back(step)) ++steps;
      EXPECT_EQ(largest_difference(out, whole), 0) << lag << " windows, " << step << " at a time";
      EXPECT_EQ(run.log_evidence(), log_evidence);
      if (lag == 7 && step == 4) {
        EXPECT_EQ(steps, 11);  // 42 windows that do not see the end, 4 at a time
      }
      EXPECT_FALSE(run.look_back(step));
    }
  }
}

TEST(FixedLag, StoppedHalfWayTheRestIsCausal) {
  RandomStream random(45);
  const LogLikelihoods data{random_log_likelihoods(50, 2, {}, random)};
  const Chain chain = Chain::sticky(2, 0.05);
  SmoothWorkspace workspace(50, 2);
  Matrix out(50, 2);
  heed::hmm::FixedLagRun run(chain, {heed::data::view(data.values), 3}, workspace, heed::data::view(out));
  ASSERT_TRUE(run.look_back(20));
  EXPECT_EQ(largest_difference(out.topRows(20), heed::hmm::fixed_lag(chain, data, Seconds{3}).values.topRows(20)), 0);
  EXPECT_EQ(largest_difference(out.bottomRows(30), heed::hmm::filter(chain, data).values.bottomRows(30)), 0);
}

TEST(FixedLag, NoWindowsGiveNothing) {
  const auto posteriors = heed::hmm::fixed_lag(Chain::sticky(2, 0.1), {});
  EXPECT_EQ(posteriors.values.rows(), 0);
  EXPECT_EQ(posteriors.values.cols(), 2);
}

TEST(FixedLag, RefusesWhatDoesNotFit) {
  expect_error(ErrorKind::invalid_argument, {"3 columns", "2 states"},
               [] { heed::hmm::fixed_lag(Chain::sticky(2, 0.1), {Matrix::Zero(4, 3)}); });
  const Matrix values = Matrix::Zero(4, 2);
  Matrix out = Matrix::Constant(4, 2, 7);
  SmoothWorkspace small(3, 2);
  EXPECT_TRUE(std::isnan(
      heed::hmm::fixed_lag_into(Chain::sticky(2, 0.1), {heed::data::view(values), 1}, small, heed::data::view(out))));
  const Chain chain = Chain::sticky(2, 0.1);
  heed::hmm::FixedLagRun run(chain, {heed::data::view(values), 1}, small, heed::data::view(out));
  EXPECT_FALSE(run.look_back(1));
  EXPECT_TRUE(std::isnan(run.log_evidence()));
  EXPECT_TRUE((out.array() == 7).all());
}

}  // namespace
