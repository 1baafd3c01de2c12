// SPDX-License-Identifier: MIT
// The one place that asks the processor what it can do. Layers with kernels (dsp, hmm) compile them once for each
// instruction set (heed_add_kernels in cmake/HeedLayers.cmake) and choose here when the program runs. Not for kernel
// files: what they compile inline could be linked into programs that run on another machine.
#pragma once

// Of loops over plain numbers that the compiler makes for several instruction sets, choosing at run time by itself.
// Each operation rounds alike in all of them (nothing is fused), so the bits are the same on every machine. Not under
// sanitizers: their runtimes start after the choice.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
#define HEED_EVERY_MACHINE
#elif defined(__x86_64__) && defined(__GNUC__)
#define HEED_EVERY_MACHINE [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define HEED_EVERY_MACHINE
#endif

namespace heed::data {

// The sets this machine runs, best first. Null for one that was not compiled.
template <typename SupportedKernels, typename KernelSet>
SupportedKernels supported_sets([[maybe_unused]] const KernelSet* avx512, [[maybe_unused]] const KernelSet* avx2,
                                const KernelSet* portable) noexcept {
  SupportedKernels supported{};
  int count = 0;
#ifdef __x86_64__
  const bool has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx512 != nullptr && has_avx512) supported.sets[count++] = avx512;
  if (avx2 != nullptr && has_avx2) supported.sets[count++] = avx2;
#endif
  supported.sets[count] = portable;
  return supported;
}

}  // namespace heed::data
