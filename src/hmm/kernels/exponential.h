// SPDX-License-Identifier: MIT
// core's exponential, in the lanes of a register: see core/exponential.h, whose constants these are. Included inside
// a file's unnamed namespace, where Lane and LaneWords are registers of doubles and of as many words of 64 bits.

struct InverseFactorials {
  double of[core::ExponentialConstants<double>::degree + 1];  // NOLINT(modernize-avoid-c-arrays): as in every kernel
};

constexpr InverseFactorials inverse_factorials() {
  InverseFactorials result{};
  double factorial = 1;
  for (unsigned long n = 0; n <= core::ExponentialConstants<double>::degree; ++n) {
    if (n > 0) factorial *= static_cast<double>(n);
    result.of[n] = 1 / factorial;
  }
  return result;
}

// Of numbers that are known to be at least core's lowest.
[[gnu::always_inline]] inline Lane exponential_of_normal(Lane x) {
  using Constants = core::ExponentialConstants<double>;
  constexpr InverseFactorials coefficients = inverse_factorials();
  const Lane shifted = x * 1.4426950408889634074 + Constants::round;
  const Lane k = shifted - Constants::round;
  const Lane r = (x - k * Constants::ln2_high) - k * Constants::ln2_low;
  Lane power = Lane{} + coefficients.of[Constants::degree];
  for (unsigned long n = Constants::degree; n-- > 0;) power = power * r + coefficients.of[n];
  LaneWords bits;
  LaneWords exponent;
  __builtin_memcpy(&bits, &power, sizeof bits);
  __builtin_memcpy(&exponent, &shifted, sizeof exponent);
  bits += exponent << Constants::mantissa_bits;  // wraps around for a negative exponent, as it should
  __builtin_memcpy(&power, &bits, sizeof power);
  return power;
}

[[gnu::always_inline]] inline Lane exponential(Lane x) {
  const Lane lowest = Lane{} + core::ExponentialConstants<double>::lowest;
  const Lane power = exponential_of_normal(x < lowest ? lowest : x);
  return x < lowest ? Lane{} : power;
}
