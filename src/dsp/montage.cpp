// SPDX-License-Identifier: MIT
// The geometry of the 10-5 system on a sphere, which holds the 10-10 system. A tenth of the way from nasion to inion
// over the vertex is 23 degrees; the ring of Fpz, T7, Oz and T8 lies four tenths from the vertex, with a tenth of half
// its length (18 degrees) between electrodes. A row in between runs on the circle through its two places on the ring
// and its place on the midline.
#include <dsp/biosemi_caps.h>
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

// The 10-5 system has a row between any two of the 10-10 system, named after both.
constexpr std::array<Row, 15> rows{{{"afp", "afp", 3.5 * tenth, 27},
                                    {"af", "af", 3 * tenth, 36},
                                    {"aff", "aff", 2.5 * tenth, 45},
                                    {"f", "f", 2 * tenth, 54},
                                    {"ffc", "fft", 1.5 * tenth, 63},
                                    {"fc", "ft", tenth, 72},
                                    {"fcc", "ftt", 0.5 * tenth, 81},
                                    {"c", "t", 0, 90},
                                    {"ccp", "ttp", -0.5 * tenth, 99},
                                    {"cp", "tp", -tenth, 108},
                                    {"cpp", "tpp", -1.5 * tenth, 117},
                                    {"p", "p", -2 * tenth, 126},
                                    {"ppo", "ppo", -2.5 * tenth, 135},
                                    {"po", "po", -3 * tenth, 144},
                                    {"poo", "poo", -3.5 * tenth, 153}}};

// At the front and the back there are three on a ring: 1, z and 2.
struct End {
  std::string_view letters;
  double from_vertex;
  double azimuth;  // of 1 and 2; z is at 0 or 180
};

constexpr std::array<End, 6> ends{{{"n", lower_ring, 18},
                                   {"nfp", 4.5 * tenth, 18},
                                   {"fp", ring, 18},
                                   {"o", ring, 162},
                                   {"oi", 4.5 * tenth, 162},
                                   {"i", lower_ring, 162}}};

