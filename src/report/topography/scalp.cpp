// SPDX-License-Identifier: MIT
#include <report/topography/scalp.h>

#include <cmath>
#include <numbers>

namespace heed::report {
namespace {

constexpr double quarter_turn = std::numbers::pi / 2;

}  // namespace

std::optional<ScalpPosition> unit_direction(const std::optional<ScalpPosition>& position) {
  if (!position) return {};
  const double length = std::hypot(position->x, position->y, position->z);
  if (!std::isfinite(length) || length <= 0) return {};
  return ScalpPosition{position->x / length, position->y / length, position->z / length};
}

Point on_plane(const ScalpPosition& direction) {
  const double flat = std::hypot(direction.x, direction.y);
  if (flat == 0) return {0, direction.z < 0 ? -2.0 : 0.0};  // straight down has no side: put it at the back
  const double radius = std::atan2(flat, direction.z) / quarter_turn;
  return {radius * direction.x / flat, radius * direction.y / flat};
}

ScalpPosition on_sphere(Point place) {
  const double radius = std::hypot(place.x, place.y);
  if (radius == 0) return {0, 0, 1};
  const double flat = std::sin(radius * quarter_turn);
  return {flat * place.x / radius, flat * place.y / radius, std::cos(radius * quarter_turn)};
}

}  // namespace heed::report
