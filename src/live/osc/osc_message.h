// SPDX-License-Identifier: MIT
// Open Sound Control 1.0, as far as heed speaks it: messages of floats, integers and strings, alone or in bundles. What
// comes in is checked byte by byte; nothing is trusted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::live {

using OscArgument = std::variant<float, std::int32_t, std::string>;

struct OscMessage {
  std::string address{};  // /heed/gain
  std::vector<OscArgument> arguments{};
  friend bool operator==(const OscMessage&, const OscMessage&) = default;
};

[[nodiscard]] std::string osc_bytes(const OscMessage& message);

// A message of floats whose values change and whose size does not.
class OscFloats {
 public:
  OscFloats(std::string_view address, std::size_t count);
  [[nodiscard]] std::string_view bytes(std::span<const double> values);

 private:
  std::string bytes_;
  std::size_t first_;
};

// The messages of a packet are added to `messages`; False: the packet makes no sense, and none of it was added. Times
// of bundles are passed over: everything is meant for now.
[[nodiscard]] bool parse_osc(std::string_view packet, std::vector<OscMessage>& messages);

// Whether it can be the address of a message: it begins with a slash and has no blanks or pattern characters.
[[nodiscard]] bool is_osc_address(std::string_view address);

}  // namespace heed::live
