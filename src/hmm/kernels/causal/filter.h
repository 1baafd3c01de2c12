// SPDX-License-Identifier: MIT
// The causal filter over many windows, bit for bit core's advance(): the same operations in the same order, but the
// exponentials of later windows beside them. Made for the instruction set this file is compiled for, as kernel_set.h
// is, but without fusing products and sums, so that its bits are core's.
#include <core/exponential.h>

#include "hmm/kernels/kernels.h"

namespace heed::hmm::kernels {
namespace {

// Each builds on those before it.
// clang-format off
#include "hmm/kernels/registers.h"
#include "hmm/kernels/exponential.h"
#include "hmm/kernels/state_row.h"
#include "hmm/kernels/causal/evidence.h"
#include "hmm/kernels/causal/few.h"
#include "hmm/kernels/causal/rows.h"
#include "hmm/kernels/lanes/rows.h"
#include "hmm/kernels/lanes/ranking.h"
#include "hmm/kernels/causal/sequences.h"
#include "hmm/kernels/causal/lagged.h"
// clang-format on

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

inline void filter(CausalRun& run) noexcept {
  if (run.transition != nullptr) return go_in_rows<RowFilter, true>(run);
  switch (run.states) {
    case 2:
      return FewFilter<2>(run).go();
    case 3:
      return FewFilter<3>(run).go();
    case 4:
      return FewFilter<4>(run).go();
    default:
      return go_in_rows<RowFilter, false>(run);
  }
}

}  // namespace

void HEED_CAUSAL_FILTER(CausalRun& run) noexcept { filter(run); }
void HEED_CAUSAL_LANES(LanesRun& run) noexcept { filter_lanes(run); }
void HEED_LOOK_AHEAD(const LaggedRun& run) noexcept { look_ahead(run); }
void HEED_CAUSAL_WEIGH(const WeighRun& run) noexcept {
  weigh_exactly(run.log_likelihood, run.stride, run.weights, run.weighed, run.windows, run.states);
}

}  // namespace heed::hmm::kernels
