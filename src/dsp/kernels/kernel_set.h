// SPDX-License-Identifier: MIT
// Makes one KernelSet, for the instruction set this file is compiled for. CMake (heed_add_kernels) defines HEED_LANES
// (doubles in a register), HEED_KERNEL_SET (the set's variable), HEED_EXACT and HEED_KERNEL_NAME. All code is in an
// unnamed namespace: no machine code leaves the file under a name others could link.
#include "dsp/kernels/kernels.h"

namespace heed::dsp::kernels {

namespace HEED_EXACT {  // exact/loops.h, made for the same instruction set
void filter_lagged(const LaggedRun& run) noexcept;
void filter_sections(const SectionRun& run) noexcept;
}  // namespace HEED_EXACT

namespace {

#include "dsp/kernels/registers.h"

// A register's worth of bands, the whole run. The sum over m of m^3 c^m z^-m is c z^-1 (1 + 4 c z^-1 + c^2 z^-2) /
// (1 - c z^-1)^4. The carrier takes the pole's angle out of the input and puts it back into the output; in between the
// pole is its size r, so cosine and sine part go their ways alone. Two stages carry a zero each, as
// 1 + 4x + x^2 = (1 + (2 + sqrt 3) x) (1 + (2 - sqrt 3) x).
// Fixed: the number of bands where it is known, else 0.
template <long Fixed>
inline void gammatone_group(const GammatoneRun& run, long group) {
  const long bands = Fixed > 0 ? Fixed : run.bands;
  const Lane r = load(run.coefficients + group);
  const Lane third = load(run.coefficients + bands + group);
  const Lane fourth = load(run.coefficients + 2 * bands + group);
  Lane state[gammatone_states];
  for (long k = 0; k < gammatone_states; ++k) state[k] = load(run.state + k * bands + group);
  for (long n = 0; n < run.samples; ++n) {
    const Lane sound = Lane{} + static_cast<double>(run.audio[n]);
    const Lane carrier[2] = {load(run.carrier + 2 * n * bands + group),
                             load(run.carrier + (2 * n + 1) * bands + group)};
    store(run.out + n * bands + group, carrier[0] * state[8] + carrier[1] * state[9]);
    for (long part = 0; part < 2; ++part) {
      Lane* s = state + part;
      s[0] = sound * carrier[part] + r * s[0];
      s[2] = s[0] + r * s[2];
      const Lane zeroed = s[2] + third * s[4];
      s[4] = s[2] + r * s[4];
      s[8] = zeroed + fourth * s[6];
      s[6] = zeroed + r * s[6];
    }
  }
  for (long k = 0; k < gammatone_states; ++k) store(run.state + k * bands + group, state[k]);
}

void gammatone(const GammatoneRun& run) noexcept {
  const auto each = run.bands == usual_lanes ? gammatone_group<usual_lanes> : gammatone_group<0>;
  for (long group = 0; group < run.bands; group += lanes) each(run, group);
}

// 2^(0.6 e - k), where k is the nearest whole number to 0.6 e: one of 2^-0.4, 2^-0.2, 1, 2^0.2, 2^0.4.
#if HEED_LANES == 8 && !defined(__clang__)
// Which of them follows from the last three bits of (e + 1023) + k.
inline Lane fifth_root_part(Lane, Lane, LaneBits biased, LaneBits whole) {
  constexpr Lane parts = {
      0, 0.75785828325519904117, 1.1486983549970350068, 0, 0.87055056329612413914, 1.3195079107728942594, 0, 1};
  return __builtin_shuffle(parts, biased + whole);
}
#else
// By a polynomial that is exact at the five.
inline Lane fifth_root_part(Lane scaled, Lane nearest, LaneBits, LaneBits) {
  constexpr double coefficients[] = {1.0, 0.69313862753732988462, 0.24022551944005524418, 0.055771292873682113288,
                                     0.0096489806108520002095};
  const Lane f = scaled - nearest;
  Lane part = Lane{} + coefficients[4];
  for (int n = 3; n >= 0; --n) part = part * f + coefficients[n];
  return part;
}
#endif

// x = m 2^e with m in [1, 2): m^0.6 by a polynomial about 1.5 (relative error 3.3e-10), times 2^(0.6 e).
inline Lane power_of(Lane x) {
  constexpr double coefficients[] = {1.2754245002580686437,     0.5101698040430547697,     -0.068022566212852239284,
                                     0.021162365151329838497,   -0.0084673894127919344176, 0.0038415967638898487588,
                                     -0.0018502289745654588502, 0.00093526405666449651062, -0.0006280631023275376874,
                                     0.00037326076322975800807};
  constexpr double round = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves a whole number in the low bits
  constexpr unsigned long long of_two52 = 0x4330000000000000;  // the exponent of 2^52
  constexpr unsigned long long of_one = 0x3ff0000000000000;
  const LaneBits bits = bits_of(x) & 0x7fffffffffffffffULL;
  const LaneBits biased = bits >> 52;
  const Lane u = from_bits((bits & 0x000fffffffffffffULL) | of_one) - 1.5;
  Lane power = Lane{} + coefficients[9];
  for (int n = 8; n >= 0; --n) power = power * u + coefficients[n];
  const Lane scaled = (from_bits(biased | of_two52) - (4503599627370496.0 + 1023.0)) * 0.6;
  const Lane rounded = scaled + round;
  const LaneBits whole = bits_of(rounded);
  const Lane part = fifth_root_part(scaled, rounded - round, biased, whole);
  const Lane result = from_bits(bits_of(power * part) + (whole << 52));  // wraps around for a negative whole
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
const KernelSet HEED_KERNEL_SET{
    HEED_KERNEL_NAME, gammatone, compress, dot, weigh_rows, HEED_EXACT::filter_lagged, HEED_EXACT::filter_sections};

}  // namespace heed::dsp::kernels
