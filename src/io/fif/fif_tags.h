// SPDX-License-Identifier: MIT
// The tags of a FIF file (Neuromag, MNE), walked over once: measurement information, the places of the samples and
// annotations. Every length is held against the file's before anything is read; big endian throughout.
#pragma once

#include <heed/data/recording.h>
#include <io/open_file.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::io {

enum class FifNumber { int16, int32, float32, float64 };

[[nodiscard]] constexpr std::int64_t bytes_of(FifNumber type) noexcept {
  return type == FifNumber::int16 ? 2 : type == FifNumber::float64 ? 8 : 4;
}

struct FifChannel {
  std::string name{};
  std::string unit{};
  double gain = 1;          // cal * range: from stored numbers to the unit
  bool is_trigger = false;  // a stimulus channel: its changes are events
};

// Samples of all channels, one of each after the other.
struct FifBuffer {
  std::int64_t offset = 0;  // bytes
  FifNumber type = FifNumber::float32;
  Index first_sample = 0;
  Index samples = 0;
  bool after_pause = false;  // samples were left out before it
  Index skipped = 0;         // how many
};

struct FifContent {
  Hertz sampling_frequency{};
  Index first_sample = 0;               // of the acquisition's clock, which annotations count from
  std::optional<std::int64_t> start{};  // seconds since 1970, UTC
  std::vector<FifChannel> channels{};   // as stored
  std::vector<FifBuffer> buffers{};
  std::vector<RecordingEvent> annotations{};  // on the clock of the samples
  std::string continued_in{};                 // a file that holds the rest
};

// Throws bad_data, with the byte, for a broken file, and unsupported for one without continuous data (epochs,
// averages).
[[nodiscard]] FifContent walk_fif(const SampleFile& file);

[[nodiscard]] bool looks_like_fif(std::string_view first_bytes) noexcept;

// A number of a buffer.
[[nodiscard]] double fif_number(FifNumber type, const char* bytes) noexcept;

}  // namespace heed::io
