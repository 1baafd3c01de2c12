// SPDX-License-Identifier: MIT
#include "hmm/kernels/dispatch.h"

#include <data/instruction_sets.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "hmm/best_moves.h"

namespace heed::hmm::kernels {
namespace {

bool all_likely(const Chain& chain) noexcept {
  const auto likely = [](double p) { return p >= smallest_transition; };
  if (const auto* sticky = chain.as_sticky()) return likely(sticky->move()) && likely(sticky->stay());
  const MatrixView a = chain.general();
  for (Index i = 0; i < a.rows; ++i) {
    if (!std::ranges::all_of(a.row(i), likely)) return false;
  }
  return true;
}

bool starts_anywhere(const Chain& chain) noexcept {
  return std::ranges::all_of(chain.initial(), [](double p) { return p >= smallest_transition; });
}

bool suits_lead(const Chain& chain) noexcept {
  return chain.as_sticky() != nullptr && chain.states() == 2 && starts_anywhere(chain);
}

// The first window is core's: it absorbs into the initial distribution, which may hold zeros.
Smoothed absorb_first(const Chain& chain, MatrixView log_likelihood, std::span<double> weights,
                      std::span<double> belief) noexcept {
  std::ranges::copy(chain.initial(), belief.begin());
  const auto first = core::absorb(belief, log_likelihood.row(0), weights);
  return {.log_evidence = first.shift + std::log(first.normaliser), .held = first.step == core::Step::held ? 1 : 0};
}

// Below this the pieces are too short to pay for their matrices.
constexpr Index fewest_windows_in_pieces = 64;
// Posteriors of more windows than this will not be found in the cache by whoever reads them.
constexpr Index most_windows_in_cache = Index{1} << 19U;

bool suits_pieces(const KernelSet& set, const Chain& chain, const SmoothRun& run) noexcept {
  return set.lanes >= 4 && !run.count && run.windows >= fewest_windows_in_pieces && run.stride == run.states &&
         run.posterior_stride == run.states && suits_lanes(chain);
}

Smoothed run_smooth(const KernelSet& set, const Chain& chain, SmoothRun& run, MatrixView log_likelihood,
                    MutableMatrixView posterior) noexcept {
  run.log_likelihood = log_likelihood.data;
  run.stride = log_likelihood.stride;
  run.posterior = posterior.data;
  run.posterior_stride = posterior.stride;
  run.windows = log_likelihood.rows;
  run.states = chain.states();
  if (const auto* sticky = chain.as_sticky()) {
    run.stay = sticky->stay();
    run.move = sticky->move();
  } else {
    run.transition = chain.general().data;
    run.transposed = chain.general_transposed().data;
  }
  Smoothed first;
  if (suits_pieces(set, chain, run)) {
    run.initial = chain.initial().data();
    run.stream = run.windows > most_windows_in_cache;
  } else {
    const auto states = static_cast<std::size_t>(chain.states());
    first = absorb_first(chain, log_likelihood, {run.weights, states}, posterior.row(0));
  }
  set.smooth(run);
  return {
      .log_evidence = first.log_evidence + run.log_evidence, .held = first.held + run.held, .switches = run.switches};
}

struct Place {
  std::size_t sequence = 0;
  Index row = 0;
};

void run_lanes(const KernelSet& set, void (*kernel)(LanesRun&) noexcept, const Chain& chain, const LanesCall& call,
               Place place) noexcept {
  std::array<const double*, most_lanes> input{};
  std::array<double*, most_lanes> output{};
  std::array<long, most_lanes> lengths{};
  std::array<double, most_lanes> log_evidence{};
  std::array<long, most_lanes> held{};
  const auto lanes = static_cast<std::size_t>(set.lanes);
  for (std::size_t k = 0; k < lanes; ++k) {
    lengths[k] = call.batch->lengths[place.sequence + k];
    input[k] = call.batch->log_likelihood.row(place.row).data();
    output[k] = call.out->values.row(place.row).data();
    place.row += lengths[k];
  }
  LanesRun run{.log_likelihood = input.data(),
               .posterior = output.data(),
               .lengths = lengths.data(),
               .storage = call.storage,
               .states = chain.states(),
               .stay = chain.as_sticky()->stay(),
               .kept = chain.as_sticky()->kept(),
               .move = chain.as_sticky()->move(),
               .initial = chain.initial().data(),
               .stream = call.batch->log_likelihood.rows > most_windows_in_cache,
               .log_evidence = log_evidence.data(),
               .held = held.data()};
  kernel(run);
  for (std::size_t k = 0; k < lanes; ++k) call.out->sequences[place.sequence + k] = {log_evidence[k], held[k]};
}

}  // namespace

SupportedKernels supported_kernels() noexcept {
#ifdef HEED_X86_KERNELS
  return data::supported_sets<SupportedKernels>(&avx512_kernels, &avx2_kernels, &portable_kernels);
#else
  return data::supported_sets<SupportedKernels, KernelSet>(nullptr, nullptr, &portable_kernels);
#endif
}

const KernelSet& best_kernels() noexcept { return *supported_kernels().sets[0]; }

bool suits_smoothing(const Chain& chain) noexcept { return all_likely(chain); }

bool suits_filter(const Chain& chain) noexcept { return chain.as_sticky() != nullptr || all_likely(chain); }

bool suits_viterbi(const Chain& chain) noexcept { return suits_filter(chain); }

bool suits_lanes(const Chain& chain) noexcept {
  return chain.as_sticky() != nullptr && chain.states() <= largest_lanes_states && starts_anywhere(chain) &&
         all_likely(chain);
}

Smoothed filter(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* storage,
                MutableMatrixView posterior) noexcept {
  const auto* sticky = chain.as_sticky();
  const Smoothed first =
      absorb_first(chain, log_likelihood, {storage, static_cast<std::size_t>(chain.states())}, posterior.row(0));
  CausalRun run{.log_likelihood = log_likelihood.data,
                .stride = log_likelihood.stride,
                .posterior = posterior.data,
                .posterior_stride = posterior.stride,
                .windows = log_likelihood.rows,
                .states = chain.states(),
                .kept = sticky != nullptr ? sticky->kept() : 0,
                .move = sticky != nullptr ? sticky->move() : 0,
                .transition = chain.general().data,
                .storage = storage};
  set.filter(run);
  return {.log_evidence = first.log_evidence + run.log_evidence, .held = first.held + run.held};
}

bool suits_looking_ahead(const Chain& chain) noexcept {
  return chain.as_sticky() != nullptr && chain.states() <= largest_lagged_states;
}

Smoothed filter_and_weigh(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                          MutableMatrixView posterior) noexcept {
  constexpr Index chunk = 128;
  const Smoothed filtered = filter(set, chain, log_likelihood, weights, posterior);
  std::array<WeighedWindow, chunk> unused;
  for (Index first = 1; first < log_likelihood.rows; first += chunk) {
    set.weigh({.log_likelihood = log_likelihood.row(first).data(),
               .stride = log_likelihood.stride,
               .weights = weights + (first * chain.states()),
               .weighed = unused.data(),
               .windows = std::min(chunk, log_likelihood.rows - first),
               .states = chain.states()});
  }
  return filtered;
}

void look_ahead(const KernelSet& set, const Chain& chain, const double* weights, MutableMatrixView posterior,
                const LaggedRows& rows) noexcept {
  set.look_ahead({.weights = weights,
                  .posterior = posterior.data,
                  .posterior_stride = posterior.stride,
                  .states = chain.states(),
                  .lag = rows.lag,
                  .first = rows.first,
                  .end = rows.end,
                  .kept = chain.as_sticky()->kept(),
                  .move = chain.as_sticky()->move()});
}

Smoothed smooth(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                MutableMatrixView posterior) noexcept {
  SmoothRun run;
  run.weights = weights;
  return run_smooth(set, chain, run, log_likelihood, posterior);
}

Smoothed expect(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, const CountingStorage& storage,
                MutableMatrixView posterior) noexcept {
  SmoothRun run;
  run.weights = storage.weights;
  run.count = true;
  const MatrixView transition = chain.general();
  const MutableMatrixView pairs{storage.pairs, transition.rows, transition.columns, transition.stride};
  run.pairs = pairs.data;
  for (Index i = 0; i < pairs.rows; ++i) std::fill_n(pairs.data + (i * pairs.stride), pairs.stride, 0.0);
  const Smoothed result = run_smooth(set, chain, run, log_likelihood, posterior);
  for (Index i = 0; i < pairs.rows; ++i) {
    for (Index j = 0; j < pairs.columns; ++j) pairs(i, j) *= transition(i, j);
  }
  return result;
}

PathEvidence viterbi(const KernelSet& set, const Chain& chain, MatrixView log_likelihood,
                     const ViterbiStorage& storage) noexcept {
  const LogMoves moves = LogMoves::of(chain);
  const auto initial = chain.initial();
  ViterbiRun run{.log_likelihood = log_likelihood.data,
                 .stride = log_likelihood.stride,
                 .scores = storage.scores.data(),
                 .path = storage.path.data(),
                 .windows = log_likelihood.rows,
                 .states = chain.states(),
                 .log_stay = moves.stay,
                 .log_move = moves.move,
                 .log_transition = moves.general.data,
                 .log_transposed = chain.log_general_transposed().data,
                 .tie = viterbi_tie};
  run.in_pieces = suits_lead(chain);
  if (run.in_pieces) {
    run.first = std::log(initial[0]) - std::log(initial[1]);
    set.viterbi(run);
    const auto start = static_cast<std::size_t>(storage.path.front());
    return {.log_probability = run.log_probability + std::log(initial[start]), .held = run.held};
  }
  const auto scores = storage.scores.first(initial.size());
  std::ranges::transform(initial, scores.begin(), [](double probability) { return std::log(probability); });
  const PathEvidence first = absorb_best(scores, log_likelihood.row(0));
  set.viterbi(run);
  return {.log_probability = first.log_probability + run.log_probability, .held = first.held + run.held};
}

void filter_lanes(const KernelSet& set, const Chain& chain, const LanesCall& call, std::size_t first,
                  Index row) noexcept {
  run_lanes(set, set.filter_lanes, chain, call, {first, row});
}

void smooth_lanes(const KernelSet& set, const Chain& chain, const LanesCall& call, std::size_t first,
                  Index row) noexcept {
  run_lanes(set, set.smooth_lanes, chain, call, {first, row});
}

}  // namespace heed::hmm::kernels
