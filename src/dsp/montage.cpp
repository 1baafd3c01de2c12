// SPDX-License-Identifier: MIT
// The geometry of the 10-10 system on a sphere. A tenth of the way from nasion to inion over the vertex is 23 degrees;
// the ring of Fpz, T7, Oz and T8 lies four tenths from the vertex, with a tenth of half its length (18 degrees) between
// electrodes. A row in between runs on the circle through its two places on the ring and its place on the midline.
#include <dsp/montage.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace heed::dsp {
namespace {

using Eigen::Vector3d;

constexpr double tenth = 23;
constexpr double ring = 4 * tenth;
constexpr double lower_ring = 5 * tenth;

struct Row {
  std::string_view inner;  // letters of z and 1 ... 6
  std::string_view outer;  // letters of 7 ... 10
  double midline;          // degrees from the vertex towards the nose
  double azimuth;          // of 7 ... 10, degrees from the nose
};

constexpr std::array<Row, 7> rows{{{"af", "af", 3 * tenth, 36},
                                   {"f", "f", 2 * tenth, 54},
                                   {"fc", "ft", tenth, 72},
                                   {"c", "t", 0, 90},
                                   {"cp", "tp", -tenth, 108},
                                   {"p", "p", -2 * tenth, 126},
                                   {"po", "po", -3 * tenth, 144}}};

// At the front and the back there are three on a ring: 1, z and 2.
struct End {
  std::string_view letters;
  double from_vertex;
  double azimuth;  // of 1 and 2; z is at 0 or 180
};

constexpr std::array<End, 4> ends{{{"n", lower_ring, 18}, {"fp", ring, 18}, {"o", ring, 162}, {"i", lower_ring, 162}}};

struct Alias {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Alias, 6> aliases{
    {{"t3", "t7"}, {"t4", "t8"}, {"t5", "p7"}, {"t6", "p8"}, {"m1", "tp9"}, {"m2", "tp10"}}};

// A1 ... A32, B1 ... B32 of BioSemi's cap of 64.
constexpr std::array<std::string_view, 64> biosemi{
    "fp1", "af7", "af3", "f1",  "f3",  "f5",  "f7",  "ft7", "fc5", "fc3", "fc1", "c1",  "c3",  "c5",  "t7",  "tp7",
    "cp5", "cp3", "cp1", "p1",  "p3",  "p5",  "p7",  "p9",  "po7", "po3", "o1",  "iz",  "oz",  "poz", "pz",  "cpz",
    "fpz", "fp2", "af8", "af4", "afz", "fz",  "f2",  "f4",  "f6",  "f8",  "ft8", "fc6", "fc4", "fc2", "fcz", "cz",
    "c2",  "c4",  "c6",  "t8",  "tp8", "cp6", "cp4", "cp2", "p2",  "p4",  "p6",  "p8",  "p10", "po8", "po4", "o2"};

// Letters, and the number after them: 0 for z, -1 for anything else.
struct SplitName {
  std::string letters;
  int number = -1;
};

SplitName split(std::string_view name) {
  SplitName result{lower_case(name)};
  std::string& text = result.letters;
  if (text.ends_with('z')) {
    text.pop_back();
    result.number = 0;
    return result;
  }
  const auto digits = std::min(text.find_first_of("123456789"), text.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + digits, text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) result.number = number;
  text.resize(digits);
  return result;
}

// Degrees; a positive azimuth is to the right of the nose.
Vector3d on_sphere(double from_vertex, double azimuth) {
  constexpr double degree = std::numbers::pi / 180;
  const double across = std::sin(from_vertex * degree);
  return {across * std::sin(azimuth * degree), across * std::cos(azimuth * degree), std::cos(from_vertex * degree)};
}

// Odd numbers are on the left.
double sided(double azimuth, int number) { return number % 2 == 1 ? -azimuth : azimuth; }

// A part of the way from the midline to the ring, on the circle through both sides of the row.
Vector3d along_row(const Row& row, int number) {
  const Vector3d middle = on_sphere(row.midline, 0);
  const Vector3d end = on_sphere(ring, sided(row.azimuth, number));
  const Vector3d mirrored(-end.x(), end.y(), end.z());
  const Vector3d normal = (end - middle).cross(mirrored - middle).normalized();
  const Vector3d centre = normal * normal.dot(middle);
  const Vector3d from = middle - centre;
  const Vector3d to = end - centre;
  const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
  const int place = (number + 1) / 2;  // 1 and 2 are the first, 5 and 6 the third from the midline
  const double part = place / 4.0;
  return centre + ((std::sin((1 - part) * angle) * from + std::sin(part * angle) * to) / std::sin(angle));
}

std::optional<Vector3d> of_row(const Row& row, const SplitName& name) {
  const int number = name.number;
  if (name.letters == row.inner && number == 0) return on_sphere(row.midline, 0);
  if (name.letters == row.inner && number >= 1 && number <= 6) return along_row(row, number);
  if (name.letters == row.outer && number >= 7 && number <= 10) {
    return on_sphere(number <= 8 ? ring : lower_ring, sided(row.azimuth, number));
  }
  return std::nullopt;
}

std::optional<Vector3d> of_end(const End& end, const SplitName& name) {
  if (name.letters != end.letters || name.number < 0 || name.number > 2) return std::nullopt;
  if (name.number == 0) return on_sphere(end.from_vertex, end.azimuth < 90 ? 0 : 180);
  return on_sphere(end.from_vertex, sided(end.azimuth, name.number));
}

// 0 ... 63 for A1 ... B32, beyond for C and D of larger caps.
std::optional<std::size_t> biosemi_number(const std::string& channel) {
  const SplitName name = split(channel);
  if (name.letters.size() != 1 || name.letters[0] < 'a' || name.letters[0] > 'd') return std::nullopt;
  if (name.number < 1 || name.number > 32) return std::nullopt;
  return static_cast<std::size_t>(((name.letters[0] - 'a') * 32) + name.number - 1);
}

}  // namespace

std::optional<ElectrodePosition> electrode_position(std::string_view name) {
  SplitName parts = split(name);
  const auto* const alias = std::ranges::find(aliases, lower_case(name), &Alias::name);
  if (alias != aliases.end()) parts = split(alias->meaning);
  std::optional<Vector3d> found;
  for (const Row& row : rows) found = found ? found : of_row(row, parts);
  for (const End& end : ends) found = found ? found : of_end(end, parts);
  if (!found) return std::nullopt;
  return ElectrodePosition{found->x(), found->y(), found->z()};
}

std::vector<std::optional<ElectrodePosition>> electrode_positions(std::span<const std::string> channels) {
  bool is_biosemi = false;  // A3 or later
  bool is_larger = false;   // a cap of 128 has other places for the same names; C1 ... C6 are also of the 10-10 system
  for (const std::string& channel : channels) {
    const auto number = biosemi_number(channel);
    is_biosemi = is_biosemi || (number && *number >= 2 && *number < biosemi.size());
    is_larger = is_larger || (number && *number >= biosemi.size() + 6);
  }
  std::vector<std::optional<ElectrodePosition>> positions;
  for (const std::string& channel : channels) {
    const auto number = biosemi_number(channel);
    if (number && is_larger) {
      positions.emplace_back();
    } else if (number && is_biosemi && *number < biosemi.size()) {
      positions.push_back(electrode_position(biosemi[*number]));
    } else {
      positions.push_back(electrode_position(channel));
    }
  }
  return positions;
}

}  // namespace heed::dsp
