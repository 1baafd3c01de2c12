// SPDX-License-Identifier: MIT
// heed's filter, smoother, Viterbi, E-step and batch beside the textbook's and the paper's recursions, in
// one run; batches on two threads beside one; the bank of an unknown p beside seven filters of known ones; scores that
// repeat each other; and every map to gains. In place, storage made before, but for the bank, whose trackers make their
// own. The table of ratios is last.
#include <benchmark/benchmark.h>
#include <heed/core/gain.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>
#include <heed/track/rivals.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "ratio_reporter.h"
#include "rivals.h"
#include "workload.h"

namespace heed::bench {
namespace {

using data::view;

struct Size {
  Index states;
  Index windows;
  bool dense = false;
};

struct Trial {
  explicit Trial(const Size& size)
      : transition(size.dense ? dense_matrix(size.states) : sticky_matrix(size.states)),
        chain(size.dense ? hmm::Chain::make(transition) : hmm::Chain::sticky(size.states, switch_probability)),
        log_likelihood(evidence(size.windows, size.states)),
        posterior(long_matrix(size.windows, size.states)),
        path(static_cast<std::size_t>(size.windows)) {}

  [[nodiscard]] MatrixView in() const { return view(log_likelihood); }
  MutableMatrixView out() { return view(posterior); }

  Matrix transition;
  hmm::Chain chain;
  Matrix log_likelihood;
  Matrix posterior;
  std::vector<Speaker> path;
};

// Storage is entered before it counts.
template <typename Run>
void measure(benchmark::State& state, Index windows, Run&& run) {
  run();
  for (auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * windows);
}

template <typename Run>
void add(const std::string& name, const Size& size, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), [size, run](benchmark::State& state) {
    Trial trial(size);
    run(state, trial, size);
  });
}

using RivalCall = double (Rival::*)(MatrixView, MutableMatrixView);

void add_rival(const std::string& name, const Size& size, RivalCall call) {
  add(name, size, [call](benchmark::State& state, Trial& trial, const Size& s) {
    Rival rival(s.windows, trial.transition);
    measure(state, s.windows, [&] { benchmark::DoNotOptimize((rival.*call)(trial.in(), trial.out())); });
  });
}

void add_filter(const std::string& task, const Size& size) {
  add(task + "/heed", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::FilterWorkspace workspace(s.states);
    measure(state, s.windows,
            [&] { benchmark::DoNotOptimize(hmm::filter_into(trial.chain, trial.in(), workspace, trial.out())); });
  });
  add_rival(task + "/textbook", size, &Rival::textbook_filter);
  add_rival(task + "/paper", size, &Rival::paper_filter);
}

void add_smooth(const std::string& task, const Size& size) {
  add(task + "/heed", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::SmoothWorkspace workspace(s.windows, s.states);
    measure(state, s.windows,
            [&] { benchmark::DoNotOptimize(hmm::smooth_into(trial.chain, trial.in(), workspace, trial.out())); });
  });
  add_rival(task + "/textbook", size, &Rival::textbook_smooth);
  // In logarithms ten million windows take a while, and say nothing new.
  if (size.windows <= 100000) add_rival(task + "/paper", size, &Rival::paper_smooth);
}

// Everything made anew, as whoever calls smooth() has it; the rival makes its storage anew, too.
void add_smooth_anew(const std::string& task, const Size& size) {
  add(task + "/heed", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    const LogLikelihoods windows{std::move(trial.log_likelihood)};
    measure(state, s.windows, [&] { benchmark::DoNotOptimize(hmm::smooth(trial.chain, windows)); });
  });
  add(task + "/textbook", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    measure(state, s.windows, [&] {
      Rival rival(s.windows, trial.transition);
      Matrix posterior = long_matrix(s.windows, s.states);
      benchmark::DoNotOptimize(rival.textbook_smooth(trial.in(), view(posterior)));
    });
  });
}

void add_expectation(const std::string& task, const Size& size) {
  add(task + "/heed", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::ExpectationWorkspace workspace(s.windows, s.states);
    measure(state, s.windows,
            [&] { benchmark::DoNotOptimize(hmm::expectation_into(trial.chain, trial.in(), workspace, trial.out())); });
  });
  add_rival(task + "/textbook", size, &Rival::textbook_expectation);
}

void add_viterbi(const std::string& task, const Size& size) {
  add(task + "/heed", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::ViterbiWorkspace workspace(s.windows, s.states);
    measure(state, s.windows,
            [&] { benchmark::DoNotOptimize(hmm::viterbi_into(trial.chain, trial.in(), workspace, trial.path)); });
  });
  add(task + "/textbook", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    Rival rival(s.windows, trial.transition);
    measure(state, s.windows, [&] { rival.textbook_viterbi(trial.in(), trial.path); });
  });
}

