// SPDX-License-Identifier: MIT
// Makes one KernelSet, for the instruction set this file is compiled for. CMake (heed_add_kernels) defines
// HEED_LANES (doubles in a register), HEED_KERNEL_SET (the set's variable), HEED_KERNEL_NAME and
// HEED_CAUSAL_FILTER, HEED_CAUSAL_LANES and HEED_CAUSAL_WEIGH (compiled beside it, see causal/filter.h).
// All code is in an unnamed namespace: no machine code leaves the file under a name others could link.
#include <core/exponential.h>

#include "hmm/kernels/kernels.h"

namespace heed::hmm::kernels {
namespace {

// Each builds on those before it.
// clang-format off
#include "hmm/kernels/registers.h"
#include "hmm/kernels/exponential.h"
#include "hmm/kernels/state_row.h"
#include "hmm/kernels/weights.h"
#include "hmm/kernels/sweep/chain_numbers.h"
#include "hmm/kernels/sweep/scalar_models.h"
#include "hmm/kernels/sweep/register_models.h"
#include "hmm/kernels/sweep/sweep.h"
#include "hmm/kernels/sweep/blocks.h"
#include "hmm/kernels/lanes/rows.h"
#include "hmm/kernels/lanes/ranking.h"
#include "hmm/kernels/lanes/weights.h"
#include "hmm/kernels/lanes/sequences.h"
#include "hmm/kernels/lanes/pieces.h"
#include "hmm/kernels/paths/evidence.h"
#include "hmm/kernels/paths/two_states.h"
#include "hmm/kernels/paths/few.h"
#include "hmm/kernels/paths/rows.h"
#include "hmm/kernels/lanes/bank.h"
// clang-format on

template <long V>
void smooth_registers(SmoothRun& run) {
  if (run.transition == nullptr) {
    const Sticky<V> model(run);
    Sweep<Sticky<V>>(model, run).go();
  } else {
    const Dense<V> model(run);
    Sweep<Dense<V>>(model, run).go();
  }
}

template <long N>
void smooth_few(SmoothRun& run) {
  const FewStates<N> model{run.move, kept_of(run)};
  Sweep<FewStates<N>>(model, run).go();
}

void smooth_two(SmoothRun& run) {
  const TwoStates model(run.stay, run.move);
  Sweep<TwoStates>(model, run).go();
}

void smooth_pieces(SmoothRun& run) {
  switch (run.states) {
    case 2:
      return Pieces<2>(run).go();
    case 3:
      return Pieces<3>(run).go();
    default:
      return Pieces<4>(run).go();
  }
}

void smooth(SmoothRun& run) noexcept {
  if (run.initial != nullptr) return smooth_pieces(run);
  switch (run.transition == nullptr ? run.states : 0) {
    case 2:
      return smooth_two(run);
    case 3:
      return smooth_few<3>(run);
    case 4:
      return smooth_few<4>(run);
    case 5:
      return smooth_few<5>(run);
    case 6:
      return smooth_few<6>(run);
    default:
      break;
  }
  switch ((run.states + lanes - 1) / lanes) {
    case 1:
      return smooth_registers<1>(run);
    case 2:
      return smooth_registers<2>(run);
    case 3:
      return smooth_registers<3>(run);
    case most_registers:
      return smooth_registers<most_registers>(run);
    default:
      return Blocks(run).go();
  }
}

void smooth_lanes(LanesRun& run) noexcept {
  switch (run.states) {
    case 2:
      return smooth_sequences<2>(run);
    case 3:
      return smooth_sequences<3>(run);
    default:
      return smooth_sequences<4>(run);
  }
}

void viterbi(ViterbiRun& run) noexcept {
  if (run.in_pieces) return viterbi_two(run);
  if (run.log_transition != nullptr) return go_in_rows<RowPath, true>(run);
  switch (run.states) {
    case 2:
      return FewPath<2>(run).go();
    case 3:
      return FewPath<3>(run).go();
    case 4:
      return FewPath<4>(run).go();
    default:
      return go_in_rows<RowPath, false>(run);
  }
}

}  // namespace

extern const KernelSet HEED_KERNEL_SET;
const KernelSet HEED_KERNEL_SET{
    HEED_KERNEL_NAME, lanes,   HEED_CAUSAL_FILTER, HEED_CAUSAL_LANES, HEED_LOOK_AHEAD, HEED_CAUSAL_WEIGH,
    smooth,           viterbi, smooth_lanes,       bank_block};

}  // namespace heed::hmm::kernels
