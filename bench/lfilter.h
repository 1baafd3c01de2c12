// SPDX-License-Identifier: MIT
// The rival of the gammatone bank: a filter of order 8 in direct form II transposed, as scipy's lfilter runs it.
#pragma once

#include <array>
#include <span>

namespace heed::bench {

struct TransferFunction {
  std::array<double, 9> b{};
  std::array<double, 9> a{};  // a[0] is 1
};

void lfilter(const TransferFunction& filter, std::span<const double> in, std::span<double> out);

// sum += |x|^0.6
void add_powers(std::span<const double> x, std::span<double> sum);

}  // namespace heed::bench
