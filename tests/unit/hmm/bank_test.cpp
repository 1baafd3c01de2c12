// SPDX-License-Identifier: MIT
#include <heed/hmm/bank.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include "hmm/kernels/dispatch.h"
#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Seconds;
using heed::hmm::Bank;
using heed::hmm::BankWeights;
using heed::hmm::Chain;
using namespace heed::test;

using Values = std::vector<double>;

LogLikelihoods random_case(Index windows, Index states, RandomStream& random) {
  return {random_log_likelihoods(windows, states, {.missing = 0.15, .impossible = 0.05}, random)};
}

Values row_of(const Matrix& rows, Index t) { return {rows.row(t).begin(), rows.row(t).end()}; }

// The posterior over p and paths together, by enumerating the paths of every p.
struct EnumeratedBank {
  EnumeratedBank(Index states, const Values& p, const Values& prior, const Values& initial, const Matrix& values) {
    for (const double one : p) {
      PlainChain chain = plain_sticky_chain(states, one);
      chain.initial = initial;
      paths.push_back(enumerate_paths(chain, values));
    }
    const Index windows = values.rows();
    for (Index m = 0; m < windows; ++m) {
      Values row;
      double total = 0;
      for (std::size_t g = 0; g < p.size(); ++g) {
        PlainChain chain = plain_sticky_chain(states, p[g]);
        chain.initial = initial;
        row.push_back(prior[g] * std::exp(enumerate_paths(chain, values.topRows(m + 1)).log_evidence));
        total += row.back();
      }
      for (double& weight : row) weight /= total;
      weights.push_back(row);
      evidence = std::log(total);
    }
  }
  // P(S_t | windows 0 ... seen)
  [[nodiscard]] Values posterior(Index t, Index seen) const {
    Values sum(static_cast<std::size_t>(paths.front().given.front().cols()), 0);
    for (std::size_t g = 0; g < paths.size(); ++g) {
      const Matrix& given = paths[g].given[static_cast<std::size_t>(seen)];
      for (std::size_t j = 0; j < sum.size(); ++j) {
        sum[j] += weights[static_cast<std::size_t>(seen)][g] * given(t, static_cast<Index>(j));
      }
    }
    return sum;
  }

  std::vector<Enumeration> paths;
  std::vector<Values> weights;  // [window]
  double evidence = 0;
};

void expect_near(const Values& found, const Values& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t j = 0; j < found.size(); ++j) EXPECT_NEAR(found[j], expected[j], tolerance);
}

TEST(Bank, IsTheSumOverAllPathsAndValues) {
  RandomStream random(19);
  constexpr Index lag = 2;
  for (int k = 0; k < 60; ++k) {
    const Index states = random.integer(2, 3);
    const Index windows = random.integer(1, states == 2 ? 7 : 6);
    const LogLikelihoods data = random_case(windows, states, random);
    const Values p{0.001, 0.02, 0.2};
    const Values initial = random_distribution(states, 0, random);
    const Values prior{0.2, 0.5, 0.3};
    const Bank bank = Bank::make(states, p).with_initial(initial).with_weights({prior, {0, 0, 0}});
    const EnumeratedBank expected(states, p, prior, initial, data.values);
    const auto causal = filter(bank, data);
    const auto smoothed = smooth(bank, data);
    const auto lagged = fixed_lag(bank, data, Seconds{lag});
    EXPECT_NEAR(causal.posteriors.log_evidence, expected.evidence, 1e-12);
    EXPECT_EQ(causal.posteriors.held, expected.paths.front().held);
    for (Index t = 0; t < windows; ++t) {
      expect_near(row_of(causal.switching.weights, t), expected.weights[static_cast<std::size_t>(t)], 1e-12);
      expect_near(row_of(causal.posteriors.values, t), expected.posterior(t, t), 1e-12);
      expect_near(row_of(smoothed.posteriors.values, t), expected.posterior(t, windows - 1), 1e-12);
      expect_near(row_of(lagged.posteriors.values, t), expected.posterior(t, std::min(t + lag, windows - 1)), 1e-12);
    }
    const auto path = viterbi(bank, data);
    const auto& last = expected.weights.back();
    const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(last) - last.begin());
    const Enumeration& paths = expected.paths[heaviest];
    EXPECT_NEAR(path.path.log_probability, paths.best, 1e-12);
    if (paths.best - paths.runner_up > 1e-9) {
      EXPECT_EQ(path.path.states, paths.best_path);
    }
    EXPECT_NEAR(path.log_evidence, expected.evidence, 1e-12);
  }
}