void add_fixed_lag(const std::string& task, const Size& size, Index lag) {
  add(task + "/heed", size, [lag](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::SmoothWorkspace workspace(s.windows, s.states);
    measure(state, s.windows, [&] {
      benchmark::DoNotOptimize(hmm::fixed_lag_into(trial.chain, {trial.in(), lag}, workspace, trial.out()));
    });
  });
  add(task + "/textbook", size, [lag](benchmark::State& state, Trial& trial, const Size& s) {
    Rival rival(s.windows, trial.transition);
    measure(state, s.windows,
            [&] { benchmark::DoNotOptimize(rival.textbook_fixed_lag(trial.in(), lag, trial.out())); });
  });
}

// The state-space model on windows of one second, eight trials side by side; nobody else has it, so the rival is
// itself, one trial after the other.
void add_state_space(const std::string& task, const Size& size) {
  constexpr std::size_t trials = track::StateSpaceFilter::most_trials;
  const Size all{size.states, size.windows * static_cast<Index>(trials)};
  const auto score = [](const Trial& trial, Index row, Index column) {
    return std::tanh(trial.log_likelihood(row, column));
  };
  add(task + "/heed", all, [score, size](benchmark::State& state, Trial& trial, const Size& s) {
    auto model = track::StateSpaceFilter::make(Seconds{1}, {}, trials);
    std::array<double, trials> first{};
    std::array<double, trials> second{};
    std::array<double, trials> probabilities{};
    measure(state, s.windows, [&] {
      for (Index t = 0; t < size.windows; ++t) {
        for (std::size_t k = 0; k < trials; ++k) {
          const Index row = (static_cast<Index>(k) * size.windows) + t;
          first[k] = score(trial, row, 0);
          second[k] = score(trial, row, 1);
        }
        model.step(first, second, probabilities);
        benchmark::DoNotOptimize(probabilities.data());
      }
    });
  });
  add(task + "/textbook", all, [score](benchmark::State& state, Trial& trial, const Size& s) {
    auto model = track::StateSpaceFilter::make(Seconds{1});
    measure(state, s.windows, [&] {
      for (Index t = 0; t < s.windows; ++t) {
        benchmark::DoNotOptimize(model.step(score(trial, t, 0), score(trial, t, 1)));
      }
    });
  });
}

// `of_bank` tracks by all values at once, `of_chain` by one of them; the rival, in the column of the textbook, is as
// many calls of the latter.
template <typename OfBank, typename OfChain>
void add_bank(const std::string& task, const Size& size, OfBank of_bank, OfChain of_chain) {
  add(task + "/heed", size, [of_bank](benchmark::State& state, Trial& trial, const Size& s) {
    const hmm::Bank bank = hmm::Bank::per_second(s.states, Seconds{1});
    const LogLikelihoods windows{trial.log_likelihood};
    measure(state, s.windows, [&] { benchmark::DoNotOptimize(of_bank(bank, windows)); });
  });
  add(task + "/textbook", size, [of_chain](benchmark::State& state, Trial& trial, const Size& s) {
    const hmm::Bank bank = hmm::Bank::per_second(s.states, Seconds{1});
    const LogLikelihoods windows{trial.log_likelihood};
    measure(state, s.windows, [&] {
      for (std::size_t g = 0; g < bank.size(); ++g) benchmark::DoNotOptimize(of_chain(bank.chain(g), windows));
    });
  });
}

void add_banks(const std::string& size_text, const Size& size) {
  add_bank(
      "bank causal, 7 filters, " + size_text, size,
      [](const auto& bank, const auto& windows) { return filter(bank, windows); },
      [](const auto& chain, const auto& windows) { return filter(chain, windows); });
  add_bank(
      "bank smooth, 7 smoothers, " + size_text, size,
      [](const auto& bank, const auto& windows) { return smooth(bank, windows); },
      [](const auto& chain, const auto& windows) { return smooth(chain, windows); });
}

