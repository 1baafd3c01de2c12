// SPDX-License-Identifier: MIT
// Dots of equal values moved aside, so that each is seen.
#pragma once

#include <span>
#include <vector>

namespace heed::report {

struct SwarmRoom {
  double diameter = 2;  // of a dot
  double half = 5;      // dots move aside by at most so much
};

struct Swarm {
  std::vector<double> offsets{};
  bool clear = true;  // no dot lies on another
};

// How far each dot, at this place along its line, is moved across it: as little as keeps it clear of the others, on
// alternating sides; where there is no room left, to where it hides others the least. Depends on the places alone.
[[nodiscard]] Swarm swarm_of(std::span<const double> places, const SwarmRoom& room);

}  // namespace heed::report
