// SPDX-License-Identifier: MIT
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Seconds;
using heed::core::Step;
using heed::hmm::Chain;
using heed::hmm::Stream;
using namespace heed::test;

constexpr Index windows = 200;

LogLikelihoods case_of(Index states, RandomStream& random) {
  return {random_log_likelihoods(windows, states, {.missing = 0.1, .impossible = 0.05}, random)};
}

// Sticky chains of sizes with and without a kernel of their own, and general ones, some with zeros.
std::vector<Chain> chains(RandomStream& random) {
  return {Chain::sticky(2, 0.001),
          Chain::sticky(2, 0.5),
          Chain::sticky(3, 0.02).with_initial(std::array{0.2, 0.5, 0.3}),
          Chain::sticky(40, 0.003),
          to_chain(random_chain(3, {.zero = 0.3}, random)),
          to_chain(random_chain(5, {}, random))};
}

void expect_row(const Matrix& rows, Index t, std::span<const double> row) {
  for (Index j = 0; j < rows.cols(); ++j) {
    EXPECT_EQ(rows(t, j), row[static_cast<std::size_t>(j)]) << "window " << t << " of " << rows.cols() << " states";
  }
}

TEST(Stream, IsTheFilterWindowByWindow) {
  RandomStream random(71);
  for (const Chain& chain : chains(random)) {
    const LogLikelihoods data = case_of(chain.states(), random);
    const auto rows = heed::hmm::filter(chain, data);
    Stream stream(chain);
    Index held = 0;
    for (Index t = 0; t < windows; ++t) {
      held += stream.step(heed::data::view(data.values).row(t)) == Step::held ? 1 : 0;
      expect_row(rows.values, t, stream.belief());
    }
    EXPECT_EQ(held, rows.held);
    EXPECT_EQ(stream.windows(), windows);
  }
}

TEST(Stream, LooksBackAsTheFixedLagDoes) {
  RandomStream random(72);
  for (const Chain& chain : chains(random)) {
    const LogLikelihoods data = case_of(chain.states(), random);
    constexpr Index lag = 7;
    const auto rows = heed::hmm::fixed_lag(chain, data, Seconds{lag});
    Stream stream(chain, lag);
    std::vector<double> seen(static_cast<std::size_t>(chain.states()));
    for (Index t = 0; t < windows; ++t) {
      stream.step(heed::data::view(data.values).row(t));
      ASSERT_EQ(stream.look_back(lag, seen), t >= lag);
      if (t >= lag) expect_row(rows.values, t - lag, seen);
    }
    for (Index age = lag - 1; age >= 0; --age) {
      ASSERT_TRUE(stream.look_back(age, seen));
      expect_row(rows.values, windows - 1 - age, seen);
    }
  }
}

TEST(Stream, LookingBackChangesNothing) {
  RandomStream random(73);
  const LogLikelihoods data = case_of(2, random);
  Stream looking(Chain::sticky(2, 0.01), 3);
  Stream plain(Chain::sticky(2, 0.01));
  std::array<double, 2> seen{};
  for (Index t = 0; t < windows; ++t) {
    looking.step(heed::data::view(data.values).row(t));
    plain.step(heed::data::view(data.values).row(t));
    (void)looking.look_back(t % 4, seen);
    EXPECT_EQ(looking.belief()[0], plain.belief()[0]);
  }
}

TEST(Stream, BeginsAndBeginsAgainWithTheInitialDistribution) {
  const Chain chain = Chain::sticky(2, 0.01).with_initial(std::array{0.9, 0.1});
  Stream stream(chain, 2);
  EXPECT_EQ(stream.belief()[0], 0.9);
  stream.step(std::array{0.0, 5.0});
  const double first = stream.belief()[0];
  EXPECT_LT(first, 0.1);
  stream.step(std::array{0.0, 5.0});
  stream.reset();
  EXPECT_EQ(stream.belief()[0], 0.9);
  EXPECT_EQ(stream.windows(), 0);
  std::array<double, 2> seen{};
  EXPECT_FALSE(stream.look_back(0, seen)) << "windows before the reset are forgotten";
  stream.step(std::array{0.0, 5.0});
  EXPECT_EQ(stream.belief()[0], first);
}

