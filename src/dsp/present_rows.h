// SPDX-License-Identifier: MIT
// The rows of a signal that are not missing.
#pragma once

#include <heed/data/error.h>
#include <heed/data/matrix.h>
#include <heed/data/trial.h>

#include <algorithm>
#include <span>

namespace heed::dsp {

// visit(row) for each, a column vector over the channels. Returns how many there were; throws bad_data for none.
template <typename Visit>
Index for_each_present_row(MatrixView signal, std::span<const SampleRange> missing, Visit visit) {
  Index rows = 0;
  const auto visit_until = [&](Index first, Index end) {
    for (Index t = first; t < end; ++t, ++rows) {
      visit(Eigen::Map<const Eigen::VectorXd>(signal.data + (t * signal.stride), signal.columns));
    }
  };
  Index next = 0;
  for (const SampleRange& range : missing) {
    visit_until(next, std::min(range.first, signal.rows));
    next = std::max(next, range.first + range.count);
  }
  visit_until(next, signal.rows);
  if (rows == 0) throw Error(ErrorKind::bad_data, "every sample of the signal is missing: leave this recording out");
  return rows;
}

}  // namespace heed::dsp