// docs/mathematics.md: three speakers, five windows, three values.
TEST(Bank, HasItsGoldenNumbers) {
  const Bank bank = Bank::make(3, Values{0.001, 0.02, 0.2});
  LogLikelihoods data{Matrix(5, 3)};
  data.values << 0.4, -0.1, 0, 0.7, 0.2, -0.3, -0.2, 0.9, 0.1, -0.5, 1.1, 0.3, 0.1, 0.6, -0.4;
  const auto causal = filter(bank, data);
  expect_near(row_of(causal.posteriors.values, 2), {0.3450583880, 0.4890339988, 0.1659076132}, 1e-9);
  expect_near(row_of(causal.posteriors.values, 4), {0.1292838750, 0.7918845554, 0.0788315695}, 1e-9);
  expect_near(row_of(causal.switching.weights, 4), {0.3432397171, 0.3456009527, 0.3111593302}, 1e-9);
  expect_near(row_of(smooth(bank, data).posteriors.values, 0), {0.2392727684, 0.6475463029, 0.1131809286}, 1e-9);
}

TEST(Bank, OfOneValueIsTheChain) {
  RandomStream random(20);
  for (const Index states : {2, 3, 8, 40}) {
    const LogLikelihoods data = random_case(300, states, random);
    const Chain chain = Chain::sticky(states, 0.01);
    const Bank bank = Bank::make(states, Values{0.01});
    const auto causal = filter(bank, data);
    const auto one = heed::hmm::filter(chain, data);
    EXPECT_EQ(causal.posteriors.values, one.values) << "to the bit";
    EXPECT_EQ(causal.posteriors.held, one.held);
    EXPECT_NEAR(causal.posteriors.log_evidence, one.log_evidence, 1e-9);
    EXPECT_LE(largest_difference(smooth(bank, data).posteriors.values, heed::hmm::smooth(chain, data).values), 1e-12);
    EXPECT_EQ(fixed_lag(bank, data, Seconds{3}).posteriors.values, heed::hmm::fixed_lag(chain, data, Seconds{3}).values)
        << "to the bit";
    EXPECT_EQ(viterbi(bank, data).path.states, heed::hmm::viterbi(chain, data).states);
  }
}

// The smoother goes through the lanes; a fixed lag as long as the trial goes back by core's steps.
TEST(Bank, SmoothsAsAFixedLagOfTheWholeTrialDoes) {
  RandomStream random(23);
  for (const Index states : {2, 3, 8, 32, 40}) {
    for (const std::size_t values : {1U, 2U, 7U, 8U, 9U}) {
      const Index windows = random.integer(1, 700);
      Values p;
      for (std::size_t g = 0; g < values; ++g) p.push_back(std::pow(10.0, -6 + (0.5 * static_cast<double>(g))));
      const LogLikelihoods data = random_case(windows, states, random);
      BankWeights known = BankWeights::flat(std::max<std::size_t>(values - 1, 1));
      if (values > 1) {  // the last is as good as impossible, until the windows say otherwise
        known.weights.push_back(0);
        known.scales.push_back(0);
        known.set_logarithm(values - 1, -500);
      }
      const Bank bank = Bank::make(states, p).with_weights(known);
      const auto found = smooth(bank, data);
      const auto wanted = fixed_lag(bank, data, Seconds{static_cast<double>(windows)});
      EXPECT_LE(largest_difference(found.posteriors.values, wanted.posteriors.values), 1e-12)
          << states << " " << values;
      EXPECT_LE(largest_difference(found.switching.weights, wanted.switching.weights), 1e-12);
      EXPECT_NEAR(found.posteriors.log_evidence, wanted.posteriors.log_evidence,
                  1e-12 * (1 + std::abs(wanted.posteriors.log_evidence)));
      EXPECT_EQ(found.posteriors.held, wanted.posteriors.held);
      for (std::size_t g = 0; g < values; ++g) {
        const double after = wanted.switching.after.logarithm(g);
        EXPECT_NEAR(found.switching.after.logarithm(g), after, 1e-9 * (1 + std::abs(after)));
      }
    }
  }
}