struct Alias {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Alias, 6> aliases{
    {{"t3", "t7"}, {"t4", "t8"}, {"t5", "p7"}, {"t6", "p8"}, {"m1", "tp9"}, {"m2", "tp10"}}};

constexpr std::array<std::string_view, 12> references{"ref", "reference", "le",   "ar", "av", "avg",
                                                      "a1",  "a2",        "a1a2", "m1", "m2", "m1m2"};

// A difference of two electrodes (Fp1-F7) stays as it is and is nowhere.
std::string_view bare(std::string_view name) {
  constexpr std::string_view kind = "eeg ";
  if (lower_case(name.substr(0, kind.size())) == kind) name.remove_prefix(kind.size());
  while (name.ends_with('.') || name.ends_with(' ')) name.remove_suffix(1);
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return name;
  const bool common = std::ranges::find(references, lower_case(name.substr(dash + 1))) != references.end();
  return common ? name.substr(0, dash) : name;
}

// Letters, and the number after them: 0 for z, -1 for anything else. An h after the number stands for half a step
// towards the midline.
struct SplitName {
  std::string letters;
  int number = -1;
  bool is_half = false;
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
  result.is_half = digits < text.size() && text.ends_with('h');
  const char* const past_number = text.data() + text.size() - (result.is_half ? 1 : 0);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + digits, past_number, number);
  if (error == std::errc{} && end == past_number) result.number = number;
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

// Steps from the midline, of which there are four to the ring: 1 and 2 are the first, 5 and 6 the third.
double steps_from_midline(const SplitName& name) {
  const int steps = (name.number + 1) / 2;
  return steps - (name.is_half ? 0.5 : 0);
}

// A part of the way from the midline to the ring, on the circle through both sides of the row.
Vector3d along_row(const Row& row, const SplitName& name) {
  const Vector3d middle = on_sphere(row.midline, 0);
  const Vector3d end = on_sphere(ring, sided(row.azimuth, name.number));
  const Vector3d mirrored(-end.x(), end.y(), end.z());
  const Vector3d normal = (end - middle).cross(mirrored - middle).normalized();
  const Vector3d centre = normal * normal.dot(middle);
  const Vector3d from = middle - centre;
  const Vector3d to = end - centre;
  const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
  const double part = steps_from_midline(name) / 4;
  return centre + ((std::sin((1 - part) * angle) * from + std::sin(part * angle) * to) / std::sin(angle));
}

std::optional<Vector3d> of_row(const Row& row, const SplitName& name) {
  const int number = name.number;
  if (name.letters == row.inner && number == 0) return on_sphere(row.midline, 0);
  if (name.letters == row.inner && number >= 1 && number <= 6) return along_row(row, name);
  if (name.letters != row.outer || number < 7 || number > 10) return std::nullopt;
  const double steps = steps_from_midline(name);
  if (steps < 4) return along_row(row, name);
  return on_sphere(ring + ((steps - 4) * (lower_ring - ring)), sided(row.azimuth, number));
}

std::optional<Vector3d> of_end(const End& end, const SplitName& name) {
  if (name.letters != end.letters || name.number < 0 || name.number > 2) return std::nullopt;
  const double midline = end.azimuth < 90 ? 0 : 180;
  const double azimuth = midline + (steps_from_midline(name) * (end.azimuth - midline));
  return on_sphere(end.from_vertex, sided(azimuth, name.number));
}

// 0 for A1, 32 for B1 and so on; also of A1 ... A256, as some recordings number them.
std::optional<std::size_t> biosemi_number(const std::string& channel) {
  const SplitName name = split(channel);
  if (name.letters.size() != 1 || name.number < 1 || name.is_half) return std::nullopt;
  const auto number = static_cast<std::size_t>(name.number);
  if (name.letters == "a" && number <= largest_biosemi_cap) return number - 1;
  if (name.letters[0] < 'b' || name.letters[0] > 'h' || number > 32) return std::nullopt;
  return (static_cast<std::size_t>(name.letters[0] - 'a') * 32) + number - 1;
}

// How many electrodes a cap of BioSemi's must have for these channels; none if its amplifier did not number them. A
// ribbon has 32 electrodes and needs the one before it, so E1 beside other names is no electrode of a cap. Names that
// others use say nothing: A1 and A2 are ear lobes, C1 and F1 belong to the 10-10 system.
std::size_t biosemi_electrodes(std::span<const std::string> channels) {
  constexpr std::size_t ears = 2;
  constexpr std::size_t ribbon = 32;
  std::array<std::size_t, largest_biosemi_cap / ribbon> needed{};
  for (const std::string& channel : channels) {
    const auto number = biosemi_number(channel);
    if (!number || *number < ears || electrode_position(channel)) continue;
    std::size_t& most = needed[*number / ribbon];
    most = std::max(most, *number + 1);
  }
  std::size_t electrodes = 0;
  for (const std::size_t most : needed) {
    if (most == 0) break;
    electrodes = most;
  }
  return electrodes;
}

}  // namespace

std::optional<ElectrodePosition> electrode_position(std::string_view recorded) {
  const std::string_view name = bare(recorded);
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
  const std::size_t electrodes = biosemi_electrodes(channels);
  const std::vector<ElectrodePosition> cap =
      electrodes > 0 ? biosemi_cap(electrodes) : std::vector<ElectrodePosition>{};
  std::vector<std::optional<ElectrodePosition>> positions;
  for (const std::string& channel : channels) {
    const auto number = biosemi_number(channel);
    if (number && *number < electrodes) {
      positions.emplace_back(cap[*number]);
    } else {
      positions.push_back(electrode_position(channel));
    }
  }
  return positions;
}

}  // namespace heed::dsp
