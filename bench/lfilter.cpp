// SPDX-License-Identifier: MIT
#include "lfilter.h"

#include <cmath>
#include <cstddef>

namespace heed::bench {

void lfilter(const TransferFunction& filter, std::span<const double> in, std::span<double> out) {
  std::array<double, 9> delays{};  // the last stays 0
  for (std::size_t n = 0; n < in.size(); ++n) {
    const double x = in[n];
    const double y = delays[0] + filter.b[0] * x;
    for (std::size_t k = 1; k < 9; ++k) {
      const double next = k < 8 ? delays[k] : 0;
      delays[k - 1] = next + filter.b[k] * x - filter.a[k] * y;
    }
    out[n] = y;
  }
}

void add_powers(std::span<const double> x, std::span<double> sum) {
  for (std::size_t n = 0; n < x.size(); ++n) sum[n] += std::pow(std::abs(x[n]), 0.6);
}

void sosfilt(std::span<const SecondOrder> cascade, std::span<double> signal) {
  std::array<std::array<double, 2>, 16> delays{};
  for (double& sample : signal) {
    double x = sample;
    for (std::size_t s = 0; s < cascade.size(); ++s) {
      const SecondOrder& c = cascade[s];
      const double y = c.b0 * x + delays[s][0];
      delays[s][0] = c.b1 * x - c.a1 * y + delays[s][1];
      delays[s][1] = c.b2 * x - c.a2 * y;
      x = y;
    }
    sample = x;
  }
}

}  // namespace heed::bench
