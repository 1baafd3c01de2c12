// SPDX-License-Identifier: MIT
// An opened recording of any format: what its header says, and the way to the rest. recording_file.cpp chooses
// channels and samples; the formats only fetch them.
#pragma once

#include <heed/data/recording.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::io {

class RecordingSource {
 public:
  RecordingSource() = default;
  virtual ~RecordingSource() = default;
  RecordingSource(const RecordingSource&) = delete;
  RecordingSource& operator=(const RecordingSource&) = delete;
  RecordingSource(RecordingSource&&) = delete;
  RecordingSource& operator=(RecordingSource&&) = delete;

  // Complete but for the events.
  [[nodiscard]] const RecordingHeader& header() const noexcept { return header_; }
  // Every file samples come from; `path` is the one that was opened.
  [[nodiscard]] virtual std::vector<std::filesystem::path> files(const std::filesystem::path& path) const {
    return {path};
  }
  // Samples a channel has at its own rate.
  [[nodiscard]] virtual Index samples_of(std::size_t channel) const = 0;
  // The header with its events, by onset; it is gone from here afterwards.
  [[nodiscard]] RecordingHeader take_header() {
    header_.events = take_events(header_.notes);
    return std::move(header_);
  }
  // As many samples as `into` has rows, from `first` on, of channels of one rate; all are there.
  virtual void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const = 0;

 protected:
  // What a user should know of them goes to `notes`.
  [[nodiscard]] virtual std::vector<RecordingEvent> take_events(std::vector<std::string>& notes) = 0;

  RecordingHeader header_{};  // NOLINT(*-non-private-member-variables-in-classes): filled by the formats
};

[[nodiscard]] std::unique_ptr<RecordingSource> open_edf(const std::filesystem::path& path);
[[nodiscard]] std::unique_ptr<RecordingSource> open_brainvision(const std::filesystem::path& path);

// An event takes more room than its bytes in the file: a file made to hold nothing else may not cost many times its
// size. Real recordings stay far below.
[[nodiscard]] inline std::size_t most_events(std::int64_t file_size) noexcept {
  constexpr std::int64_t always = 1000;
  constexpr std::int64_t bytes_for_each = 200;
  return static_cast<std::size_t>(always + file_size / bytes_for_each);
}

// Bytes fetched at once: enough to make reading cheap, little beside what the file becomes in memory.
[[nodiscard]] inline std::int64_t piece_of(std::int64_t file_size) noexcept {
  return std::clamp<std::int64_t>(file_size / 8, std::int64_t{1} << 16U, std::int64_t{1} << 20U);
}

inline void sort_by_onset(std::vector<RecordingEvent>& events) {
  std::ranges::stable_sort(events, {}, &RecordingEvent::onset);
}

}  // namespace heed::io
