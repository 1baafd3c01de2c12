// SPDX-License-Identifier: MIT
#include "decode/filter_rows.h"

#include <data/instruction_sets.h>

#include <algorithm>

namespace heed::decode {
namespace {

constexpr Index lanes = 8;
constexpr Index rows_at_once = 4;

// Eight sums, each over every eighth number, then added in pairs: the same order for every row, however many rows are
// taken at once.
template <Index Rows>
[[gnu::always_inline]] inline void dot_products(const double* weights, const double* signal, Index length, Index stride,
                                                double* results) {
  double sums[Rows][lanes] = {};
  const Index whole = length - length % lanes;
  for (Index i = 0; i < whole; i += lanes) {
    for (Index r = 0; r < Rows; ++r) {
      for (Index k = 0; k < lanes; ++k) sums[r][k] += weights[i + k] * signal[r * stride + i + k];
    }
  }
  for (Index r = 0; r < Rows; ++r) {
    for (Index k = 0; k < length - whole; ++k) sums[r][k] += weights[whole + k] * signal[r * stride + whole + k];
    const double* s = sums[r];
    results[r] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }
}

}  // namespace

HEED_EVERY_MACHINE
void filter_rows(const LaggedRows& run, const double* weights, Index outputs, double* target) {
  double results[rows_at_once];
  for (Index t = 0; t < run.rows; t += rows_at_once) {
    const Index now = std::min(rows_at_once, run.rows - t);
    for (Index p = 0; p < outputs; ++p) {
      const double* w = weights + p * run.length;
      const double* x = run.signal + t * run.stride;
      if (now == rows_at_once) {
        dot_products<rows_at_once>(w, x, run.length, run.stride, results);
      } else {
        for (Index r = 0; r < now; ++r) dot_products<1>(w, x + r * run.stride, run.length, run.stride, results + r);
      }
      for (Index r = 0; r < now; ++r) target[(t + r) * outputs + p] = results[r];
    }
  }
}

}  // namespace heed::decode
