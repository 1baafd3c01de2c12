// SPDX-License-Identifier: MIT
#include <heed/data/random.h>

#include <bit>
#include <cmath>
#include <numbers>

namespace heed::data {
namespace {

std::uint64_t splitmix(std::uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) noexcept {
  std::uint64_t mixed_stream = stream;
  std::uint64_t state = seed ^ splitmix(mixed_stream);
  for (std::uint64_t& word : state_) word = splitmix(state);
}

std::uint64_t RandomStream::bits() noexcept {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() noexcept { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

// Box-Muller; 1 - uniform() keeps zero out of the logarithm.
double RandomStream::normal() noexcept {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

// Draws again above the largest multiple of the range, so that no number is favoured.
std::int64_t RandomStream::integer(std::int64_t lowest, std::int64_t highest) noexcept {
  const std::uint64_t range = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) + 1;
  if (range == 0) return static_cast<std::int64_t>(bits());
  const std::uint64_t rejected = (0 - range) % range;
  std::uint64_t draw = bits();
  while (draw < rejected) draw = bits();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lowest) + (draw % range));
}

}  // namespace heed::data
