// SPDX-License-Identifier: MIT
// XDF files byte by byte, as the format's description has them; written without heed's own writer, so that both can be
// held against each other. Remembers where chunks begin and end.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::test {

struct XdfChunkPlace {
  int tag = 0;
  std::uint32_t stream = 0;  // of samples
  std::int64_t samples = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

class XdfBytes {
 public:
  XdfBytes() { chunk(1, "<?xml version=\"1.0\"?><info><version>1.0</version></info>"); }

  template <typename Number>
  static std::string raw(Number number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
  }
  // width 0: the narrowest.
  static std::string length(std::uint64_t value, int width = 0) {
    if (width == 0) width = value < 256 ? 1 : 4;
    return std::string(1, static_cast<char>(width)) + raw(value).substr(0, static_cast<std::size_t>(width));
  }

  void chunk(std::uint16_t tag, const std::string& content, int width = 0, std::uint32_t stream = 0,
             std::int64_t samples = 0) {
    const std::size_t begin = bytes.size();
    bytes += length(content.size() + 2, width) + raw(tag) + content;
    places.push_back({tag, stream, samples, begin, bytes.size()});
  }
  // NOLINTNEXTLINE(readability-function-size): in the order of the file
  void stream(std::uint32_t id, const std::string& name, const std::string& type, int channels, const std::string& rate,
              const std::string& format, const std::string& description = "") {
    chunk(2,
          raw(id) + "<?xml version=\"1.0\"?><info><name>" + name + "</name><type>" + type + "</type><channel_count>" +
              std::to_string(channels) + "</channel_count><nominal_srate>" + rate + "</nominal_srate><channel_format>" +
              format + "</channel_format><desc>" + description + "</desc></info>",
          4);
  }
  // A sample: its stamp (or none) and the bytes of its values.
  static std::string sample(const std::string& values) { return std::string(1, '\0') + values; }
  static std::string sample(double stamp, const std::string& values) { return "\b" + raw(stamp) + values; }
  static std::string text(const std::string& value) { return length(value.size()) + value; }

  void samples(std::uint32_t id, const std::vector<std::string>& rows, int width = 4) {
    std::string content = raw(id) + length(rows.size(), width);
    for (const std::string& row : rows) content += row;
    chunk(3, content, 0, id, static_cast<std::int64_t>(rows.size()));
  }
  void offset(std::uint32_t id, double time, double value) { chunk(4, raw(id) + raw(time) + raw(value)); }
  void boundary() { chunk(5, "\x43\xA5\x46\xDC\xCB\xF5\x41\x0F\xB3\x0E\xD5\x46\x73\x83\xCB\xE4"); }
  void footer(std::uint32_t id, std::int64_t count) {
    chunk(6,
          raw(id) + "<?xml version=\"1.0\"?><info><sample_count>" + std::to_string(count) + "</sample_count></info>");
  }

  std::string bytes{"XDF:"};
  std::vector<XdfChunkPlace> places{};
};

// The chunks of a good file, by walking over their lengths.
inline std::vector<XdfChunkPlace> xdf_chunks(std::string_view bytes) {
  std::vector<XdfChunkPlace> places;
  for (std::size_t at = 4; at < bytes.size();) {
    const auto width = static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at + 1, width);
    XdfChunkPlace place{.tag = bytes[at + 1 + width], .begin = at, .end = at + 1 + width + length};
    const std::size_t content = at + 1 + width + 2;
    if (place.tag == 3) {
      std::memcpy(&place.stream, bytes.data() + content, 4);
      std::memcpy(&place.samples, bytes.data() + content + 5, static_cast<std::size_t>(bytes[content + 4]));
    }
    places.push_back(place);
    at = place.end;
  }
  return places;
}

}  // namespace heed::test
