// SPDX-License-Identifier: MIT
#include <core/exponential.h>
#include <heed/core/elementary.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace heed::core {
namespace {

// sum of s^(2n + 1) / (2n + 1): atanh for |s| <= tan(pi/8)^2 = 0.1716, where each term is below 0.03 of the one before.
constexpr double series_reach = 0.1716;
template <std::floating_point Real>
constexpr std::size_t series_terms = std::same_as<Real, float> ? 6 : 12;

template <std::floating_point Real>
Real series(Real s) noexcept {
  const Real square = s * s;
  Real sum = 0;
  for (std::size_t n = series_terms<Real>; n-- > 1;) sum = (sum + (Real{1} / static_cast<Real>((2 * n) + 1))) * square;
  return s + (s * sum);
}

// x = 2^k m with m from sqrt(1/2) to sqrt(2); ln x = k ln 2 + 2 atanh((m - 1) / (m + 1)).
template <std::floating_point Real>
Real logarithm(Real x) noexcept {
  using Constants = ExponentialConstants<Real>;
  using Bits = typename Constants::Bits;
  if (!(x > 0)) return x == 0 ? -std::numeric_limits<Real>::infinity() : std::numeric_limits<Real>::quiet_NaN();
  if (x > std::numeric_limits<Real>::max()) return x;
  constexpr Real lift = static_cast<Real>(Bits{1} << Constants::mantissa_bits);
  const bool subnormal = x < std::numeric_limits<Real>::min();
  const Bits bits = std::bit_cast<Bits>(subnormal ? x * lift : x);
  // Counted from sqrt(1/2), so that the exponent of what remains says how often 2 goes into x.
  const Bits root = std::bit_cast<Bits>(static_cast<Real>(0.70710678118654752440));
  const Bits above = bits - root;  // x may lie below the root: the difference wraps, and its sign is its first bit
  using Signed = std::make_signed_t<Bits>;
  const auto exponent = static_cast<int>(static_cast<Signed>(above) >> Constants::mantissa_bits);
  const Real m =
      std::bit_cast<Real>(bits - (static_cast<Bits>(static_cast<Signed>(exponent)) << Constants::mantissa_bits));
  const Real k = static_cast<Real>(exponent - (subnormal ? Constants::mantissa_bits : 0));
  return (k * Constants::ln2_high) + ((2 * series((m - 1) / (m + 1))) + (k * Constants::ln2_low));
}

template <std::floating_point Real>
Real inverse_tangent(Real x) noexcept {
  const Real size = x < 0 ? -x : x;
  if (size <= static_cast<Real>(series_reach)) return series(x);
  const Real found = logarithm<Real>((1 + size) / (1 - size)) / 2;
  return x < 0 ? -found : found;
}

// tanh x = -y / (2 + y) with y = e^(-2x) - 1, which a series gives where the exponential would cancel.
template <std::floating_point Real>
Real tangent(Real x) noexcept {
  const Real size = x < 0 ? -x : x;
  if (!(size >= 0)) return x;  // NaN
  Real y = 0;
  if (size <= static_cast<Real>(series_reach)) {
    constexpr auto coefficients = inverse_factorials<Real>();
    const Real power = -2 * size;
    for (std::size_t n = coefficients.size(); n-- > 1;) y = (y + coefficients[n]) * power;
  } else {
    y = exponential<Real>(-2 * size) - 1;
  }
  const Real found = -y / (2 + y);
  return x < 0 ? -found : found;
}

template <std::floating_point Real>
Real ten_to(Real x) noexcept {
  constexpr Real ln10 = static_cast<Real>(2.302585092994045684);
  if (!(x == x)) return x;  // NOLINT(misc-redundant-expression): NaN
  return x <= 0 ? exponential<Real>(x * ln10) : 1 / exponential<Real>(-x * ln10);
}

}  // namespace

float natural_logarithm(float x) noexcept { return logarithm(x); }
double natural_logarithm(double x) noexcept { return logarithm(x); }
float inverse_hyperbolic_tangent(float x) noexcept { return inverse_tangent(x); }
double inverse_hyperbolic_tangent(double x) noexcept { return inverse_tangent(x); }
float hyperbolic_tangent(float x) noexcept { return tangent(x); }
double hyperbolic_tangent(double x) noexcept { return tangent(x); }
float power_of_ten(float x) noexcept { return ten_to(x); }
double power_of_ten(double x) noexcept { return ten_to(x); }
float square_root(float x) noexcept { return std::sqrt(x); }  // one instruction: core is compiled without errno
double square_root(double x) noexcept { return std::sqrt(x); }

}  // namespace heed::core
