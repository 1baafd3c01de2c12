// SPDX-License-Identifier: MIT
// What the XML of a stream says: its name and type, how its samples lie in the file, and its channels.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

enum class XdfFormat { float32, double64, int8, int16, int32, int64, text };

[[nodiscard]] std::string_view name(XdfFormat format) noexcept;  // float32 ... string
[[nodiscard]] constexpr std::int64_t bytes_of(XdfFormat format) noexcept {
  constexpr std::array<std::int64_t, 7> sizes = {4, 8, 1, 2, 4, 8, 0};
  return sizes[static_cast<std::size_t>(format)];
}

struct XdfChannel {
  std::string label{};
  std::string unit{};
  std::string type{};
};

struct XdfHeader {
  std::string name{};
  std::string type{};
  std::string source_id{};
  XdfFormat format{};
  Index channels = 0;
  Hertz sampling_frequency{};           // nominal; 0: samples come when they come
  std::vector<XdfChannel> described{};  // as far as the stream says, from the first channel on
  [[nodiscard]] bool is_regular() const noexcept { return sampling_frequency.value > 0; }
};

// Nothing where the XML is broken, or lacks one of the fields without which samples cannot be read.
[[nodiscard]] std::optional<XdfHeader> parse_stream_header(std::string_view xml);
[[nodiscard]] std::string stream_header_xml(const XdfHeader& header);

// How many samples a footer says the stream had; nothing where it does not say. False: the XML is broken.
[[nodiscard]] bool parse_footer(std::string_view xml, std::optional<std::int64_t>& samples);

// Its label, or "ch3".
[[nodiscard]] std::string channel_name(const XdfHeader& header, Index channel);

}  // namespace heed::io
