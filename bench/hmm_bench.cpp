// SPDX-License-Identifier: MIT
// heed's filter, smoother and Viterbi beside the textbook's and the paper's recursions, N = 2 and 8, a trial of
// ten minutes and a day. In place, storage made before; windows a second is the figure to read.
#include <benchmark/benchmark.h>
#include <heed/data/random.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rivals.h"

namespace {

using heed::Index;
using heed::Matrix;
using heed::Speaker;
using heed::bench::Rival;
using heed::data::view;

constexpr double switch_probability = 0.001;

// Windows with a little evidence, attention moving every 300.
struct Trial {
  explicit Trial(const benchmark::State& state)
      : windows(state.range(1)),
        states(state.range(0)),
        chain(heed::hmm::Chain::sticky(states, switch_probability)),
        log_likelihood(windows, states),
        posterior(windows, states),
        path(static_cast<std::size_t>(windows)) {
    heed::RandomStream random(1);
    for (Index t = 0; t < windows; ++t) {
      for (Index j = 0; j < states; ++j) {
        log_likelihood(t, j) = (0.4 * random.normal()) + ((t / 300) % states == j ? 0.1 : 0.0);
      }
    }
  }

  Index windows;
  Index states;
  heed::hmm::Chain chain;
  Matrix log_likelihood;
  Matrix posterior;
  std::vector<Speaker> path;
};

template <typename Run>
void measure(benchmark::State& state, const Trial& trial, Run&& run) {
  for (auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * trial.windows);
}

void filter_heed(benchmark::State& state) {
  Trial trial(state);
  heed::hmm::FilterWorkspace workspace(trial.states);
  measure(state, trial, [&] {
    benchmark::DoNotOptimize(heed::hmm::filter_into(trial.chain, view(std::as_const(trial.log_likelihood)), workspace,
                                                    view(trial.posterior)));
  });
}

void smooth_heed(benchmark::State& state) {
  Trial trial(state);
  heed::hmm::SmoothWorkspace workspace(trial.windows, trial.states);
  measure(state, trial, [&] {
    benchmark::DoNotOptimize(heed::hmm::smooth_into(trial.chain, view(std::as_const(trial.log_likelihood)), workspace,
                                                    view(trial.posterior)));
  });
}

void fixed_lag_heed(benchmark::State& state) {
  Trial trial(state);
  heed::hmm::SmoothWorkspace workspace(trial.windows, trial.states);
  measure(state, trial, [&] {
    benchmark::DoNotOptimize(heed::hmm::fixed_lag_into(trial.chain, {view(std::as_const(trial.log_likelihood)), 5},
                                                       workspace, view(trial.posterior)));
  });
}

void viterbi_heed(benchmark::State& state) {
  Trial trial(state);
  heed::hmm::ViterbiWorkspace workspace(trial.windows, trial.states);
  measure(state, trial, [&] {
    benchmark::DoNotOptimize(
        heed::hmm::viterbi_into(trial.chain, view(std::as_const(trial.log_likelihood)), workspace, trial.path));
  });
}

// A rival that computes something else would be no rival: its evidence must be heed's.
template <auto Method>
void rival_posterior(benchmark::State& state) {
  Trial trial(state);
  Rival rival(trial.windows, trial.states, switch_probability);
  const double evidence = (rival.*Method)(view(std::as_const(trial.log_likelihood)), view(trial.posterior));
  const auto truth = heed::hmm::filter(trial.chain, {trial.log_likelihood});
  if (std::abs(evidence - truth.log_evidence) > 1e-9 * std::abs(truth.log_evidence)) {
    state.SkipWithError("the rival's evidence is not heed's");
    return;
  }
  measure(state, trial, [&] {
    benchmark::DoNotOptimize((rival.*Method)(view(std::as_const(trial.log_likelihood)), view(trial.posterior)));
  });
}

void viterbi_textbook(benchmark::State& state) {
  Trial trial(state);
  Rival rival(trial.windows, trial.states, switch_probability);
  measure(state, trial, [&] { rival.textbook_viterbi(view(std::as_const(trial.log_likelihood)), trial.path); });
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"N", "T"})->ArgsProduct({{2, 8}, {600, 100000}})->Unit(benchmark::kMicrosecond);
}

BENCHMARK(filter_heed)->Apply(sizes);
BENCHMARK(rival_posterior<&Rival::textbook_filter>)->Name("filter_textbook")->Apply(sizes);
BENCHMARK(rival_posterior<&Rival::paper_filter>)->Name("filter_paper")->Apply(sizes);
BENCHMARK(smooth_heed)->Apply(sizes);
BENCHMARK(rival_posterior<&Rival::textbook_smooth>)->Name("smooth_textbook")->Apply(sizes);
BENCHMARK(rival_posterior<&Rival::paper_smooth>)->Name("smooth_paper")->Apply(sizes);
BENCHMARK(fixed_lag_heed)->Apply(sizes);
BENCHMARK(viterbi_heed)->Apply(sizes);
BENCHMARK(viterbi_textbook)->Apply(sizes);

}  // namespace
