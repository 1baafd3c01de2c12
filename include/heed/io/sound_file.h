// SPDX-License-Identifier: MIT
// Audio files (WAV, FLAC, OGG and whatever else libsndfile reads) and envelopes that were made already. Long files
// are read in part; memory is asked for as sound arrives, never because a header claims it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/recording.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heed::io {

struct AudioHeader {
  std::string format{};  // "WAV, 16 bit PCM"
  Hertz sampling_frequency{};
  Index frames = 0;  // as the header says
  int channels = 0;

  [[nodiscard]] Seconds duration() const { return {static_cast<double>(frames) / sampling_frequency.value}; }
};

struct AudioPart {
  Index first_frame = 0;
  std::optional<Index> frames{};  // nothing: to the end
  std::optional<int> channel{};   // from 0; nothing: the mean of all
};

// Throws not_found, io (not readable), bad_data (no audio, a broken header).
[[nodiscard]] AudioHeader read_audio_header(const std::filesystem::path& path);

// Throws as above, invalid_argument (no such channel, a part beyond the end) and bad_data (the file
// holds fewer frames than its header says).
[[nodiscard]] Sound read_audio(const std::filesystem::path& path, const AudioPart& part = {});

// One channel of 16 bit PCM, WAV or FLAC by the path's ending; whole or not there. What is beyond full scale is limited
// to it. Throws invalid_argument (another ending, a rate that is not whole, a sample that is not finite), unsupported
// (a libsndfile without FLAC), cannot_create, io.
void write_audio(const std::filesystem::path& path, const Sound& sound);

// Envelopes: a table, one row per sample, one column or several, and beside it a JSON with SamplingFrequency,
// StartTime (0 if it is not there) and Columns (the header row, again). Or with the ending .npy one column of numpy's
// (npy_file.h), called envelope. Throws not_found (no table, no sidecar), io, bad_data with row and column: n/a, text,
// no rows.
[[nodiscard]] Envelope read_envelope(const std::filesystem::path& path);

// The same from memory; the sidecar's errors begin with "sidecar".
[[nodiscard]] Envelope parse_envelope(std::string_view table, std::string_view sidecar);

// Table and sidecar (same name, .json) appear together, or neither. digits: significant, 1..17; 17 reads back
// exactly. Throws cannot_create, io, or invalid_argument for what cannot be read back.
void write_envelope(const std::filesystem::path& path, const Envelope& envelope, int digits = 9);

}  // namespace heed::io
