// SPDX-License-Identifier: MIT
// Filters over lags and channels, applied to rows that lie one after the other in memory: the one order of sums that
// every reconstruction has.
#pragma once

#include <heed/data/matrix.h>

namespace heed::decode {

// Rows in time overlap in memory, so the samples of all lags of a row are one run of numbers.
struct LaggedRows {
  const double* signal = nullptr;
  Index rows = 0;
  Index length = 0;  // lags x channels
  Index stride = 0;  // channels
};

// weights: [output] length; target: rows x outputs.
void filter_rows(const LaggedRows& run, const double* weights, Index outputs, double* target);

}  // namespace heed::decode
