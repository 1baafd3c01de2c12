// SPDX-License-Identifier: MIT
// Recordings of EEG: BDF, BDF+, EDF, EDF+ and BrainVision, told by their content and their name. A header costs
// little; samples are read for the wanted channels and stretch only. Every length a file states is held against
// its size before memory is asked for. docs/formats.md, recordings.
#pragma once

#include <heed/data/recording.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heed::io {

// Endings of files read_recording takes, lower case: .bdf, .edf, .vhdr.
[[nodiscard]] bool is_recording_file(const std::filesystem::path& path);

// What is in the file, without samples of signals. Of BrainVision give the .vhdr. Throws not_found, io; unsupported
// for a variant heed does not read; bad_data with the byte (or line), what is wrong and what to do.
[[nodiscard]] RecordingHeader read_recording_header(const std::filesystem::path& path);

// The files whose bytes the samples depend on: the file itself, and the samples of a .vhdr. Throws likewise.
[[nodiscard]] std::vector<std::filesystem::path> recording_files(const std::filesystem::path& path);

struct RecordingPart {
  std::vector<std::string> channels{};  // by name, in this order; empty: all at the header's sampling frequency
  // On the recording's clock: samples at or after `from` and before `to`, cut to what there is.
  std::optional<Seconds> from{};
  std::optional<Seconds> to{};
};

// Throws as read_recording_header, and not_found for a channel that is not there; bad_data if the channels differ in
// rate (naming the odd ones); unsupported if the part crosses a pause of a discontinuous file (naming its segments).
[[nodiscard]] Recording read_recording(const std::filesystem::path& path, const RecordingPart& part = {});

}  // namespace heed::io
