// SPDX-License-Identifier: MIT
// exponential() over an array, compiled at full optimisation for several instruction sets, so that
// the compiler turns the loop into SIMD lanes (exponential_lanes.cpp is compiled once a set).
#pragma once

#include <span>

namespace heed::test {

// result[k] = e^x[k]; as long as x.
void exponential_baseline(std::span<const float> x, std::span<float> result);
void exponential_baseline(std::span<const double> x, std::span<double> result);
void exponential_v3(std::span<const float> x, std::span<float> result);
void exponential_v3(std::span<const double> x, std::span<double> result);
void exponential_v4(std::span<const float> x, std::span<float> result);
void exponential_v4(std::span<const double> x, std::span<double> result);

}  // namespace heed::test
