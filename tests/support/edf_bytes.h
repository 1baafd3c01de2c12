// SPDX-License-Identifier: MIT
// EDF and BDF files put together field by field, right or wrong, without heed's writer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::test {

struct EdfSignalBytes {
  std::string label{};
  std::string unit{"uV"};
  std::string physical_minimum{"-1000"};
  std::string physical_maximum{"1000"};
  std::string digital_minimum{"-1000"};
  std::string digital_maximum{"1000"};
  int samples = 4;                     // in a record
  std::vector<std::int32_t> values{};  // of all records; what is missing is 0
  std::vector<std::string> texts{};    // instead of values: the annotation bytes of each record
};

struct EdfBytes {
  bool bdf = false;
  std::string patient{"X X X X"};
  std::string recording{"Startdate 15-NOV-2026 X X X"};
  std::string date{"15.11.26"};
  std::string time{"09.30.00"};
  std::string reserved{};
  std::string header_bytes{};  // empty: right
  int records = 2;
  std::string stated_records{};  // empty: right
  std::string seconds{"1"};
  std::string stated_signals{};  // empty: right
  std::vector<EdfSignalBytes> signals{};

  [[nodiscard]] std::string bytes() const {
    std::string out = bdf ? std::string("\xff") + "BIOSEMI" : field("0", 8);
    out += field(patient, 80) + field(recording, 80) + field(date, 8) + field(time, 8);
    out += field(or_else(header_bytes, 256 * (signals.size() + 1)), 8) + field(reserved, 44);
    out += field(or_else(stated_records, static_cast<std::size_t>(records)), 8) + field(seconds, 8);
    out += field(or_else(stated_signals, signals.size()), 4);
    add(out, 16, [](const EdfSignalBytes& signal) { return signal.label; });
    add(out, 80, [](const EdfSignalBytes&) { return std::string(); });
    add(out, 8, [](const EdfSignalBytes& signal) { return signal.unit; });
    add(out, 8, [](const EdfSignalBytes& signal) { return signal.physical_minimum; });
    add(out, 8, [](const EdfSignalBytes& signal) { return signal.physical_maximum; });
    add(out, 8, [](const EdfSignalBytes& signal) { return signal.digital_minimum; });
    add(out, 8, [](const EdfSignalBytes& signal) { return signal.digital_maximum; });
    add(out, 80, [](const EdfSignalBytes&) { return std::string(); });
    add(out, 8, [](const EdfSignalBytes& signal) { return std::to_string(signal.samples); });
    add(out, 32, [](const EdfSignalBytes&) { return std::string(); });
    for (int record = 0; record < records; ++record) {
      for (const EdfSignalBytes& signal : signals) out += record_bytes(signal, static_cast<std::size_t>(record));
    }
    return out;
  }

 private:
  static std::string field(std::string text, std::size_t width) {
    text.resize(width, ' ');
    return text;
  }
  static std::string or_else(const std::string& text, std::size_t number) {
    return text.empty() ? std::to_string(number) : text;
  }
  template <typename Text>
  void add(std::string& out, std::size_t width, Text text) const {
    for (const EdfSignalBytes& signal : signals) out += field(text(signal), width);
  }
  [[nodiscard]] std::string record_bytes(const EdfSignalBytes& signal, std::size_t record) const {
    const auto count = static_cast<std::size_t>(signal.samples);
    const std::size_t width = bdf ? 3 : 2;
    if (!signal.texts.empty()) {
      std::string text = record < signal.texts.size() ? signal.texts[record] : std::string();
      text.resize(count * width, '\0');
      return text;
    }
    std::string out;
    for (std::size_t i = record * count; i < (record + 1) * count; ++i) {
      const auto value = static_cast<std::uint32_t>(i < signal.values.size() ? signal.values[i] : 0);
      for (std::size_t byte = 0; byte < width; ++byte) out += static_cast<char>(value >> (8 * byte));
    }
    return out;
  }
};

// A list of annotations: "+1.5", texts. With a duration: "+1.5\x15" "2".
inline std::string annotation_list(std::string_view stamp, const std::vector<std::string>& texts) {
  std::string list(stamp);
  list += '\x14';
  for (const std::string& text : texts) list += text + '\x14';
  return list + '\0';
}

}  // namespace heed::test
