// SPDX-License-Identifier: MIT
#include "dsp/kernels/kernels.h"

namespace heed::dsp::kernels {

SupportedKernels supported_kernels() noexcept {
  SupportedKernels supported{};
  int count = 0;
#ifdef HEED_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    supported.sets[count++] = &avx512_kernels;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) supported.sets[count++] = &avx2_kernels;
#endif
  supported.sets[count] = &portable_kernels;
  return supported;
}

const KernelSet& best_kernels() noexcept { return *supported_kernels().sets[0]; }

}  // namespace heed::dsp::kernels
