// SPDX-License-Identifier: MIT
// Makes one causal filter, for the instruction set this file is compiled for; see kernel_set.h. Compiled
// without fusing, so that its bits are core's.
#include <core/exponential.h>

#include "hmm/kernels/kernels.h"

namespace heed::hmm::kernels {
namespace {

// Each builds on those before it.
// clang-format off
#include "hmm/kernels/registers.h"
#include "hmm/kernels/weights.h"
#include "hmm/kernels/causal/filter.h"
// clang-format on

}  // namespace

void HEED_CAUSAL_FILTER(CausalRun& run) noexcept { filter(run); }

}  // namespace heed::hmm::kernels
