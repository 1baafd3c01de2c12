// SPDX-License-Identifier: MIT
// What simulations draw: which stream of random numbers a thing comes from, so that nothing that is simulated depends
// on what else is, and how long attention stays, in the same way for scores and for recordings.
#pragma once

#include <heed/data/random.h>
#include <heed/data/scored.h>

#include <string>

namespace heed::sim {

enum class StreamKind : std::uint64_t {
  story = 1,
  turns,
  listener,
  attention,
  background,
  gaze,
  blinks,
  bursts,
  dropouts
};

// first and second count from 0 or 1: a story, a trial and a speaker, a participant and a trial.
inline RandomStream random_stream(std::uint64_t seed, StreamKind kind, int first, int second = 0) {
  return RandomStream(seed, (static_cast<std::uint64_t>(kind) << 56U) | (static_cast<std::uint64_t>(first) << 28U) |
                                static_cast<std::uint64_t>(second));
}

// Nearly normal (the sum of four even draws), mean 0, variance 1: cheap enough for millions of samples, and the
// same on every machine. For noise that is filtered and mixed, which makes it normal.
inline float innovation(RandomStream& random) noexcept {
  constexpr std::uint64_t part = 0xffffU;
  const std::uint64_t bits = random.bits();
  const std::uint64_t sum = (bits & part) + ((bits >> 16U) & part) + ((bits >> 32U) & part) + (bits >> 48U);
  constexpr float scale = 1.7320508F / 65536;
  return (static_cast<float>(sum) - 131070.0F) * scale;
}

// Throws invalid_argument with this message.
void require(bool condition, const std::string& message);

// Throws invalid_argument unless both ends are positive, in order and, where they differ, whole seconds.
void check_interval(const SwitchInterval& interval);

Seconds draw_interval(const SwitchInterval& interval, RandomStream& random);

}  // namespace heed::sim
