// SPDX-License-Identifier: MIT
// Rivals of filters: one of order 8 in direct form II transposed, as scipy's lfilter runs it, and a cascade of
// second-order sections, as its sosfilt does.
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

struct SecondOrder {
  double b0 = 1;
  double b1 = 0;
  double b2 = 0;
  double a1 = 0;
  double a2 = 0;
};

// In place, from rest.
void sosfilt(std::span<const SecondOrder> cascade, std::span<double> signal);

}  // namespace heed::bench
