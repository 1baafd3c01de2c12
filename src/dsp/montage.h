// SPDX-License-Identifier: MIT
// Where electrodes are, by their name: the 10-5 system on the unit sphere, with the older names T3 T4 T5 T6, and
// the numbers of BioSemi's caps; and channels by name, whatever the case. x points to the right ear, y to the nose, z
// up; Cz is (0, 0, 1).
#pragma once

#include <heed/data/error.h>
#include <heed/data/matrix.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::dsp {

struct ElectrodePosition {
  double x = 0;
  double y = 0;
  double z = 0;
  friend bool operator==(const ElectrodePosition&, const ElectrodePosition&) = default;
};

// Case does not matter, nor what recorders write around a name: EEG before it, dots or the common reference behind it
// ("EEG Fp1-Ref", "Fc5.", "C3-A2"). Nothing for a name that is not of the 10-5 system.
[[nodiscard]] std::optional<ElectrodePosition> electrode_position(std::string_view recorded);

// All channels of a recording, which together tell whether A1, B1 ... are BioSemi's (A1 ... A32, B1 ..., or A1 ...
// A256), and of which cap. A1 and A2 among other names are ear lobes and have no position on this sphere.
[[nodiscard]] std::vector<std::optional<ElectrodePosition>> electrode_positions(std::span<const std::string> channels);

inline std::string lower_case(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// Throws not_found: "<role> <name> is not there; there are ...".
inline Index column_of(const std::string& name, std::span<const std::string> channels, std::string_view role) {
  const std::string wanted = lower_case(name);
  const auto found = std::ranges::find(channels, wanted, [](const std::string& c) { return lower_case(c); });
  if (found != channels.end()) return found - channels.begin();
  std::string there;
  for (const std::string& channel : channels) there += " " + channel;
  throw Error(ErrorKind::not_found,
              std::string(role) + " '" + name + "' is not there; there are:" + (there.empty() ? " none" : there));
}

}  // namespace heed::dsp
