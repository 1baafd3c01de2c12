// SPDX-License-Identifier: MIT
// The header of GDF files, versions 1 and 2 (Schloegl 2006): fixed binary fields, 256 bytes for the recording and 256
// for each channel. What it states is held against the file's size. And the table of events behind the samples.
#pragma once

#include <heed/data/recording.h>
#include <io/recording/header_text.h>
#include <io/recording/record_samples.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct GdfSignal : RecordSignal {
  std::string name{};
  std::string unit{};
};

struct GdfLayout : RecordLayout {
  double version = 2;
  double record_seconds = 1;
  std::vector<GdfSignal> signals{};
  std::optional<LocalTime> start{};
  std::vector<std::string> notes{};
};

// Whether these first bytes of a file are GDF.
[[nodiscard]] bool looks_like_gdf(std::string_view first_bytes) noexcept;

// Throws bad_data with the byte (from 1), or unsupported. Messages do not name the file yet.
[[nodiscard]] GdfLayout read_gdf_layout(const SampleFile& file);

// Codes as they stand in the table, in decimal; by onset. A table that is cut or too long is left out, and a note says
// so.
[[nodiscard]] std::vector<RecordingEvent> read_gdf_events(const SampleFile& file, const GdfLayout& layout,
                                                          std::vector<std::string>& notes);

}  // namespace heed::io
