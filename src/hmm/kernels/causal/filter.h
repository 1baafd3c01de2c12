// SPDX-License-Identifier: MIT
// The causal filter over many windows, bit for bit core's advance(): the same operations in the same order, but the
// exponentials of many windows at once. Made for the instruction set this file is compiled for, as kernel_set.h is, but
// without fusing products and sums, so that its bits are core's.
#include <core/exponential.h>

#include "hmm/kernels/kernels.h"

namespace heed::hmm::kernels {
namespace {

// Each builds on those before it.
// clang-format off
#include "hmm/kernels/registers.h"
#include "hmm/kernels/weights.h"
// clang-format on

constexpr long causal_chunk = 128;

// weights <- exp(l - largest) of contiguous rows; a missing window weighs 1.
inline void weigh_exactly(const double* rows, long stride, double* weights, WeighedWindow* windows, long count,
                          long states) {
  for (long t = 0; t < count; ++t) {
    const double* row = rows + t * stride;
    double highest = -infinity;
    bool finite = true;
    for (long j = 0; j < states; ++j) {
      highest = row[j] > highest ? row[j] : highest;
      finite &= row[j] < infinity;  // not so for NaN
    }
    const bool whole = finite & (highest > -infinity);
    windows[t] = {highest, whole};
    for (long j = 0; j < states; ++j) weights[t * states + j] = whole ? row[j] - highest : 0;
  }
  for (long k = count * states; k % lanes != 0; ++k) weights[k] = 0;  // what fills the last register
  for (long k = 0; k < count * states; k += lanes) store(weights + k, exponential(load(weights + k)));
}

// The log of a product of normalisers, taken only now and then.
struct LogProduct {
  double log = 0;
  double product = 1;

  void multiply(double factor) {
    product *= factor;
    if (product < 1e-200) {
      log += __builtin_log(product);
      product = 1;
    }
  }
  [[nodiscard]] double value() const { return log + __builtin_log(product); }
};

// As core's advance: (w kept) b + (w p), then the division; a held window is predicted only.
inline void filter_chunk(const CausalRun& run, long first, long count, const double* weights,
                         const WeighedWindow* windows, LogProduct& normalisers) {
  const long states = run.states;
  const double* before = run.posterior + (first - 1) * run.posterior_stride;
  for (long t = 0; t < count; ++t) {
    double* const belief = run.posterior + (first + t) * run.posterior_stride;
    double sum = 0;
    for (long j = 0; j < states; ++j) {
      const double w = weights[t * states + j];
      belief[j] = ((w * run.kept) * before[j]) + (w * run.move);
      sum += belief[j];
    }
    const double total = windows[t].whole ? sum : 1;
    for (long j = 0; j < states; ++j) belief[j] /= total;
    normalisers.multiply(total);
    before = belief;
  }
}

// Two states live in registers: memory is not waited for. No window is missing.
inline void filter_whole_pairs(const CausalRun& run, long first, long count, const double* weights,
                               LogProduct& normalisers) {
  const double* before = run.posterior + (first - 1) * run.posterior_stride;
  double u = before[0];
  double v = before[1];
  for (long t = 0; t < count; ++t) {
    u = ((weights[2 * t] * run.kept) * u) + (weights[2 * t] * run.move);
    v = ((weights[2 * t + 1] * run.kept) * v) + (weights[2 * t + 1] * run.move);
    const double total = u + v;
    u /= total;
    v /= total;
    double* const belief = run.posterior + (first + t) * run.posterior_stride;
    belief[0] = u;
    belief[1] = v;
    normalisers.multiply(total);
  }
}

inline void filter(CausalRun& run) noexcept {
  double weights[causal_chunk * largest_causal_states + lanes];
  WeighedWindow windows[causal_chunk];
  LogProduct normalisers;
  double shift = 0;
  for (long first = 1; first < run.windows; first += causal_chunk) {
    const long count = run.windows - first < causal_chunk ? run.windows - first : causal_chunk;
    const double* rows = run.log_likelihood + first * run.stride;
    if (run.states == 2) {
      double pairs[2 * causal_chunk];
      for (long t = 0; t < count; ++t) __builtin_memcpy(pairs + 2 * t, rows + t * run.stride, 2 * sizeof(double));
      const Weighed weighed = weigh_two(pairs, weights, count);
      if (weighed.held == 0) {
        filter_whole_pairs(run, first, count, weights, normalisers);
        shift += weighed.shift;
        continue;
      }
    }
    weigh_exactly(rows, run.stride, weights, windows, count, run.states);
    filter_chunk(run, first, count, weights, windows, normalisers);
    for (long t = 0; t < count; ++t) {
      shift += windows[t].whole ? windows[t].shift : 0;
      run.held += windows[t].whole ? 0 : 1;
    }
  }
  run.log_evidence = shift + normalisers.value();
}

}  // namespace

void HEED_CAUSAL_FILTER(CausalRun& run) noexcept { filter(run); }
void HEED_CAUSAL_WEIGH(const WeighRun& run) noexcept {
  weigh_exactly(run.log_likelihood, run.stride, run.weights, run.weighed, run.windows, run.states);
}

}  // namespace heed::hmm::kernels
