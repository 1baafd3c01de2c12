// SPDX-License-Identifier: MIT
#include "unit/core/exponential_lanes.h"

#include <core/exponential.h>

#include <cstddef>

namespace heed::test {

void HEED_LANES(std::span<const float> x, std::span<float> result) {
  for (std::size_t k = 0; k < x.size(); ++k) result[k] = core::exponential(x[k]);
}

void HEED_LANES(std::span<const double> x, std::span<double> result) {
  for (std::size_t k = 0; k < x.size(); ++k) result[k] = core::exponential(x[k]);
}

}  // namespace heed::test
