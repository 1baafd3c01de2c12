// SPDX-License-Identifier: MIT
// e^x for x <= 0, written so that it gives the same bits one number at a time and in SIMD lanes:
// no branch, no table, no library call, a fixed order of operations. Relative error below 2 ulp.
// Where e^x would be subnormal the result is exactly 0: a hearing aid must not stall on subnormals.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace heed::core {

template <std::floating_point Real>
struct ExponentialConstants;

// ln 2 is split so that k * ln2_high is exact for every k that occurs (Cody and Waite 1980).
template <>
struct ExponentialConstants<double> {
  using Bits = std::uint64_t;
  static constexpr double lowest = -708;     // e^-708 is the last normal power here
  static constexpr double round = 0x1.8p52;  // adding it rounds to an integer in the low bits
  static constexpr double ln2_high = 0x1.62e42fee00000p-1;
  static constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr int mantissa_bits = 52;
  static constexpr std::size_t degree = 13;
};

template <>
struct ExponentialConstants<float> {
  using Bits = std::uint32_t;
  static constexpr float lowest = -87;
  static constexpr float round = 0x1.8p23F;
  static constexpr float ln2_high = 0x1.62e000p-1F;
  static constexpr float ln2_low = 0x1.0bfbe8p-15F;
  static constexpr int mantissa_bits = 23;
  static constexpr std::size_t degree = 7;
};

// 1/n! for n = 0 ... degree
template <std::floating_point Real>
constexpr auto inverse_factorials() noexcept {
  std::array<Real, ExponentialConstants<Real>::degree + 1> result{};
  double factorial = 1;
  for (std::size_t n = 0; n < result.size(); ++n) {
    if (n > 0) factorial *= static_cast<double>(n);
    result[n] = static_cast<Real>(1 / factorial);
  }
  return result;
}

// x <= 0 or -inf; NaN gives an unspecified number.
template <std::floating_point Real>
[[nodiscard]] constexpr Real exponential(Real x) noexcept {
  using Constants = ExponentialConstants<Real>;
  using Bits = typename Constants::Bits;
  const Real clamped = x < Constants::lowest ? Constants::lowest : x;

  // x = k ln 2 + r with |r| <= ln 2 / 2
  constexpr Real log2_e = static_cast<Real>(1.4426950408889634074);
  const Real shifted = (clamped * log2_e) + Constants::round;
  const Real k = shifted - Constants::round;
  const Real r = (clamped - (k * Constants::ln2_high)) - (k * Constants::ln2_low);

  // Taylor's series by Horner; on this interval the first term left out is below half an ulp.
  constexpr auto coefficients = inverse_factorials<Real>();
  Real power = coefficients.back();
  for (std::size_t n = Constants::degree; n-- > 0;) power = (power * r) + coefficients[n];

  // 2^k from the integer in the low bits of `shifted`
  const Bits exponent = std::bit_cast<Bits>(shifted) << Constants::mantissa_bits;
  const Real scaled = std::bit_cast<Real>(static_cast<Bits>(std::bit_cast<Bits>(power) + exponent));
  return x < Constants::lowest ? Real{0} : scaled;
}

}  // namespace heed::core