TEST(Stream, GoesOnFromTheBeliefOfAnother) {
  RandomStream random(11);
  for (const Chain& chain : chains(random)) {
    const LogLikelihoods evidence = case_of(chain.states(), random);
    Stream whole(chain, 3);
    Stream first(chain, 3);
    Stream second(chain, 3);
    for (Index t = 0; t < windows; ++t) {
      whole.step(heed::data::view(evidence.values).row(t));
      Stream& now = t < 100 ? first : second;
      if (t == 100) {
        EXPECT_TRUE(second.resume(first.belief()));
      }
      now.step(heed::data::view(evidence.values).row(t));
      for (std::size_t j = 0; j < whole.belief().size(); ++j) ASSERT_EQ(now.belief()[j], whole.belief()[j]);
    }
  }
  Stream stream(Chain::sticky(2, 0.1));
  EXPECT_FALSE(stream.resume(std::array{0.5, 0.25, 0.25}));
  EXPECT_FALSE(stream.resume(std::array{0.5, 0.4}));
  EXPECT_FALSE(stream.resume(std::array{1.5, -0.5}));
  EXPECT_EQ(stream.windows(), 0);
}

TEST(Stream, TellsWindowsOfTheWrongSizeFromMissingOnes) {
  const heed::Matrix general = (heed::Matrix(2, 2) << 0.9, 0.1, 0.2, 0.8).finished();
  for (const Chain& chain : {Chain::sticky(2, 0.01), Chain::make(general)}) {
    Stream stream(chain, 1);
    EXPECT_EQ(stream.step(std::array{1.0, 0.0, 0.0}), Step::wrong_size) << "as the first";
    EXPECT_EQ(stream.windows(), 0);
    stream.step(std::array{1.0, 0.0});
    const double before = stream.belief()[0];
    EXPECT_EQ(stream.step(std::array{1.0, 0.0, 0.0}), Step::wrong_size);
    EXPECT_EQ(stream.step({}), Step::wrong_size);
    EXPECT_EQ(stream.belief()[0], before) << "not even predicted";
    EXPECT_EQ(stream.windows(), 1);
    std::array<double, 2> seen{};
    EXPECT_FALSE(stream.look_back(1, seen)) << "there was one window";
  }
}

TEST(Stream, SaysWhatCannotBeLookedBackOn) {
  Stream stream(Chain::sticky(2, 0.01), 2);
  std::array<double, 2> seen{-1, -1};
  std::array<double, 3> wide{};
  EXPECT_FALSE(stream.look_back(0, seen)) << "no window yet";
  stream.step(std::array{1.0, 0.0});
  EXPECT_FALSE(stream.look_back(1, seen)) << "one window only";
  EXPECT_FALSE(stream.look_back(-1, seen));
  EXPECT_FALSE(stream.look_back(0, wide));
  EXPECT_EQ(seen[0], -1) << "nothing is written";
  for (int t = 0; t < 5; ++t) stream.step(std::array{1.0, 0.0});
  EXPECT_TRUE(stream.look_back(2, seen));
  EXPECT_FALSE(stream.look_back(3, seen)) << "beyond the lag";
}

TEST(Stream, RefusesLagsNobodyCanWaitFor) {
  for (const Index lag : {Index{-1}, heed::hmm::longest_stream_lag + 1}) {
    expect_error(ErrorKind::invalid_argument, {std::to_string(lag), "give 0 to 1000000"},
                 [&] { const Stream stream(Chain::sticky(2, 0.01), lag); });
  }
}

TEST(Stream, StepsWithoutAllocating) {
  RandomStream random(74);
  const LogLikelihoods data = case_of(5, random);
  const AllocationCount making;
  Stream stream(to_chain(random_chain(5, {}, random)), 4);
  EXPECT_GE(making.so_far(), 4U);  // the positive control
  std::array<double, 5> seen{};
  const AllocationCount running;
  for (Index t = 0; t < windows; ++t) {
    stream.step(heed::data::view(data.values).row(t));
    (void)stream.look_back(4, seen);
  }
  stream.reset();
  EXPECT_EQ(running.so_far(), 0U);
}

}  // namespace
