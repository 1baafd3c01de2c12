// SPDX-License-Identifier: MIT
// Re-referencing: what is subtracted from every channel at each sample - nothing, the mean of all, or the mean of some.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/preprocessing.h>

#include <span>
#include <string>
#include <vector>

namespace heed::dsp {

class Rereference {
 public:
  // Names are compared without regard to case. Throws not_found with the missing name and those there are,
  // invalid_argument where no channel is named, bad_data where there is no channel at all or `average` has only one.
  Rereference(const Reference& reference, std::span<const std::string> channels);

  // In place, samples x channels. Precondition: as many columns as there were names.
  void apply(MutableMatrixView signal) const noexcept;

 private:
  std::vector<Index> reference_;  // columns; empty: nothing is subtracted
};

}  // namespace heed::dsp
