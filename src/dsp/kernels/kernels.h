// SPDX-License-Identifier: MIT
// The loops that take the time, one set per instruction set, chosen when the program runs. Each result is made by the
// same operations in the same order wherever in an array it lies, so chunks of any size give the same bits on one
// machine. Plain pointers on purpose: inline code of the standard library compiled here for one machine could be linked
// into programs that run on another.
#pragma once

namespace heed::dsp::kernels {

// Lanes of the paper's 15 bands: loops over so many have constant strides, which are a sixth quicker. Any other
// multiple of 8 will do.
constexpr long usual_lanes = 16;
// Per band: the pole's size r, and (2 + sqrt 3 + 1) r, (2 - sqrt 3 + 1) r.
constexpr long gammatone_coefficients = 3;
// Per band: four stages and the last output, each a cosine and a sine part.
constexpr long gammatone_states = 10;

struct GammatoneRun {
  const float* audio = nullptr;
  long samples = 0;
  long bands = 0;                        // a multiple of 8; what is too many is computed and never looked at
  const double* coefficients = nullptr;  // [gammatone_coefficients][bands]
  const double* carrier = nullptr;       // samples x 2 x bands: cosine and sine
  double* state = nullptr;               // [gammatone_states][bands]
  double* out = nullptr;                 // samples x bands
};

struct KernelSet {
  const char* name;  // of the instruction set
  void (*gammatone)(const GammatoneRun& run) noexcept;
  // |x|^0.6 in place; count is a multiple of 8.
  void (*compress)(double* values, long count) noexcept;
  double (*dot)(const double* a, const double* b, long count) noexcept;
  // out[c] = sum over r of taps[r] rows[r * columns + c]; columns is a multiple of 8.
  void (*weigh_rows)(const double* taps, const double* rows, long count, long columns, double* out) noexcept;
};

extern const KernelSet portable_kernels;
#ifdef HEED_X86_KERNELS
extern const KernelSet avx2_kernels;
extern const KernelSet avx512_kernels;
#endif

// The sets this machine runs, best first; null where there are fewer.
struct SupportedKernels {
  const KernelSet* sets[3];
};
[[nodiscard]] SupportedKernels supported_kernels() noexcept;
[[nodiscard]] const KernelSet& best_kernels() noexcept;

}  // namespace heed::dsp::kernels
