// SPDX-License-Identifier: MIT
// From heed's types to the kernels': when a kernel may be used, and the call. Which file runs, for N states:
//
//   call                   chain                                 file (below src/hmm; kernels/ where none is named)
//   filter, filter_batch   sticky, N <= 32                       causal/filter.h, core's bits
//                          else                                  passes.cpp, on core/recursion.cpp
//   smooth, E-step         sticky, N = 2 (1)                     sweep/scalar_models.h; smooth alone, of 64 windows or
//                                                                more, contiguous, starting anywhere: lanes/pieces.h
//                          sticky, N = 3 ... 6 (1)               sweep/scalar_models.h
//                          sticky, N <= 4 lanes (1)              sweep/register_models.h
//                          dense, N <= 4 lanes (1)               sweep/register_models.h; the E-step passes.cpp
//                          else                                  passes.cpp and, of the E-step, expectation.cpp
//   smooth_batch           sticky, N = 2, starting anywhere,     lanes/sequences.h, as many as a register has lanes
//                          sequences of similar length (1)
//                          else                                  as smooth, one after the other
//   viterbi, its batch     sticky, N = 2, starting anywhere      lanes/viterbi.h and lanes/path_evidence.h
//                          else                                  viterbi.cpp
//   fixed lag, Stream,     any                                   passes.cpp
//   sampling
//   core's filters         sticky                                core/recursion.cpp
//   a bank's trackers      sticky                                core/bank_filter.cpp; their exponentials
//                                                                causal/filter.h
//   a bank's smoother      sticky, N <= 32, 8 filters or fewer (1)  lanes/bank.h; exponentials causal/filter.h
//
//   (1) and no transition below smallest_transition. Lanes: 2 portable, 4 AVX2, 8 AVX-512.
//
// A missing window is one whose log-likelihoods are all equal. What makes one is said once for each way of computing:
// largest_reachable in core/recursion.cpp, `weigh` in viterbi.cpp, and `whole` in weights.h (sweeps), causal/filter.h,
// lanes/sequences.h (pieces too), lanes/viterbi.h and lanes/path_evidence.h. tests/laws/missing_windows_test.cpp holds
// all of them to the same.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/chain.h>

#include <span>

#include "hmm/kernels/kernels.h"

namespace heed::hmm::kernels {

struct Smoothed {
  double log_evidence = 0;
  Index held = 0;
  double switches = 0;  // expected number, if counted
};

// Every transition is possible, none too unlikely, and the states fit the registers. A chain with zeros
// goes the plain way: which states are reachable must be known at every window.
[[nodiscard]] bool suits_smoothing(const KernelSet& set, const Chain& chain) noexcept;
[[nodiscard]] bool suits_filter(const Chain& chain) noexcept;
[[nodiscard]] bool suits_viterbi(const Chain& chain) noexcept;
[[nodiscard]] bool suits_lanes(const Chain& chain) noexcept;

// core's causal recursion, bit for bit; weights: a number per state. Preconditions: suits; shapes agree; rows >= 1.
Smoothed filter(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, std::span<double> weights,
                MutableMatrixView posterior) noexcept;

// Preconditions: suits; shapes agree; weights hold smoothing_storage(rows, states) numbers; rows >= 1.
Smoothed smooth(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                MutableMatrixView posterior) noexcept;
// The same, counting the switches of a sticky chain.
Smoothed expect(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                MutableMatrixView posterior) noexcept;

struct BestPath {
  double log_probability = 0;
  Index held = 0;
};

struct ViterbiStorage {
  std::span<double> leads;  // viterbi_storage(windows) numbers
  std::span<Speaker> path;
  double tie = 0;  // what differs by no more is a tie
};
BestPath viterbi(const KernelSet& set, const Chain& chain, MatrixView log_likelihood,
                 const ViterbiStorage& storage) noexcept;

// set.lanes sequences from `first` on, the rows of the first at `row`. Rows are contiguous. storage:
// lanes_storage(set.lanes, longest) numbers.
struct LanesCall {
  const BatchView* batch;
  const BatchPosteriorsView* out;
  double* storage;
};
void smooth_lanes(const KernelSet& set, const Chain& chain, const LanesCall& call, std::size_t first,
                  Index row) noexcept;

}  // namespace heed::hmm::kernels
