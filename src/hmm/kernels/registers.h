// SPDX-License-Identifier: MIT
// Registers of several doubles, by the compiler's vector extension: the same source for every
// instruction set. Included once by each kernel file, inside its own unnamed namespace: nothing here
// may be shared between files compiled for different machines.

constexpr long lanes = HEED_LANES;
typedef double Lane __attribute__((vector_size(HEED_LANES * 8)));                   // NOLINT(modernize-use-using)
typedef long long LaneBits __attribute__((vector_size(HEED_LANES * 8)));            // NOLINT(modernize-use-using)
typedef unsigned long long LaneWords __attribute__((vector_size(HEED_LANES * 8)));  // NOLINT(modernize-use-using)

constexpr double infinity = __builtin_inf();

inline Lane splat(double value) { return Lane{} + value; }

inline Lane load(const double* from) {
  Lane result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}

// Every stride-th number.
inline Lane gather(const double* from, long stride) {
#if HEED_LANES == 8
  return Lane{from[0],          from[stride],     from[2 * stride], from[3 * stride],
              from[4 * stride], from[5 * stride], from[6 * stride], from[7 * stride]};
#elif HEED_LANES == 4
  return Lane{from[0], from[stride], from[2 * stride], from[3 * stride]};
#else
  return Lane{from[0], from[stride]};
#endif
}

inline void store(double* to, Lane value) { __builtin_memcpy(to, &value, sizeof value); }

// To an address that is a multiple of the register's size, past the cache.
inline void stream(double* to, Lane value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, reinterpret_cast<Lane*>(to));
#elif defined(__x86_64__) && HEED_LANES == 8
  __builtin_ia32_movntpd512(to, value);
#elif defined(__x86_64__) && HEED_LANES == 4
  __builtin_ia32_movntpd256(to, value);
#elif defined(__x86_64__)
  __builtin_ia32_movntpd(to, value);
#else
  store(to, value);
#endif
}

// Other threads see streamed numbers after this.
inline void finish_streams() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

inline double sum(Lane value) {
#if HEED_LANES == 8
  typedef double Half __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)
  const Half half =
      __builtin_shufflevector(value, value, 0, 1, 2, 3) + __builtin_shufflevector(value, value, 4, 5, 6, 7);
#elif HEED_LANES == 4
  const Lane half = value;
#endif
#if HEED_LANES >= 4
  typedef double Quarter __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)
  const Quarter quarter = __builtin_shufflevector(half, half, 0, 1) + __builtin_shufflevector(half, half, 2, 3);
#else
  const Lane quarter = value;
#endif
  return quarter[0] + quarter[1];
}

inline Lane larger(Lane a, Lane b) { return a > b ? a : b; }

inline double largest(Lane value) {
#if HEED_LANES == 8
  typedef double Half __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)
  const Half low = __builtin_shufflevector(value, value, 0, 1, 2, 3);
  const Half high = __builtin_shufflevector(value, value, 4, 5, 6, 7);
  const Half half = low > high ? low : high;
#elif HEED_LANES == 4
  const Lane half = value;
#endif
#if HEED_LANES >= 4
  typedef double Quarter __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)
  const Quarter first = __builtin_shufflevector(half, half, 0, 1);
  const Quarter second = __builtin_shufflevector(half, half, 2, 3);
  const Quarter quarter = first > second ? first : second;
#else
  const Lane quarter = value;
#endif
  return quarter[0] > quarter[1] ? quarter[0] : quarter[1];
}

// Columns of pairs: (a0 b0 a1 b1 ...) <-> (a0 a1 ...), (b0 b1 ...).
#if HEED_LANES == 8
inline Lane evens(Lane x, Lane y) { return __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14); }
inline Lane odds(Lane x, Lane y) { return __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15); }
inline Lane zip_low(Lane a, Lane b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
inline Lane zip_high(Lane a, Lane b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
#elif HEED_LANES == 4
inline Lane evens(Lane x, Lane y) { return __builtin_shufflevector(x, y, 0, 2, 4, 6); }
inline Lane odds(Lane x, Lane y) { return __builtin_shufflevector(x, y, 1, 3, 5, 7); }
inline Lane zip_low(Lane a, Lane b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
inline Lane zip_high(Lane a, Lane b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
#else
inline Lane evens(Lane x, Lane y) { return __builtin_shufflevector(x, y, 0, 2); }
inline Lane odds(Lane x, Lane y) { return __builtin_shufflevector(x, y, 1, 3); }
inline Lane zip_low(Lane a, Lane b) { return __builtin_shufflevector(a, b, 0, 2); }
inline Lane zip_high(Lane a, Lane b) { return __builtin_shufflevector(a, b, 1, 3); }
#endif

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
constexpr long long sign_bit = -0x7fffffffffffffff - 1;

// 2^-k and k, for a size in [2^k, 2^(k+1)).
struct PowerOfTwo {
  Lane inverse;
  LaneBits exponent;
};

inline PowerOfTwo power_below(Lane size) {
  const LaneBits exponent = (bits_of(size) >> 52) & 0x7ff;
  return {from_bits((2046 - exponent) << 52), exponent - 1023};
}
