// SPDX-License-Identifier: MIT
#include "hmm/kernels/dispatch.h"

#include <data/instruction_sets.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

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
  return set.lanes >= 4 && !run.count_switches && run.windows >= fewest_windows_in_pieces && run.stride == 2 &&
         run.posterior_stride == 2 && suits_lanes(chain);
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

}  // namespace

SupportedKernels supported_kernels() noexcept {
#ifdef HEED_X86_KERNELS
  return data::supported_sets<SupportedKernels>(&avx512_kernels, &avx2_kernels, &portable_kernels);
#else
  return data::supported_sets<SupportedKernels, KernelSet>(nullptr, nullptr, &portable_kernels);
#endif
}

const KernelSet& best_kernels() noexcept { return *supported_kernels().sets[0]; }

bool suits_smoothing(const KernelSet& set, const Chain& chain) noexcept {
  return chain.states() <= set.largest_states && all_likely(chain);
}

bool suits_filter(const Chain& chain) noexcept {
  return chain.as_sticky() != nullptr && chain.states() <= largest_causal_states;
}

bool suits_viterbi(const Chain& chain) noexcept {
  return chain.as_sticky() != nullptr && chain.states() == 2 && starts_anywhere(chain);
}

bool suits_lanes(const Chain& chain) noexcept { return suits_viterbi(chain) && all_likely(chain); }

Smoothed filter(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, std::span<double> weights,
                MutableMatrixView posterior) noexcept {
  const Smoothed first = absorb_first(chain, log_likelihood, weights, posterior.row(0));
  CausalRun run{.log_likelihood = log_likelihood.data,
                .stride = log_likelihood.stride,
                .posterior = posterior.data,
                .posterior_stride = posterior.stride,
                .windows = log_likelihood.rows,
                .states = chain.states(),
                .kept = chain.as_sticky()->kept(),
                .move = chain.as_sticky()->move()};
  set.filter(run);
  return {.log_evidence = first.log_evidence + run.log_evidence, .held = first.held + run.held};
}

Smoothed smooth(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                MutableMatrixView posterior) noexcept {
  SmoothRun run;
  run.weights = weights;
  return run_smooth(set, chain, run, log_likelihood, posterior);
}

Smoothed expect(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                MutableMatrixView posterior) noexcept {
  SmoothRun run;
  run.weights = weights;
  run.count_switches = true;
  return run_smooth(set, chain, run, log_likelihood, posterior);
}

BestPath viterbi(const KernelSet& set, const Chain& chain, MatrixView log_likelihood,
                 const ViterbiStorage& storage) noexcept {
  const auto* sticky = chain.as_sticky();
  const auto initial = chain.initial();
  ViterbiRun run{.log_likelihood = log_likelihood.data,
                 .stride = log_likelihood.stride,
                 .scores = storage.leads.data(),
                 .path = storage.path.data(),
                 .windows = log_likelihood.rows,
                 .log_stay = std::log(sticky->stay()),
                 .log_move = std::log(sticky->move()),
                 .first = std::log(initial[0]) - std::log(initial[1]),
                 .tie = storage.tie};
  set.viterbi_two(run);
  const auto start = static_cast<std::size_t>(storage.path.front());
  return {.log_probability = run.log_probability + std::log(initial[start]), .held = run.held};
}

void smooth_lanes(const KernelSet& set, const Chain& chain, const LanesCall& call, std::size_t first,
                  Index row) noexcept {
  std::array<const double*, most_lanes> input{};
  std::array<double*, most_lanes> output{};
  std::array<long, most_lanes> lengths{};
  std::array<double, most_lanes> log_evidence{};
  std::array<long, most_lanes> held{};
  const auto lanes = static_cast<std::size_t>(set.lanes);
  for (std::size_t k = 0; k < lanes; ++k) {
    lengths[k] = call.batch->lengths[first + k];
    input[k] = call.batch->log_likelihood.row(row).data();
    output[k] = call.out->values.row(row).data();
    row += lengths[k];
  }
  LanesRun run{.log_likelihood = input.data(),
               .posterior = output.data(),
               .lengths = lengths.data(),
               .storage = call.storage,
               .stay = chain.as_sticky()->stay(),
               .move = chain.as_sticky()->move(),
               .initial = chain.initial().data(),
               .stream = call.batch->log_likelihood.rows > most_windows_in_cache,
               .log_evidence = log_evidence.data(),
               .held = held.data()};
  set.smooth_lanes(run);
  for (std::size_t k = 0; k < lanes; ++k) call.out->sequences[first + k] = {log_evidence[k], held[k]};
}

}  // namespace heed::hmm::kernels
