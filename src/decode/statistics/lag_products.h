// SPDX-License-Identifier: MIT
// Products of channels at every lag, by Fourier transforms of short blocks.
#pragma once

#include <heed/data/matrix.h>

#include <vector>

namespace heed::decode {

// [d] channels x channels, d = 0 ... longest: sum over all t with t + d inside the signal of x(t) x(t+d)'.
[[nodiscard]] std::vector<Matrix> lag_products(MatrixView signal, Index longest);

}  // namespace heed::decode
