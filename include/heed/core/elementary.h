// SPDX-License-Identifier: MIT
// The few functions of mathematics that emission and gains need, of heed's own: a device links no mathematical library,
// and they give the same bits on every machine. Errors are below 4 ulp, or below 4 units of the last digit of the
// largest term where that is more. None branches on a table, allocates, or sets errno.
#pragma once

namespace heed::core {

// ln x; -infinity for 0, NaN below it, infinity for infinity.
float natural_logarithm(float x) noexcept;
double natural_logarithm(double x) noexcept;

// atanh x for |x| < 1; infinite at +-1, NaN beyond.
float inverse_hyperbolic_tangent(float x) noexcept;
double inverse_hyperbolic_tangent(double x) noexcept;

float hyperbolic_tangent(float x) noexcept;
double hyperbolic_tangent(double x) noexcept;

// 10^x; 0 or infinite beyond what a number of this kind holds.
float power_of_ten(float x) noexcept;
double power_of_ten(double x) noexcept;

// NaN below 0.
float square_root(float x) noexcept;
double square_root(double x) noexcept;

}  // namespace heed::core
