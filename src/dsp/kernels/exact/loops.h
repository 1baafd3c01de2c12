// SPDX-License-Identifier: MIT
// Loops whose bits are the same on every machine: compiled for each instruction set, as kernel_set.h is, but without
// fusing products and sums, and with sums in an order that does not depend on the width of a register.
#include "dsp/kernels/kernels.h"

namespace heed::dsp::kernels {
namespace {

#include "dsp/kernels/registers.h"

// A sum over a row has eight parts, each of every eighth number; in the end they are added in pairs.
constexpr long parts = 8;
constexpr long registers = parts / lanes;

// Sums of so many rows and outputs stay in the registers there are, so that the signal is loaded once for all outputs.
constexpr long rows_at_once = lanes == 8 ? 4 : lanes == 4 ? 2 : 1;
constexpr long outputs_at_once = lanes == 8 ? 5 : 3;

inline double total(const Lane* sums) {
  double s[parts];
  for (long k = 0; k < registers; ++k) store(s + k * lanes, sums[k]);
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

template <long Rows, long Outputs>
struct Tile {
  Lane sums[Rows][Outputs][registers] = {};

  // Eight numbers of each row and of each filter.
  void add(const double* rows, long row_stride, const double* weights, long weight_stride) {
    for (long k = 0; k < registers; ++k) {
      Lane x[Rows];
      for (long r = 0; r < Rows; ++r) x[r] = load(rows + r * row_stride + k * lanes);
      for (long p = 0; p < Outputs; ++p) {
        const Lane w = load(weights + p * weight_stride + k * lanes);
        for (long r = 0; r < Rows; ++r) sums[r][p][k] += w * x[r];
      }
    }
  }
};

template <long Rows>
inline void pad(const double* from, long stride, long count, double (&to)[Rows][parts]) {
  for (long r = 0; r < Rows; ++r) {
    for (long k = 0; k < parts; ++k) to[r][k] = k < count ? from[r * stride + k] : 0;
  }
}

template <long Rows, long Outputs>
inline void filter_tile(const LaggedRun& run, long row, long output) {
  const double* const signal = run.signal + row * run.stride;
  const double* const weights = run.weights + output * run.length;
  Tile<Rows, Outputs> tile;
  const long whole = run.length / parts * parts;
  for (long i = 0; i < whole; i += parts) tile.add(signal + i, run.stride, weights + i, run.length);
  if (whole < run.length) {
    double x[Rows][parts];
    double w[Outputs][parts];
    pad(signal + whole, run.stride, run.length - whole, x);
    pad(weights + whole, run.length, run.length - whole, w);
    tile.add(x[0], parts, w[0], parts);
  }
  for (long r = 0; r < Rows; ++r) {
    for (long p = 0; p < Outputs; ++p) run.out[(row + r) * run.outputs + output + p] = total(tile.sums[r][p]);
  }
}

template <long Rows>
inline void filter_rows(const LaggedRun& run, long row) {
  long output = 0;
  for (; output + outputs_at_once <= run.outputs; output += outputs_at_once) {
    filter_tile<Rows, outputs_at_once>(run, row, output);
  }
  for (; output < run.outputs; ++output) filter_tile<Rows, 1>(run, row, output);
}

// One section over so many registers of channels: a recursion waits for its last sample, several fill the gaps.
template <long Registers>
inline void filter_section(const SectionRun& run, long first_row, long rows, const Section& c, double* delays,
                           long channel) {
  double* const first = delays + channel;
  double* const second = first + run.channels;
  Lane s1[Registers];
  Lane s2[Registers];
  for (long k = 0; k < Registers; ++k) {
    s1[k] = load(first + k * lanes);
    s2[k] = load(second + k * lanes);
  }
  double* row = run.signal + first_row * run.stride + channel;
  for (long t = 0; t < rows; ++t, row += run.stride) {
    for (long k = 0; k < Registers; ++k) {
      const Lane in = load(row + k * lanes);
      const Lane out = c.b0 * in + s1[k];
      s1[k] = c.b1 * in - c.a1 * out + s2[k];
      s2[k] = c.b2 * in - c.a2 * out;
      store(row + k * lanes, out);
    }
  }
  for (long k = 0; k < Registers; ++k) {
    store(first + k * lanes, s1[k]);
    store(second + k * lanes, s2[k]);
  }
}

// Channels that fill no register, row by row: then it is the sections that fill each other's gaps.
inline void filter_rest(const SectionRun& run, long channel) {
  for (long t = 0; t < run.rows; ++t) {
    double* const row = run.signal + t * run.stride;
    double* first = run.delays;
    for (long s = 0; s < run.count; ++s) {
      const Section& c = run.sections[s];
      double* const second = first + run.channels;
      for (long k = channel; k < run.channels; ++k) {
        const double in = row[k];
        const double out = c.b0 * in + first[k];
        first[k] = c.b1 * in - c.a1 * out + second[k];
        second[k] = c.b2 * in - c.a2 * out;
        row[k] = out;
      }
      first = second + run.channels;
    }
  }
}

}  // namespace

namespace HEED_EXACT {

void filter_lagged(const LaggedRun& run) noexcept {
  long row = 0;
  for (; row + rows_at_once <= run.rows; row += rows_at_once) filter_rows<rows_at_once>(run, row);
  for (; row < run.rows; ++row) filter_rows<1>(run, row);
}

// Section by section over rows that stay in the nearest cache.
void filter_sections(const SectionRun& run) noexcept {
  constexpr long rows_of_a_piece = 32;
  constexpr long together = 4;
  const long whole = run.channels / lanes * lanes;
  for (long first = 0; first < run.rows; first += rows_of_a_piece) {
    const long rows = run.rows - first < rows_of_a_piece ? run.rows - first : rows_of_a_piece;
    for (long s = 0; s < run.count; ++s) {
      const Section& c = run.sections[s];
      double* delays = run.delays + s * 2 * run.channels;
      long channel = 0;
      for (; channel + together * lanes <= whole; channel += together * lanes) {
        filter_section<together>(run, first, rows, c, delays, channel);
      }
      for (; channel < whole; channel += lanes) filter_section<1>(run, first, rows, c, delays, channel);
    }
  }
  if (whole < run.channels) filter_rest(run, whole);
}

}  // namespace HEED_EXACT
}  // namespace heed::dsp::kernels
