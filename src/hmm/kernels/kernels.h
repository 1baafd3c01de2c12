// SPDX-License-Identifier: MIT
// Fast forms of smoothing, the E-step, Viterbi and batches, one set per instruction set, chosen when the
// program runs. They equal the plain recursions to 1e-12; the causal filter equals core's to the bit.
// Plain pointers on purpose: inline code of the standard library compiled here for one machine could be
// linked into programs that run on another.
#pragma once

#include "hmm/kernels/storage.h"

namespace heed::hmm::kernels {

// A sequence to smooth. Rows are windows; log_likelihood and posterior do not overlap.
struct SmoothRun {
  const double* log_likelihood = nullptr;
  long stride = 0;  // of log_likelihood, in numbers
  double* posterior = nullptr;
  long posterior_stride = 0;
  double* weights = nullptr;  // room for smoothing_storage(lanes, windows, states) numbers
  long windows = 0;           // at least 1
  long states = 0;
  double stay = 0;                     // of a sticky chain
  double move = 0;                     // its p
  const double* transition = nullptr;  // of a general chain, rows padded(states) apart; null if sticky
  const double* transposed = nullptr;  // the same, transposed
  bool count = false;                  // transitions
  double* pairs = nullptr;             // of a general chain, if they count: as large as the matrix
  // Positive numbers that sum to one: the sequence goes in pieces (at most largest_lanes_states, sticky, rows
  // contiguous, lanes >= 4), from its first window on. Null: it does not.
  const double* initial = nullptr;
  bool stream = false;  // pieces: write posteriors past the cache
  // Not in pieces, in: posterior's row 0 is the belief after window 0, weights' row 0 its weights. Out, of
  // windows 1...:
  double log_evidence = 0;
  long held = 0;
  double switches = 0;  // expected number, of a sticky chain; of a general one, each kind's is in `pairs`
};

// path: one state a window.
struct ViterbiRun {
  const double* log_likelihood = nullptr;
  long stride = 0;
  double* scores = nullptr;  // room for viterbi_storage(windows, states) numbers
  int* path = nullptr;
  long windows = 0;
  long states = 0;
  double log_stay = 0;  // of a sticky chain
  double log_move = 0;
  const double* log_transition = nullptr;  // of a general chain, rows padded(states) apart; null if sticky
  const double* log_transposed = nullptr;  // the same, transposed
  double tie = 0;                          // what differs by no more is a tie
  // Two states, sticky, in pieces: log of the initial odds of state 0. All others, in: the first row of `scores` holds
  // those after window 0, the best of them 0.
  bool in_pieces = false;
  double first = 0;
  double log_probability = 0;  // out, of windows 1... and in pieces of all
  long held = 0;               // out, likewise
};

// `lanes` sequences side by side, at most largest_lanes_states, sticky. lengths[k] >= 1.
struct LanesRun {
  const double* const* log_likelihood = nullptr;  // the first row of each
  double* const* posterior = nullptr;             // rows contiguous, both
  const long* lengths = nullptr;
  double* storage = nullptr;  // room for lanes_storage(lanes, longest, states) numbers; of the smoother alone
  long states = 0;
  double stay = 0;
  double kept = 0;  // 1 - Np
  double move = 0;
  const double* initial = nullptr;  // positive numbers that sum to one
  bool stream = false;              // write posteriors past the cache
  double* log_evidence = nullptr;   // out, one a sequence
  long* held = nullptr;             // out
};

// The causal filter. In: posterior's row 0 is the belief after window 0. Out, of windows 1...:
struct CausalRun {
  const double* log_likelihood = nullptr;
  long stride = 0;
  double* posterior = nullptr;
  long posterior_stride = 0;
  long windows = 0;
  long states = 0;
  double kept = 0;                     // of a sticky chain: 1 - Np
  double move = 0;                     // p
  const double* transition = nullptr;  // of a general chain; null if sticky
  double* storage = nullptr;           // room for filter_storage(states) numbers
  double log_evidence = 0;
  long held = 0;
};

// Rows first ... end - 1 of the posterior, which hold causal beliefs, take in what `lag` more windows say; all of them
// are there. Sticky chains of at most so many states.
constexpr long largest_lagged_states = 32;
struct LaggedRun {
  const double* weights = nullptr;  // windows x states, contiguous
  double* posterior = nullptr;
  long posterior_stride = 0;
  long states = 0;
  long lag = 0;
  long first = 0;
  long end = 0;
  double kept = 0;  // 1 - Np
  double move = 0;  // p
};

// What core's weigh() gives of many windows of a sticky chain: whoever runs several chains over them needs it once.
struct WeighedWindow {
  double shift = 0;    // the largest log-likelihood
  bool whole = false;  // not missing
};
struct WeighRun {
  const double* log_likelihood = nullptr;
  long stride = 0;
  double* weights = nullptr;  // windows x states, and weights_slack numbers more
  WeighedWindow* weighed = nullptr;
  long windows = 0;
  long states = 0;
};

// A block of windows of the filters of a bank, side by side. Numbers for each filter are bank_width of them, those past
// the last filter as of any other, but for `known`, which is 0 there.
constexpr long bank_width = 8;
constexpr long largest_bank_states = 32;
struct BankRun {
  const double* likelihoods = nullptr;  // windows x states: b_j up to scale; 1 in a missing window
  long windows = 0;
  long states = 0;               // at most largest_bank_states
  const double* kept = nullptr;  // of each filter: 1 - Np
  const double* move = nullptr;  // p
  double* beliefs = nullptr;     // windows x states x filters, of any scale for each filter: written there, read back
  double* state = nullptr;  // states x filters. There: the belief before the block, summing to one, then that after
                            // it. Back: the future of the last window, then that of the window before the first
  const double* known = nullptr;  // P(p): before the block, or at the end of all
  double* totals = nullptr;       // there: written, P(block | p) up to the scale of the likelihoods
  double* rows = nullptr;         // there: P(p | windows so far), windows x filters; back: posteriors, windows x states
  long row_stride = 0;
  const double* rows_end = nullptr;  // there: nothing is written from here on
  bool back = false;
};

struct KernelSet {
  const char* name;  // of the instruction set
  long lanes;        // doubles in a register
  void (*filter)(CausalRun& run) noexcept;
  void (*filter_lanes)(LanesRun& run) noexcept;
  void (*look_ahead)(const LaggedRun& run) noexcept;
  void (*weigh)(const WeighRun& run) noexcept;
  void (*smooth)(SmoothRun& run) noexcept;
  void (*viterbi)(ViterbiRun& run) noexcept;
  void (*smooth_lanes)(LanesRun& run) noexcept;
  void (*bank_block)(const BankRun& run) noexcept;
};

// The recursions go unscaled for a few windows: below this nothing could be promised.
constexpr double smallest_transition = 1e-30;

void causal_portable(CausalRun& run) noexcept;
void causal_lanes_portable(LanesRun& run) noexcept;
void look_ahead_portable(const LaggedRun& run) noexcept;
void causal_avx2(CausalRun& run) noexcept;
void causal_lanes_avx2(LanesRun& run) noexcept;
void look_ahead_avx2(const LaggedRun& run) noexcept;
void causal_avx512(CausalRun& run) noexcept;
void causal_lanes_avx512(LanesRun& run) noexcept;
void look_ahead_avx512(const LaggedRun& run) noexcept;
void weigh_portable(const WeighRun& run) noexcept;
void weigh_avx2(const WeighRun& run) noexcept;
void weigh_avx512(const WeighRun& run) noexcept;

extern const KernelSet portable_kernels;
#ifdef HEED_X86_KERNELS
extern const KernelSet avx2_kernels;
extern const KernelSet avx512_kernels;
#endif

// The sets this machine runs, best first; null where there are fewer.
struct SupportedKernels {
  const KernelSet* sets[3];  // NOLINT(modernize-avoid-c-arrays): nothing inline of the standard library here
};
SupportedKernels supported_kernels() noexcept;

const KernelSet& best_kernels() noexcept;

}  // namespace heed::hmm::kernels
