// SPDX-License-Identifier: MIT
// The C++ calls that bench/python/bench.py holds Python's against: the same sizes, the same chain.
#include <benchmark/benchmark.h>
#include <heed/data/random.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/fixed_lag.h>

#include <vector>

namespace {

using heed::Index;
using heed::LogLikelihoods;

heed::hmm::Chain chain() { return heed::hmm::Chain::sticky(2, 0.001); }

LogLikelihoods random_windows(Index windows) {
  heed::data::RandomStream random(1);
  LogLikelihoods made{heed::Matrix(windows, 2)};
  for (double& value : made.values.reshaped()) value = random.normal();
  return made;
}

template <auto call>
void one_sequence(benchmark::State& state) {
  const LogLikelihoods windows = random_windows(state.range(0));
  for ([[maybe_unused]] auto run : state) benchmark::DoNotOptimize(call(chain(), windows));
}

auto lagged(const heed::hmm::Chain& chain, const LogLikelihoods& windows) {
  return heed::hmm::fixed_lag(chain, windows);
}

void smooth_batch(benchmark::State& state) {
  const std::vector<Index> lengths(static_cast<std::size_t>(state.range(0)), state.range(1));
  const LogLikelihoods tall = random_windows(state.range(0) * state.range(1));
  for ([[maybe_unused]] auto run : state) {
    benchmark::DoNotOptimize(heed::hmm::smooth_batch(chain(), tall, lengths));
  }
}

BENCHMARK(one_sequence<heed::hmm::filter>)->Name("filter")->Arg(600);
BENCHMARK(one_sequence<heed::hmm::smooth>)->Name("smooth")->Arg(600);
BENCHMARK(one_sequence<heed::hmm::viterbi>)->Name("viterbi")->Arg(600);
BENCHMARK(one_sequence<lagged>)->Name("fixed_lag")->Arg(600);
BENCHMARK(smooth_batch)->Name("smooth_batch")->Args({10'000, 600})->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
