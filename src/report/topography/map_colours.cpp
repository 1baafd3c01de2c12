// SPDX-License-Identifier: MIT
#include <report/topography/map_colours.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::report {
namespace {

// Blue over white to red, after the scheme RdBu of Brewer.
constexpr std::array<Colour, 7> anchors{
    {{16, 78, 139}, {67, 147, 195}, {160, 205, 227}, {247, 247, 247}, {246, 178, 147}, {214, 96, 77}, {160, 14, 38}}};

std::uint8_t between(std::uint8_t a, std::uint8_t b, double share) {
  return static_cast<std::uint8_t>(std::lround(a + (share * (b - a))));
}

Colour mixed(Colour a, Colour b, double share) {
  return {between(a.red, b.red, share), between(a.green, b.green, share), between(a.blue, b.blue, share)};
}

}  // namespace

Colour band_colour(std::size_t band) {
  const double place = static_cast<double>(band * (anchors.size() - 1)) / static_cast<double>(colour_bands - 1);
  const auto k = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  return mixed(anchors[k], anchors[k + 1], place - static_cast<double>(k));
}

double band_start(std::size_t band) { return (2 * static_cast<double>(band) / static_cast<double>(colour_bands)) - 1; }

Colour place_colour(const ScalpPosition& direction) {
  constexpr Colour left{0, 98, 190};
  constexpr Colour middle{128, 128, 128};
  constexpr Colour right{225, 112, 0};
  const Colour side = mixed(middle, direction.x < 0 ? left : right, std::sqrt(std::min(1.0, std::abs(direction.x))));
  if (direction.y < 0) return mixed(side, {0, 0, 0}, 0.62 * std::min(1.0, -direction.y));
  return mixed(side, {255, 255, 255}, 0.38 * std::min(1.0, direction.y));
}

}  // namespace heed::report