// Sequences side by side. `into(chain, batch, workspace, out)` is heed's call, `call` the rival's for a sequence.
template <typename Workspace, typename Into>
void add_batch(const std::string& task, const Size& each, Workspace prepared, Into into, RivalCall call) {
  constexpr Index sequences = 10000;
  const Size size{each.states, sequences * each.windows};
  add(task + "/heed", size, [each, prepared, into](benchmark::State& state, Trial& trial, const Size& s) {
    const std::vector<Index> lengths(static_cast<std::size_t>(sequences), each.windows);
    std::vector<hmm::SequenceSummary> summaries(lengths.size());
    Workspace workspace = prepared;
    measure(state, s.windows, [&] {
      benchmark::DoNotOptimize(into(trial.chain, {trial.in(), lengths}, workspace, {trial.out(), summaries}));
    });
  });
  add(task + "/textbook", size, [each, call](benchmark::State& state, Trial& trial, const Size& s) {
    Rival rival(each.windows, trial.transition);
    measure(state, s.windows, [&] {
      for (Index k = 0; k < sequences; ++k) {
        benchmark::DoNotOptimize((rival.*call)(trial.in().middle_rows(k * each.windows, each.windows),
                                               trial.out().middle_rows(k * each.windows, each.windows)));
      }
    });
  });
}

void add_batches(RatioReporter& reporter, const Size& each) {
  const std::string size = " 10000 x " + std::to_string(each.windows) + " N=" + std::to_string(each.states);
  hmm::SmoothWorkspace smoothing;
  smoothing.prepare_batch(each.windows, each.states);
  reporter.set_goal("smooth" + size, 10);
  add_batch("smooth" + size, each, smoothing, hmm::smooth_batch_into, &Rival::textbook_smooth);
  reporter.set_goal("causal" + size, 4);
  add_batch("causal" + size, each, hmm::FilterWorkspace(each.states), hmm::filter_batch_into, &Rival::textbook_filter);
}

// A batch on two threads, by the clock on the wall; the rival, in the column of the textbook, is the same call on one.
void add_threads(const std::string& task, const Size& each, Index sequences) {
  for (const auto& [who, threads] : {std::pair{"/heed", std::size_t{2}}, {"/textbook", std::size_t{1}}}) {
    const auto run = [each, sequences, threads = threads](benchmark::State& state) {
      Trial trial({each.states, sequences * each.windows});
      const LogLikelihoods windows{std::move(trial.log_likelihood)};
      const std::vector<Index> lengths(static_cast<std::size_t>(sequences), each.windows);
      measure(state, windows.values.rows(),
              [&] { benchmark::DoNotOptimize(hmm::smooth_batch(trial.chain, windows, lengths, threads)); });
    };
    benchmark::RegisterBenchmark((task + who).c_str(), run)->UseRealTime();
  }
}

constexpr GaussianEmission scores_of_one{
    .fisher = false, .mu_attended = 0.2, .mu_unattended = 0, .sigma_attended = 1, .sigma_unattended = 1};

// Scores that repeat each other, window by window.
void add_dependent(const std::string& task, const Size& size, double offset_sigma) {
  add(task + "/heed", size, [offset_sigma](benchmark::State& state, Trial& trial, const Size& s) {
    const auto model = emission::DependentGaussian::make(
        scores_of_one, {.autocorrelation = 0.8, .offset_sigma = offset_sigma}, s.states);
    emission::DependentStream stream(trial.chain, model);
    measure(state, s.windows, [&] {
      stream.reset();
      for (Index t = 0; t < s.windows; ++t) stream.step(trial.in().row(t));
      benchmark::DoNotOptimize(stream.belief().data());
    });
  });
}

// The same for scores that are taken for independent: what the dependence costs, not a rival.
void add_independent(const std::string& task, const Size& size) {
  add(task + "/heed", size, [](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::Stream stream(trial.chain);
    std::vector<double> log_likelihood(static_cast<std::size_t>(s.states));
    measure(state, s.windows, [&] {
      stream.reset();
      for (Index t = 0; t < s.windows; ++t) {
        emission::log_likelihoods_into(scores_of_one, trial.in().middle_rows(t, 1),
                                       {log_likelihood.data(), 1, s.states, s.states});
        stream.step(log_likelihood);
      }
      benchmark::DoNotOptimize(stream.belief().data());
    });
  });
}

// From beliefs to gains, window by window.
void add_gains(const std::string& task, const Size& size, core::GainMap map) {
  add(task + "/heed", size, [map](benchmark::State& state, Trial& trial, const Size& s) {
    hmm::FilterWorkspace workspace(s.states);
    (void)hmm::filter_into(trial.chain, trial.in(), workspace, trial.out());
    auto rule = core::GainRule<double, 8>::make(static_cast<std::size_t>(s.states), 1, {.map = map});
    measure(state, s.windows, [&] {
      for (Index t = 0; t < s.windows; ++t) rule->step(view(std::as_const(trial.posterior)).row(t));
      benchmark::DoNotOptimize(rule->decibels().data());
    });
  });
}

}  // namespace
}  // namespace heed::bench

