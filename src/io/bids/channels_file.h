// SPDX-License-Identifier: MIT
// `*_channels.tsv`: what each channel of a recording is. Says which channels are EEG and which of
// them are bad; without it the names have to say so.
#pragma once

#include <heed/data/recording.h>
#include <io/bids/problems.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct BidsChannel {
  std::string name{};
  std::string type{};                         // EEG, EOG, ECG, EMG, MISC, TRIG, AUDIO ...; capital letters
  std::string unit{};                         // empty: n/a
  std::optional<Hertz> sampling_frequency{};  // nothing: not said
  bool good = true;                           // status
};

// Columns name and type are needed; units, sampling_frequency and status may be missing. Throws bad_data with
// row, column and remedy; a name that comes twice is an error.
[[nodiscard]] std::vector<BidsChannel> parse_channels(std::string_view text);
[[nodiscard]] std::vector<BidsChannel> read_channels(const std::filesystem::path& path);  // errors name the file

struct CheckedChannels {
  std::vector<BidsChannel> channels{};
  Problems problems{};
};
[[nodiscard]] CheckedChannels check_channels(std::string_view text);

// Reads back exactly. The column status is there if a channel is bad. Throws invalid_argument for names that
// cannot be written.
[[nodiscard]] std::string channels_text(std::span<const BidsChannel> channels);

struct EegChannel {
  std::size_t index = 0;  // into the recording's channels
  std::string name{};
  bool good = true;
};

// The EEG channels of a recording, in its order. With a channels.tsv (not empty) those of type EEG, found by
// name; without one all but those whose names say otherwise (is_other_channel). Throws bad_data where file and
// table do not hold the same channels, or no EEG is left.
[[nodiscard]] std::vector<EegChannel> select_eeg(const RecordingHeader& header, std::span<const BidsChannel> channels);

// EXG1, HEOG, EOG left, ECG, EMG, GSR1, Resp, Temp, Erg1, Ana1, Status, TRIG, STI 014 ...: not EEG by their name.
[[nodiscard]] bool is_other_channel(std::string_view name) noexcept;

}  // namespace heed::io
