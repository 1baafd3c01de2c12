// SPDX-License-Identifier: MIT
// The loops that take the time, one set per instruction set, chosen when the program runs. Each result is made by the
// same operations in the same order wherever in an array it lies, so chunks of any size give the same bits on one
// machine (decision record 11). Plain pointers on purpose: inline code of the standard library compiled here for one
// machine could be linked into programs that run on another.
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

// Filters over lags and channels. Rows in time overlap in memory: what a row sees at all lags is one run of numbers.
struct LaggedRun {
  const double* signal = nullptr;
  long rows = 0;
  long length = 0;                  // lags x channels
  long stride = 0;                  // channels
  const double* weights = nullptr;  // outputs x length
  long outputs = 0;
  double* out = nullptr;  // rows x outputs
};

// (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2)
struct Section {
  double b0 = 1;
  double b1 = 0;
  double b2 = 0;
  double a1 = 0;
  double a2 = 0;
};

// A cascade of them, in place.
struct SectionRun {
  double* signal = nullptr;
  long rows = 0;
  long channels = 0;
  long stride = 0;  // below zero: backwards in time
  const Section* sections = nullptr;
  long count = 0;            // of sections
  double* delays = nullptr;  // count x 2 x channels
};

struct KernelSet {
  const char* name;  // of the instruction set
  void (*gammatone)(const GammatoneRun& run) noexcept;
  // |x|^0.6 in place; count is a multiple of 8.
  void (*compress)(double* values, long count) noexcept;
  double (*dot)(const double* a, const double* b, long count) noexcept;
  // out[c] = sum over r of taps[r] rows[r * columns + c]; columns is a multiple of 8.
  void (*weigh_rows)(const double* taps, const double* rows, long count, long columns, double* out) noexcept;
  // The two that are exact: products and sums are rounded one by one, in an order that no machine changes.
  void (*filter_lagged)(const LaggedRun& run) noexcept;
  void (*filter_sections)(const SectionRun& run) noexcept;
};

extern const KernelSet portable_kernels;
#ifdef HEED_X86_KERNELS
extern const KernelSet avx2_kernels;
extern const KernelSet avx512_kernels;
#endif

// The sets this machine runs, best first; null where there are fewer.
struct SupportedKernels {
  const KernelSet* sets[3];  // NOLINT(modernize-avoid-c-arrays): nothing inline of the standard library here
};
[[nodiscard]] SupportedKernels supported_kernels() noexcept;
[[nodiscard]] const KernelSet& best_kernels() noexcept;

}  // namespace heed::dsp::kernels
