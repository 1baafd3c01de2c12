// SPDX-License-Identifier: MIT
// A BrainVision recording put together piece by piece, right or wrong, without heed's writer: three channels, four
// samples, 200 Hz.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace heed::test {

template <typename Number>
void add_number(std::string& out, double value) {
  const auto number = static_cast<Number>(value);
  std::array<char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  out.append(bytes.data(), bytes.size());
}

// One list of numbers per channel.
inline std::string brainvision_data(const std::string& format, bool multiplexed,
                                    const std::vector<std::vector<double>>& channels) {
  std::string out;
  const auto add = [&](double value) {
    if (format == "INT_16") add_number<std::int16_t>(out, value);
    if (format == "INT_32") add_number<std::int32_t>(out, value);
    if (format == "IEEE_FLOAT_32") add_number<float>(out, value);
  };
  const std::size_t samples = channels.front().size();
  for (std::size_t i = 0; i < samples * channels.size(); ++i) {
    add(multiplexed ? channels[i % channels.size()][i / channels.size()] : channels[i / samples][i % samples]);
  }
  return out;
}

struct BrainVisionBytes {
  std::string first_line{"Brain Vision Data Exchange Header File Version 1.0"};
  std::string codepage{"UTF-8"};
  std::string data_file{"a.eeg"};
  std::string marker_file{"a.vmrk"};
  std::string data_format{"BINARY"};
  std::string orientation{"MULTIPLEXED"};
  std::string count{"3"};
  std::string interval{"5000"};
  std::string points{};
  std::string format{"INT_16"};
  std::string channels{"Ch1=Fz,,1\nCh2=left\\1 mastoid,,0.5,\xc2\xb5V\nCh3=Temp,,2,C\n"};
  std::string markers{
      "Brain Vision Data Exchange Marker File, Version 1.0\n\n[Common Infos]\nDataFile=a.eeg\n\n[Marker Infos]\n"
      "; comment\nMk1=New Segment,,1,1,0,20261115093000250000\nMk2=Stimulus,S  1,2,2,0\nMk3=Comment,one\\1 "
      "two,3,1,0\n"};
  std::string data = brainvision_data("INT_16", true, {{1, 2, 3, 4}, {-1, -2, -3, -4}, {10, 20, 30, 40}});

  [[nodiscard]] std::string header() const {
    const auto line = [](const std::string& key, const std::string& value) {
      return value.empty() ? std::string() : key + "=" + value + "\r\n";
    };
    return first_line + "\r\n; comment\r\n\r\n[Common Infos]\r\n" + line("DataFile", data_file) +
           line("DataFormat", data_format) + line("Codepage", codepage) + line("MarkerFile", marker_file) +
           line("DataOrientation", orientation) + line("NumberOfChannels", count) + line("SamplingInterval", interval) +
           line("DataPoints", points) + "\r\n[Binary Infos]\r\n" + line("BinaryFormat", format) +
           "\r\n[Channel Infos]\r\n; Ch=comment\r\n" + channels + "\r\n[Comment]\r\nCh1=free text\r\n";
  }
};

}  // namespace heed::test
