// SPDX-License-Identifier: MIT
#include <heed/hmm/bank.h>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Seconds;
using heed::core::Step;
using heed::hmm::Bank;
using heed::hmm::BankStream;
using namespace heed::test;

using Values = std::vector<double>;

LogLikelihoods random_case(Index windows, Index states, RandomStream& random) {
  return {random_log_likelihoods(windows, states, {.missing = 0.15, .impossible = 0.05}, random)};
}

Values row_of(const Matrix& rows, Index t) { return {rows.row(t).begin(), rows.row(t).end()}; }

TEST(BankStream, IsWholeTrialsToTheBit) {
  RandomStream random(21);
  for (const Index states : {2, 3, 40}) {
    for (const Index lag : {0, 1, 7}) {
      Bank bank = Bank::per_second(states, Seconds{0.5});
      BankStream stream(bank, lag);
      for (int trial = 0; trial < 3; ++trial) {
        const LogLikelihoods data = random_case(120, states, random);
        const auto causal = filter(bank, data);
        const auto lagged = fixed_lag(bank, data, Seconds{static_cast<double>(lag)});
        const auto core = data.values.rows();
        stream.reset();
        Values row(static_cast<std::size_t>(states));
        for (Index t = 0; t < core; ++t) {
          stream.step(heed::data::view(data.values).row(t));
          const Values belief(stream.belief().begin(), stream.belief().end());
          ASSERT_EQ(belief, row_of(causal.posteriors.values, t));
          const Values weights(stream.probabilities().begin(), stream.probabilities().end());
          ASSERT_EQ(weights, row_of(causal.switching.weights, t));
          if (t < lag) continue;
          ASSERT_TRUE(stream.look_back(lag, row));
          ASSERT_EQ(row, row_of(lagged.posteriors.values, t - lag)) << "lag " << lag << ", window " << t;
        }
        bank = bank.with_weights(causal.switching.after);
      }
    }
  }
}

TEST(BankStream, ResumesAndLearnsFromAnother) {
  const Bank bank = Bank::per_second(2, Seconds{1});
  BankStream before(bank);
  const Values window{2, 0};
  for (int t = 0; t < 20; ++t) before.step(window);
  BankStream after(bank, 3);
  EXPECT_FALSE(after.resume(Values{0.5, 0.4}));
  EXPECT_TRUE(after.resume(before.belief()));
  EXPECT_TRUE(after.learn_from(before));
  EXPECT_TRUE(std::ranges::equal(after.belief(), before.belief()));
  EXPECT_TRUE(std::ranges::equal(after.probabilities(), before.probabilities()));
  EXPECT_FALSE(after.learn_from(BankStream(Bank::make(2, Values{0.1}))));
  Values row(2);
  EXPECT_TRUE(after.look_back(0, row));
  EXPECT_FALSE(after.look_back(1, row)) << "nothing is known of what came before";
  EXPECT_EQ(after.step(Values{1, 2, 3}), Step::wrong_size);
  EXPECT_EQ(after.windows(), 1);
}

TEST(BankStream, NeverAllocatesAfterItIsMade) {
  BankStream stream(Bank::per_second(3, Seconds{1}), 5);
  const Values window{1, 0, -1};
  Values row(3);
  const AllocationCount allocations;
  for (int t = 0; t < 100; ++t) {
    stream.step(window);
    (void)stream.look_back(5, row);
  }
  stream.reset();
  stream.resume(row);
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(BankStream, RefusesALagThatIsNone) {
  const Bank bank = Bank::per_second(2, Seconds{1});
  expect_error(ErrorKind::invalid_argument, {"cannot look back -1 windows"}, [&] { BankStream(bank, -1); });
}

}  // namespace
