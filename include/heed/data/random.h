// SPDX-License-Identifier: MIT
// A stream of random numbers that does not depend on the compiler: the standard library's
// distributions do. The generator is xoshiro256++ (Blackman and Vigna 2019), seeded by splitmix64.
#pragma once

#include <array>
#include <cstdint>

namespace heed::data {

// Not thread-safe: give each thread or participant its own, from (seed, stream).
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0) noexcept;

  std::uint64_t bits() noexcept;
  double uniform() noexcept;                                                 // in [0, 1)
  double normal() noexcept;                                                  // mean 0, variance 1
  std::int64_t integer(std::int64_t lowest, std::int64_t highest) noexcept;  // uniform, both ends included

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace heed::data

namespace heed {
using data::RandomStream;
}  // namespace heed
