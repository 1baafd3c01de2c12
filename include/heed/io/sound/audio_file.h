// SPDX-License-Identifier: MIT
// Audio files: WAV, FLAC, OGG and what else libsndfile reads. Long files are read in part; memory is
// asked for as sound arrives, never because a header claims it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/recording.h>

#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace heed::io
