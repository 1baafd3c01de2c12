// SPDX-License-Identifier: MIT
#include "dsp/kernels/kernels.h"

#include <data/instruction_sets.h>

namespace heed::dsp::kernels {

SupportedKernels supported_kernels() noexcept {
#ifdef HEED_X86_KERNELS
  return data::supported_sets<SupportedKernels>(&avx512_kernels, &avx2_kernels, &portable_kernels);
#else
  return data::supported_sets<SupportedKernels, KernelSet>(nullptr, nullptr, &portable_kernels);
#endif
}

const KernelSet& best_kernels() noexcept { return *supported_kernels().sets[0]; }

}  // namespace heed::dsp::kernels
