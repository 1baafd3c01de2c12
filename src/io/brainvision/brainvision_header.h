// SPDX-License-Identifier: MIT
// BrainVision's header (.vhdr) and marker file (.vmrk): sections of "key=value" lines, in UTF-8 or an 8 bit code
// page; names may hold "\1" for a comma.
#pragma once

#include <heed/data/recording.h>
#include <io/recording/header_text.h>
#include <io/recording/sample_decoding.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct BrainVisionChannel {
  std::string name{};
  std::string unit{};
  double resolution = 1;
};

struct BrainVisionHeader {
  std::string data_file{};    // as written, $b not replaced
  std::string marker_file{};  // empty: none
  bool multiplexed = true;    // else all samples of a channel, then the next
  Encoding encoding = Encoding::int16;
  Hertz sampling_frequency{};
  std::optional<std::int64_t> samples{};  // DataPoints
  std::vector<BrainVisionChannel> channels{};
  std::vector<std::string> notes{};
};

// Whether these first bytes of a file are a BrainVision header.
[[nodiscard]] bool looks_like_brainvision(std::string_view first_bytes) noexcept;

// Bytes of a header or marker file as UTF-8: by the code page it names, else by what the bytes are.
[[nodiscard]] std::string decode_brainvision_text(std::string bytes);

// Messages name the line (from 1). Throws bad_data; unsupported for text (ASCII) samples and unknown encodings.
[[nodiscard]] BrainVisionHeader parse_brainvision_header(std::string_view text);

struct BrainVisionMarkers {
  std::vector<RecordingEvent> events{};  // "Type/description", in the file's order
  std::vector<Index> segments{};         // first samples of New Segment markers
  std::optional<LocalTime> start{};      // of the first New Segment that has a date
  std::vector<std::string> notes{};
};

struct MarkerLimits {
  Hertz sampling_frequency{};
  std::size_t most_events = 0;
};

// Lines that are no markers are left out with a note: a recording can be read without them.
[[nodiscard]] BrainVisionMarkers parse_brainvision_markers(std::string_view text, const MarkerLimits& limits);

// One line of a header or marker file.
struct KeyValueLine {
  std::string_view section{};
  std::string_view key{};
  std::string_view value{};
  std::size_t row = 0;
};

// Walks over "key=value" lines; comments (;), blank lines and everything from [Comment] on are passed over.
class KeyValueReader {
 public:
  explicit KeyValueReader(std::string_view text) noexcept : rest_(text) {}
  bool next() noexcept;
  [[nodiscard]] const KeyValueLine& line() const noexcept { return line_; }

 private:
  std::string_view rest_;
  KeyValueLine line_{};
};

// The fields of a value, separated by commas; "\1" in a field is a comma.
[[nodiscard]] std::string field_of(std::string_view value, std::size_t index);

}  // namespace heed::io
