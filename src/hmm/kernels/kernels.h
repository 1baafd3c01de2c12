// SPDX-License-Identifier: MIT
// Fast forms of smoothing, the E-step, Viterbi and batches, one set per instruction set, chosen when the
// program runs. They equal the plain recursions to 1e-12; the causal filter equals core's to the bit.
// Plain pointers on purpose: inline code of the standard library compiled here for one machine could be
// linked into programs that run on another.
#pragma once

namespace heed::hmm::kernels {

// A sequence to smooth. Rows are windows; log_likelihood and posterior do not overlap.
struct SmoothRun {
  const double* log_likelihood = nullptr;
  long stride = 0;  // of log_likelihood, in numbers
  double* posterior = nullptr;
  long posterior_stride = 0;
  double* weights = nullptr;  // room for smoothing_storage(windows, states) numbers
  long windows = 0;           // at least 1
  long states = 0;
  double stay = 0;                     // of a sticky chain
  double move = 0;                     // its p
  const double* transition = nullptr;  // of a general chain, row-major and contiguous; null if sticky
  bool count_switches = false;         // sticky only
  // Two positive numbers that sum to one: the sequence may go in pieces (two states, sticky, rows contiguous,
  // lanes >= 4), from its first window on. Null: it may not.
  const double* initial = nullptr;
  bool stream = false;  // pieces: write posteriors past the cache
  // Not in pieces, in: posterior's row 0 is the belief after window 0, weights' row 0 its weights. Out, of
  // windows 1...:
  double log_evidence = 0;
  long held = 0;
  double switches = 0;  // expected number
};

// Two states, sticky. path: one state a window, 0 or 1.
struct ViterbiRun {
  const double* log_likelihood = nullptr;
  long stride = 0;
  double* scores = nullptr;  // room for viterbi_storage(windows) numbers
  int* path = nullptr;
  long windows = 0;
  double log_stay = 0;
  double log_move = 0;
  double first = 0;            // log of the initial odds of state 0
  double tie = 0;              // what differs by no more is a tie
  double log_probability = 0;  // out
  long held = 0;               // out
};

// `lanes` sequences side by side, two states, sticky. lengths[k] >= 1.
struct LanesRun {
  const double* const* log_likelihood = nullptr;  // the first row of each
  double* const* posterior = nullptr;             // rows contiguous, both
  const long* lengths = nullptr;
  double* storage = nullptr;  // room for lanes_storage(longest) numbers
  double stay = 0;
  double move = 0;
  const double* initial = nullptr;  // two positive numbers that sum to one
  bool stream = false;              // write posteriors past the cache
  double* log_evidence = nullptr;   // out, one a sequence
  long* held = nullptr;             // out
};

// The causal filter of a sticky chain. In: posterior's row 0 is the belief after window 0. Out, of windows 1...:
struct CausalRun {
  const double* log_likelihood = nullptr;
  long stride = 0;
  double* posterior = nullptr;
  long posterior_stride = 0;
  long windows = 0;
  long states = 0;
  double kept = 0;  // 1 - Np
  double move = 0;  // p
  double log_evidence = 0;
  long held = 0;
};

constexpr long largest_causal_states = 32;

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
struct BankRun {
  const double* likelihoods = nullptr;  // windows x states: b_j up to scale; 1 in a missing window
  long windows = 0;
  long states = 0;               // at most largest_causal_states
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
  const char* name;     // of the instruction set
  long lanes;           // doubles in a register
  long largest_states;  // of smooth
  void (*filter)(CausalRun& run) noexcept;
  void (*weigh)(const WeighRun& run) noexcept;
  void (*smooth)(SmoothRun& run) noexcept;
  void (*viterbi_two)(ViterbiRun& run) noexcept;
  void (*smooth_lanes)(LanesRun& run) noexcept;
  void (*bank_block)(const BankRun& run) noexcept;
};

// Kernels read, but never use, so many numbers past the last weight.
constexpr long weights_slack = 32;

constexpr long lanes_storage(long lanes, long windows) noexcept { return windows * lanes * 3; }

// Pieces of a long sequence, in a block that stays in the cache.
constexpr long longest_piece = 512;
constexpr long most_lanes = 8;

// Weights of every window, or a block of pieces and a record of every block.
constexpr long smoothing_storage(long windows, long states) noexcept {
  const long weights = windows * states + weights_slack;
  if (states != 2) return weights;
  const long in_block = windows < longest_piece * most_lanes ? windows : longest_piece * most_lanes;
  // Blocks are no shorter than two lanes' pieces; a record is less than 64 numbers.
  const long pieces = 3 * (in_block + most_lanes * most_lanes) + 64 * (1 + windows / (2 * longest_piece));
  return pieces > weights ? pieces : weights;
}

// Leads of pieces that are rounded up, and what each piece decides.
constexpr long viterbi_leads(long windows) noexcept { return windows + most_lanes * (most_lanes + 1); }
constexpr long viterbi_storage(long windows) noexcept {
  return viterbi_leads(windows) + most_lanes * (1 + windows / (2 * longest_piece));
}

// The recursions go unscaled for a few windows: below this nothing could be promised.
constexpr double smallest_transition = 1e-30;

void causal_portable(CausalRun& run) noexcept;
void causal_avx2(CausalRun& run) noexcept;
void causal_avx512(CausalRun& run) noexcept;
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
  const KernelSet* sets[3];
};
SupportedKernels supported_kernels() noexcept;

const KernelSet& best_kernels() noexcept;

}  // namespace heed::hmm::kernels
