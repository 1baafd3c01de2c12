// SPDX-License-Identifier: MIT
#include <report/plots/swarm.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heed::report {
namespace {

// 0, then ever farther on both sides, within the room.
std::vector<double> candidates(const SwarmRoom& room) {
  const double step = room.diameter / 4;
  std::vector<double> result{0};
  for (int k = 1; k * step <= room.half + 1e-9; ++k) {
    result.push_back(k * step);
    result.push_back(-k * step);
  }
  return result;
}

}  // namespace

Swarm swarm_of(std::span<const double> places, const SwarmRoom& room) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return places[k]; });
  const std::vector<double> choices = candidates(room);
  Swarm swarm{.offsets = std::vector<double>(places.size(), 0)};
  std::vector<double>& offsets = swarm.offsets;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto clearance = [&](double offset) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t m = n; m-- > 0;) {
        const double along = places[order[n]] - places[order[m]];
        if (along >= room.diameter) break;
        nearest = std::min(nearest, std::hypot(along, offset - offsets[order[m]]));
      }
      return nearest;
    };
    double best = -1;
    for (const double offset : choices) {
      const double clear = clearance(offset);
      if (clear <= best) continue;
      best = clear;
      offsets[order[n]] = offset;
      if (clear >= room.diameter) break;
    }
    swarm.clear = swarm.clear && best >= room.diameter;
  }
  return swarm;
}

}  // namespace heed::report
