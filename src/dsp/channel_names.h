// SPDX-License-Identifier: MIT
// Channels by name, whatever the case.
#pragma once

#include <heed/data/error.h>
#include <heed/data/matrix.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace heed::dsp {

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