// Windows that contradict the smallest p as hard as numbers allow, and p so small that blocks are short.
TEST(Bank, SmoothsWhateverTheWindowsSay) {
  for (const double smallest : {1e-4, 1e-29, 1e-40}) {
    const Bank bank = Bank::make(2, Values{smallest, 0.1});
    LogLikelihoods data{Matrix(200, 2)};
    for (Index t = 0; t < 200; ++t) data.values.row(t) << (t % 2 == 0 ? 700 : -700), (t % 2 == 0 ? -700 : 700);
    const auto found = smooth(bank, data);
    const auto wanted = fixed_lag(bank, data, Seconds{200});
    EXPECT_LE(largest_difference(found.posteriors.values, wanted.posteriors.values), 1e-12) << smallest;
    EXPECT_FALSE(found.posteriors.values.hasNaN());
    EXPECT_NEAR(found.posteriors.log_evidence / wanted.posteriors.log_evidence, 1, 1e-12);
  }
}

TEST(Bank, EveryInstructionSetGoesThereAndBackAlike) {
  using namespace heed::hmm::kernels;
  RandomStream random(24);
  for (const long states : {2L, 3L, 5L}) {
    constexpr long windows = 20;
    const auto draw = [&](long count) {
      Values numbers(static_cast<std::size_t>(count));
      for (double& one : numbers) one = 0.1 + random.uniform();
      return numbers;
    };
    const Values likelihoods = draw(windows * states);
    const Values start = draw(states * bank_width);
    const Values known = draw(bank_width);
    const Values moves = draw(bank_width);
    const Values kept = draw(bank_width);
    std::vector<Values> results;
    for (const KernelSet* set : supported_kernels().sets) {
      if (set == nullptr) continue;
      Values state = start;
      Values beliefs(static_cast<std::size_t>(windows * states * bank_width));
      Values totals(bank_width);
      Values result(static_cast<std::size_t>(windows * bank_width));
      BankRun run{.likelihoods = likelihoods.data(),
                  .windows = windows,
                  .states = states,
                  .kept = kept.data(),
                  .move = moves.data(),
                  .beliefs = beliefs.data(),
                  .state = state.data(),
                  .known = known.data(),
                  .totals = totals.data(),
                  .rows = result.data(),
                  .row_stride = bank_width - 1,
                  .rows_end = result.data() + (windows * (bank_width - 1))};
      set->bank_block(run);
      Values posteriors(static_cast<std::size_t>(windows * states));
      run.rows = posteriors.data();
      run.row_stride = states;
      run.back = true;
      set->bank_block(run);
      result.insert(result.end(), posteriors.begin(), posteriors.end());
      result.insert(result.end(), state.begin(), state.end());
      results.push_back(result);
    }
    for (const Values& other : results) expect_near(other, results.front(), 1e-12);
  }
}

TEST(Bank, IsCoresFilter) {
  RandomStream random(22);
  const LogLikelihoods data = random_case(400, 3, random);
  const Values p{0.001, 0.01, 0.1};
  auto device = *heed::core::BankFilter<double, 3, 3>::make(3, p);
  const auto rows = filter(Bank::make(3, p), data);
  for (Index t = 0; t < 400; ++t) {
    device.step(heed::data::view(data.values).row(t));
    ASSERT_EQ(Values(device.belief().begin(), device.belief().end()), row_of(rows.posteriors.values, t));
  }
}

TEST(Bank, FindsHowOftenAListenerSwitches) {
  RandomStream random(23);
  for (const Index interval : {10, 100, 1000}) {
    Matrix values(4000, 2);
    for (Index t = 0; t < values.rows(); ++t) {
      const double sign = (t / interval) % 2 == 0 ? 1 : -1;
      const double ratio = sign + (std::sqrt(2.0) * random.normal());  // calibrated: variance twice the mean
      values.row(t) << ratio / 2, -ratio / 2;
    }
    const Bank bank = Bank::per_second(2, Seconds{1});
    const auto posterior = bank.posterior(filter(bank, {values}).switching.after);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(posterior.weights) - posterior.weights.begin());
    const double found = std::log10(1 / posterior.per_second[best]);
    EXPECT_NEAR(found, std::log10(static_cast<double>(interval)), 0.51) << "within half a decade";
  }
}

