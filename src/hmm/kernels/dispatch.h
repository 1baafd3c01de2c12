// SPDX-License-Identifier: MIT
// From heed's types to the kernels': when a kernel may be used, and the call. Which file runs, for N states:
//
//   call                   chain                                 file (below src/hmm; kernels/ where none is named)
//   filter, filter_batch   sticky, N <= 4                        causal/few.h, core's bits; of a batch as for
//                                                                smooth_batch: causal/sequences.h, the same
//                          sticky; dense (1)                     causal/rows.h, the same
//                          else                                  passes.cpp, on core/recursion.cpp
//   smooth                 sticky, N <= 4, 64 windows or more,   lanes/pieces.h
//                          contiguous, starting anywhere (1), (2)
//   smooth, E-step         sticky, N <= 6 (1)                    sweep/scalar_models.h
//                          sticky or dense, N <= 4 lanes (1)     sweep/register_models.h
//                          sticky or dense, of any N (1)         sweep/blocks.h
//                          else                                  passes.cpp and, of the E-step, expectation.cpp
//   smooth_batch           sticky, N <= 4, starting anywhere,    lanes/sequences.h, as many as a register has lanes
//                          sequences of similar length (1)
//                          else                                  as smooth, one after the other
//   viterbi, its batch     sticky, N = 2, starting anywhere      paths/two_states.h and paths/evidence.h
//                          sticky, N <= 4                        paths/few.h
//                          sticky; dense (1)                     paths/rows.h
//                          else                                  viterbi.cpp
//   fixed lag              sticky, N <= 32                       causal/lagged.h; rows that see the end passes.cpp
//   fixed lag, Stream,     any                                   passes.cpp
//   sampling
//   core's filters         sticky                                core/recursion.cpp
//   a bank's trackers      sticky                                core/bank_filter.cpp; their exponentials
//                                                                causal/filter.h
//   a bank's smoother      sticky, N <= 32, 8 filters or fewer (1)  lanes/bank.h; exponentials causal/filter.h
//
//   (1) and no transition below smallest_transition. Lanes: 2 portable, 4 AVX2, 8 AVX-512.
//   (2) and lanes >= 4.
//
// A missing window is one whose log-likelihoods are all equal. What makes one is said once for each way of computing:
// largest_reachable in core/recursion.cpp, `absorb_best` in best_moves.cpp, and `whole` in weights.h (sweeps) and in
// the files above. tests/laws/missing_windows_test.cpp holds all of them to the same.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/chain.h>

#include <span>

#include "hmm/best_moves.h"
#include "hmm/kernels/kernels.h"

namespace heed::hmm::kernels {

struct Smoothed {
  double log_evidence = 0;
  Index held = 0;
  double switches = 0;  // expected number, if counted, on a sticky chain
};

// Every transition is possible and none too unlikely. A chain with zeros goes the plain way: which states are reachable
// must be known at every window.
[[nodiscard]] bool suits_smoothing(const Chain& chain) noexcept;
[[nodiscard]] bool suits_filter(const Chain& chain) noexcept;
[[nodiscard]] bool suits_viterbi(const Chain& chain) noexcept;
[[nodiscard]] bool suits_lanes(const Chain& chain) noexcept;

// The causal recursion, bit for bit that of one window after the other. Preconditions: suits; shapes agree; storage
// holds filter_storage(states) numbers; rows >= 1.
Smoothed filter(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* storage,
                MutableMatrixView posterior) noexcept;

// A sticky chain with few states: rows of fixed lag look ahead side by side.
[[nodiscard]] bool suits_looking_ahead(const Chain& chain) noexcept;
// filter, and the weights of windows 1... as the passes have them; they have room for filter_storage(states) numbers
// and for rows x states and weights_slack more.
Smoothed filter_and_weigh(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                          MutableMatrixView posterior) noexcept;
struct LaggedRows {
  Index first = 0;
  Index end = 0;
  Index lag = 0;  // windows end - 1 + lag and before are there
};
// Takes what follows into rows of causal beliefs. Precondition: suits.
void look_ahead(const KernelSet& set, const Chain& chain, const double* weights, MutableMatrixView posterior,
                const LaggedRows& rows) noexcept;

// Preconditions: suits; shapes agree; weights hold smoothing_storage(set.lanes, rows, states) numbers; rows >= 1.
Smoothed smooth(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, double* weights,
                MutableMatrixView posterior) noexcept;
// The same, counting transitions.
struct CountingStorage {
  double* weights;  // as of smooth
  double* pairs;    // of a general chain: out, the expected number of each transition; room for pair_storage(states)
};
Smoothed expect(const KernelSet& set, const Chain& chain, MatrixView log_likelihood, const CountingStorage& storage,
                MutableMatrixView posterior) noexcept;

struct ViterbiStorage {
  std::span<double> scores;  // viterbi_storage(windows, states) numbers
  std::span<Speaker> path;
};
// Preconditions: suits; shapes agree; rows >= 1.
PathEvidence viterbi(const KernelSet& set, const Chain& chain, MatrixView log_likelihood,
                     const ViterbiStorage& storage) noexcept;

// set.lanes sequences from `first` on, the rows of the first at `row`. Rows are contiguous.
struct LanesCall {
  const BatchView* batch;
  const BatchPosteriorsView* out;
  double* storage;  // of the smoother: lanes_storage(set.lanes, longest, states) numbers
};
void filter_lanes(const KernelSet& set, const Chain& chain, const LanesCall& call, std::size_t first,
                  Index row) noexcept;
void smooth_lanes(const KernelSet& set, const Chain& chain, const LanesCall& call, std::size_t first,
                  Index row) noexcept;

}  // namespace heed::hmm::kernels