// NOLINTNEXTLINE(readability-function-size): a list
int main(int argc, char** argv) {
  using namespace heed::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  RatioReporter reporter;
  const auto goal = [&](const std::string& task, double ratio) {
    reporter.set_goal(task, ratio);
    return task;
  };
  add_filter(goal("causal N=2 T=600", 2), {2, 600});
  add_filter(goal("causal N=3 T=600", 2), {3, 600});
  add_filter(goal("causal N=8 T=600", 2), {8, 600});
  add_filter(goal("causal N=8 dense T=600", 2), {8, 600, true});
  add_filter("causal N=32 T=600", {32, 600});
  add_filter("causal N=64 T=600", {64, 600});
  add_filter("causal N=256 T=600", {256, 600});
  add_smooth(goal("smooth N=2 T=600", 8), {2, 600});
  add_smooth(goal("smooth N=2 T=10000000", 8), {2, 10000000});
  add_smooth_anew(goal("smooth() N=2 T=10000000", 5), {2, 10000000});
  add_smooth(goal("smooth N=3 T=600", 4), {3, 600});
  add_smooth("smooth N=4 T=600", {4, 600});
  add_smooth(goal("smooth N=8 T=600", 4), {8, 600});
  add_smooth(goal("smooth N=8 dense T=600", 4), {8, 600, true});
  add_smooth("smooth N=32 T=600", {32, 600});
  add_smooth("smooth N=64 T=600", {64, 600});
  add_smooth("smooth N=256 T=600", {256, 600});
  add_viterbi(goal("viterbi N=2 T=600", 3.5), {2, 600});
  add_viterbi(goal("viterbi N=3 T=600", 2), {3, 600});
  add_viterbi(goal("viterbi N=8 T=600", 3), {8, 600});
  add_viterbi(goal("viterbi N=8 dense T=600", 2), {8, 600, true});
  add_expectation(goal("E-step N=2 T=600", 6), {2, 600});
  add_expectation(goal("E-step N=8 T=600", 6), {8, 600});
  add_expectation(goal("E-step N=8 dense T=600", 2), {8, 600, true});
  add_expectation(goal("E-step N=64 dense T=600", 2), {64, 600, true});
  add_expectation("E-step N=32 T=600", {32, 600});
  add_expectation("E-step N=64 T=600", {64, 600});
  add_expectation("E-step N=256 T=600", {256, 600});
  add_fixed_lag("fixed lag 5, N=2 T=600", {2, 600}, 5);
  add_fixed_lag("fixed lag 60, N=2 T=600", {2, 600}, 60);
  add_fixed_lag("fixed lag 5, N=8 T=600", {8, 600}, 5);
  add_fixed_lag("fixed lag 60, N=8 T=600", {8, 600}, 60);
  add_state_space("state-space, 8 trials of 600", {2, 600});
  for (const auto& [name, size] : std::initializer_list<std::pair<std::string, Size>>{
           {"N=2", {2, 600}}, {"N=8", {8, 600}}, {"N=64", {64, 600}}, {"N=8 dense", {8, 600, true}}}) {
    add_dependent("ar1 step " + name + " T=600", size, 0);
    add_independent("independent step " + name + " T=600", size);
  }
  add_dependent("offset step N=2 T=600", {2, 600}, 0.5);
  add_batches(reporter, {2, 600});
  add_batches(reporter, {3, 600});
  add_threads(goal("2 threads, 10000 x 600 N=2", 1.8), {2, 600}, 10000);
  add_threads(goal("2 threads, 1000 x 600 N=8", 1.8), {8, 600}, 1000);
  add_banks("N=2", {2, 600});
  add_banks("N=3", {3, 600});
  add_banks("N=8", {8, 600});
  add_gains("gains, straight line, N=2", {2, 600}, heed::core::GainMap::decibels);
  add_gains("gains, dead zone, N=2", {2, 600}, heed::core::GainMap::dead_zone);
  add_gains("gains, dead zone, N=8", {8, 600}, heed::core::GainMap::dead_zone);
  add_gains("gains, decibels per nat, N=2", {2, 600}, heed::core::GainMap::decibels_per_nat);
  add_gains("gains, decibels per nat, N=8", {8, 600}, heed::core::GainMap::decibels_per_nat);
  add_gains("gains, intelligibility, N=2", {2, 600}, heed::core::GainMap::intelligibility);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
