// SPDX-License-Identifier: MIT
// Makes one KernelSet, for the instruction set this file is compiled for. The includer defines HEED_LANES (doubles in a
// register), HEED_KERNEL_SET (the set's variable) and HEED_KERNEL_NAME. All code is in an unnamed namespace: no machine
// code leaves the file under a name others could link.
#include "dsp/kernels/kernels.h"

namespace heed::dsp::kernels {
namespace {

constexpr long lanes = HEED_LANES;
typedef double Lane __attribute__((vector_size(HEED_LANES * 8)));                  // NOLINT(modernize-use-using)
typedef unsigned long long LaneBits __attribute__((vector_size(HEED_LANES * 8)));  // NOLINT(modernize-use-using)

inline Lane load(const double* from) {
  Lane result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}

inline void store(double* to, Lane value) { __builtin_memcpy(to, &value, sizeof value); }

inline LaneBits bits_of(Lane x) {
  LaneBits bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline Lane from_bits(LaneBits bits) {
  Lane x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// A register's worth of bands, the whole run. With the pole c, stage k holds sum over m of C(m+k-1, k-1) c^m x[n-m],
// and m^3 = 6 C(m+3, 3) - 12 C(m+2, 2) + 7 C(m+1, 1) - 1: the weights of the stages, times the band's gain, come with
// the run.
inline void gammatone_group(const GammatoneRun& run, long group) {
  const double* coefficients = run.coefficients + group;
  const Lane c = load(coefficients);
  const Lane d = load(coefficients + bands);
  const Lane w1 = load(coefficients + 2 * bands);
  const Lane w2 = load(coefficients + 3 * bands);
  const Lane w3 = load(coefficients + 4 * bands);
  const Lane w4 = load(coefficients + 5 * bands);
  Lane re[4];
  Lane im[4];
  for (long k = 0; k < 4; ++k) {
    re[k] = load(run.state + group + 2 * k * bands);
    im[k] = load(run.state + group + (2 * k + 1) * bands);
  }
  for (long n = 0; n < run.samples; ++n) {
    Lane real = Lane{} + static_cast<double>(run.audio[n]);
    Lane imaginary = Lane{};
    for (long k = 0; k < 4; ++k) {
      real = (real + c * re[k]) - d * im[k];
      imaginary = (imaginary + c * im[k]) + d * re[k];
      re[k] = real;
      im[k] = imaginary;
    }
    store(run.out + n * bands + group, ((w1 * re[0] + w2 * re[1]) + w3 * re[2]) + w4 * re[3]);
  }
  for (long k = 0; k < 4; ++k) {
    store(run.state + group + 2 * k * bands, re[k]);
    store(run.state + group + (2 * k + 1) * bands, im[k]);
  }
}

void gammatone(const GammatoneRun& run) noexcept {
  for (long group = 0; group < bands; group += lanes) gammatone_group(run, group);
}

// x = m 2^e with m in [1, 2): m^0.6 by a polynomial about 1.5 (relative error 1.2e-11), 2^(0.6 e) = 2^k 2^f with f one
// of -0.4, -0.2, 0, 0.2, 0.4, where another polynomial is exact.
inline Lane power_of(Lane x) {
  constexpr double of_mantissa[] = {1.2754245006339049799,     0.51016980024554879992,     -0.068022642367422275132,
                                    0.021162600492853585925,   -0.0084649314077861168725,  0.0038374210513233578875,
                                    -0.0018779270828552777517, 0.0009659242946798305634,   -0.00050086566626605799728,
                                    0.00027401422912187040788, -0.00020423454119124887272, 0.00011713076081168987659};
  constexpr double of_fraction[] = {1.0, 0.69313862753732988462, 0.24022551944005524418, 0.055771292873682113288,
                                    0.0096489806108520002095};
  constexpr double round = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves a whole number in the low bits
  constexpr unsigned long long of_two52 = 0x4330000000000000;  // the exponent of 2^52
  constexpr unsigned long long of_one = 0x3ff0000000000000;
  const LaneBits bits = bits_of(x) & 0x7fffffffffffffffULL;
  const Lane u = from_bits((bits & 0x000fffffffffffffULL) | of_one) - 1.5;
  const Lane exponent = from_bits((bits >> 52) | of_two52) - (4503599627370496.0 + 1023.0);
  Lane power = Lane{} + of_mantissa[11];
  for (int n = 10; n >= 0; --n) power = power * u + of_mantissa[n];
  const Lane scaled = exponent * 0.6;
  const Lane rounded = scaled + round;
  const Lane f = scaled - (rounded - round);
  Lane fraction = Lane{} + of_fraction[4];
  for (int n = 3; n >= 0; --n) fraction = fraction * f + of_fraction[n];
  const Lane result = from_bits(bits_of(power * fraction) + (bits_of(rounded) << 52));  // wraps around for k < 0
  return from_bits(bits) < 1e-300 ? Lane{} : result;
}

void compress(double* values, long count) noexcept {
  for (long i = 0; i < count; i += lanes) store(values + i, power_of(load(values + i)));
}

double dot(const double* a, const double* b, long count) noexcept {
  Lane sums[4] = {};
  long i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    for (long k = 0; k < 4; ++k) sums[k] += load(a + i + k * lanes) * load(b + i + k * lanes);
  }
  double rest = 0;
  for (; i < count; ++i) rest += a[i] * b[i];
  const Lane total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (long k = 0; k < lanes; ++k) rest += total[k];
  return rest;
}

template <long Registers>
inline void weigh_columns(const double* taps, const double* rows, long count, long columns, double* out) {
  Lane sums[Registers] = {};
  for (long r = 0; r < count; ++r) {
    for (long k = 0; k < Registers; ++k) sums[k] += taps[r] * load(rows + r * columns + k * lanes);
  }
  for (long k = 0; k < Registers; ++k) store(out + k * lanes, sums[k]);
}

void weigh_rows(const double* taps, const double* rows, long count, long columns, double* out) noexcept {
  long column = 0;
  for (; column + 8 * lanes <= columns; column += 8 * lanes) {
    weigh_columns<8>(taps, rows + column, count, columns, out + column);
  }
  for (; column < columns; column += lanes) weigh_columns<1>(taps, rows + column, count, columns, out + column);
}

}  // namespace

extern const KernelSet HEED_KERNEL_SET;
const KernelSet HEED_KERNEL_SET{HEED_KERNEL_NAME, gammatone, compress, dot, weigh_rows};

}  // namespace heed::dsp::kernels
