// SPDX-License-Identifier: MIT
// Registers of HEED_LANES doubles. Read inside an unnamed namespace of a kernel file.

constexpr long lanes = HEED_LANES;
typedef double Lane __attribute__((vector_size(HEED_LANES * 8)));                  // NOLINT(modernize-use-using)
typedef unsigned long long LaneBits __attribute__((vector_size(HEED_LANES * 8)));  // NOLINT(modernize-use-using)

inline Lane load(const double* from) {
  Lane result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}

inline void store(double* to, Lane value) { __builtin_memcpy(to, &value, sizeof value); }

inline LaneBits bits_of(Lane x) {
  LaneBits bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline Lane from_bits(LaneBits bits) {
  Lane x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
