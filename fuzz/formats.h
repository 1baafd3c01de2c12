// SPDX-License-Identifier: MIT
// Which formats are made of records, and where their lengths stand, or what separates them; for records.h.
#pragma once

#ifdef HEED_FUZZ
#include "records.h"

namespace heed::fuzz {

// MATLAB 5: elements behind a header of 128 bytes: type, length, content padded to eight.
using MatRecords = FixedRecords<128, 8, 4, false, 8>;
// FIF: tags from the first byte on: kind, type, length, place of the next (0: behind), all big endian.
using FifRecords = FixedRecords<0, 16, 8, true, 1>;

// XDF: "XDF:", then chunks: the number of bytes of the length (1, 4 or 8), the length, and so many bytes.
struct XdfRecords {
  static Records split(std::string_view file) {
    Records result{std::string(file.substr(0, 4)), {}, {}};
    file.remove_prefix(std::min<std::size_t>(4, file.size()));
    while (!file.empty()) {
      const auto bytes = static_cast<std::size_t>(static_cast<unsigned char>(file[0]));
      if ((bytes != 1 && bytes != 4 && bytes != 8) || file.size() < 1 + bytes) break;
      const std::uint64_t length = number_at(file.substr(1), bytes, false);
      if (length > file.size() - 1 - bytes) break;
      result.records.push_back({std::string(file.substr(0, 1 + bytes)), std::string(file.substr(1 + bytes, length))});
      file.remove_prefix(1 + bytes + length);
    }
    result.rest = file;
    return result;
  }

  static void set_length(Record& record) {
    std::size_t bytes = record.before.size() - 1;
    if (bytes == 1 && record.content.size() > 0xff) {
      record.before = std::string(5, '\4');
      bytes = 4;
    }
    put_number(record.before, 1, bytes, record.content.size(), false);
  }
};

// A request of HTTP: the body is one record, behind a header that tells its length.
struct HttpRecords {
  static Records split(std::string_view file) {
    constexpr std::string_view gap = "\r\n\r\n";
    const std::size_t end = file.find(gap);
    if (end == file.npos) return {};
    return {{}, {{std::string(file.substr(0, end + gap.size())), std::string(file.substr(end + gap.size()))}}, {}};
  }

  static void set_length(Record& record) {
    constexpr std::string_view name = "Content-Length: ";
    const auto same_letter = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
    const auto found = std::search(record.before.begin(), record.before.end(), name.begin(), name.end(), same_letter);
    if (found == record.before.end()) return;
    const auto at = static_cast<std::size_t>(found - record.before.begin()) + name.size();
    record.before.replace(at, record.before.find('\r', at) - at, std::to_string(record.content.size()));
  }
};

// Words or lines: pieces between separators.
template <char Separator>
struct Separated {
  static Records split(std::string_view file) {
    Records result{};
    while (!file.empty()) {
      const std::size_t end = std::min(file.find(Separator), file.size());
      result.records.push_back({"", std::string(file.substr(0, end))});
      file.remove_prefix(std::min(end + 1, file.size()));
    }
    return result;
  }

  static void set_length(Record& record) { record.content += Separator; }
};

}  // namespace heed::fuzz
#else
#define HEED_MUTATE_BY(Format)  // replayed inputs are not changed
#endif