TEST(Bank, ConvertsValuesPerSecondExactly) {
  const Bank bank = Bank::per_second(2, Seconds{0.25});
  ASSERT_EQ(bank.size(), 7U);
  EXPECT_TRUE(bank.left_out().empty());
  const auto posterior = bank.posterior(bank.weights());
  for (std::size_t g = 0; g < 7; ++g) {
    EXPECT_NEAR(posterior.per_second[g], std::pow(10.0, -4 + (0.5 * static_cast<double>(g))), 1e-16);
    EXPECT_NEAR(posterior.per_window[g], (1 - std::pow(1 - (2 * posterior.per_second[g]), 0.25)) / 2, 1e-15);
  }
  const Bank by_hand = Bank::make(2, posterior.per_window, Seconds{0.25});
  EXPECT_NEAR(by_hand.posterior(by_hand.weights()).per_second[3], posterior.per_second[3], 1e-15);
}

TEST(Bank, LeavesOutWhatNoChainHas) {
  const Bank bank = Bank::per_second(64, Seconds{1});
  EXPECT_EQ(bank.size(), 5U);
  EXPECT_EQ(std::vector<double>(bank.left_out().begin(), bank.left_out().end()),
            (std::vector<double>{3.1622776601683794e-2, 1e-1}));
  EXPECT_EQ(Bank::per_second(10, Seconds{1}).size(), 7U) << "1/N itself is possible";
  EXPECT_EQ(Bank::per_second(11, Seconds{1}).size(), 6U);
  EXPECT_EQ(Bank::per_second(2, Seconds{3600}).size(), 5U) << "from 0.01 on an hour makes it 1/N";
  expect_error(ErrorKind::invalid_argument, {"all are above 1/N"}, [&] { (void)Bank::per_second(20'000, Seconds{1}); });
}

TEST(Bank, RefusesWhatIsNoBank) {
  expect_error(ErrorKind::invalid_argument, {"give at least one"}, [&] { (void)Bank::make(2, Values{}); });
  expect_error(ErrorKind::invalid_argument, {"at most 1/N = 0.5"}, [&] { (void)Bank::make(2, Values{0.01, 0.6}); });
  expect_error(ErrorKind::invalid_argument, {"must rise; 0.01 follows 0.1"}, [&] {
    (void)Bank::make(2, Values{0.1, 0.01});
  });
  expect_error(ErrorKind::invalid_argument, {"nobody switches so rarely"},
               [&] { (void)Bank::make(2, Values{1e-200}); });
  expect_error(ErrorKind::invalid_argument, {"at least 2"}, [&] { (void)Bank::make(1, Values{0.1}); });
  expect_error(ErrorKind::invalid_argument, {"above 0 s"}, [&] { (void)Bank::per_second(2, Seconds{0}); });
  const Bank bank = Bank::per_second(2, Seconds{1});
  expect_error(ErrorKind::invalid_argument, {"1 weights for a bank of 7"},
               [&] { (void)bank.with_weights(BankWeights::flat(1)); });
  expect_error(ErrorKind::invalid_argument, {"sums to 0.9"}, [&] { (void)bank.with_initial(Values{0.5, 0.4}); });
  expect_error(ErrorKind::invalid_argument, {"3 columns"}, [&] { (void)filter(bank, {Matrix::Zero(3, 3)}); });
}

TEST(Bank, HasNothingToSayOfNoWindow) {
  const Bank bank = Bank::per_second(2, Seconds{1});
  const LogLikelihoods nothing{Matrix(0, 2)};
  for (const auto& rows : {filter(bank, nothing), smooth(bank, nothing), fixed_lag(bank, nothing)}) {
    EXPECT_EQ(rows.posteriors.values.rows(), 0);
    EXPECT_EQ(rows.switching.after, bank.weights());
  }
  EXPECT_TRUE(viterbi(bank, nothing).path.states.empty());
}

}  // namespace
