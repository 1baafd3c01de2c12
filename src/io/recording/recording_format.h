// SPDX-License-Identifier: MIT
// What a format of recordings brings: the endings of its files, the bytes it is known by, and a source that opens one.
// recording_file.cpp lists the formats and chooses channels and samples; the formats only fetch them.
#pragma once

#include <heed/io/recording_file.h>
#include <io/recording/header_text.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::io {

// An opened recording.
class RecordingSource {
 public:
  RecordingSource() = default;
  virtual ~RecordingSource() = default;
  RecordingSource(const RecordingSource&) = delete;
  RecordingSource& operator=(const RecordingSource&) = delete;

  // Complete but for the events.
  [[nodiscard]] const RecordingHeader& header() const noexcept { return header_; }
  // By onset. What a user should know of them goes to `notes`.
  [[nodiscard]] virtual std::vector<RecordingEvent> read_events(std::vector<std::string>& notes) const = 0;
  // Every file samples come from; `path` is the one that was opened.
  [[nodiscard]] virtual std::vector<std::filesystem::path> files(const std::filesystem::path& path) const {
    return {path};
  }
  // Samples a channel has at its own rate.
  [[nodiscard]] virtual Index samples_of(std::size_t channel) const = 0;
  // As many samples as `into` has rows, from `first` on, of channels of one rate; all are there. May be called from
  // several threads at once.
  virtual void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const = 0;

 protected:
  RecordingHeader header_{};  // NOLINT(*-non-private-member-variables-in-classes): filled by the formats
};

struct RecordingFormat {
  std::string_view name{};
  std::vector<std::string_view> endings{};  // of the file to open, lower case; the usual one first
  std::vector<std::string_view> parts{};    // of files that belong to a recording and are not opened themselves
  bool (*recognises)(std::string_view first_bytes) noexcept = nullptr;
  std::unique_ptr<const RecordingSource> (*open)(const std::filesystem::path& path) = nullptr;
};

// Whether the file is a part of a recording whose header has another name: .eeg, .vmrk ...
[[nodiscard]] bool is_recording_part(const std::filesystem::path& path);

// The file a header names, beside the header. Names are often left behind when files are renamed: then the one that is
// called like the header, with one of the endings. Nothing if neither is there.
[[nodiscard]] std::optional<std::filesystem::path> find_beside(const std::filesystem::path& header, std::string name,
                                                               const std::vector<std::string>& endings);

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

// What the events are collected into: not more of them than the file justifies.
class EventList {
 public:
  explicit EventList(std::size_t most) : most_(most) {}

  void add(double onset, double duration, std::string description) {
    if (events_.size() == most_) {
      ++left_out_;
    } else {
      events_.push_back({Seconds{onset}, Seconds{duration}, std::move(description)});
    }
  }

  [[nodiscard]] std::vector<RecordingEvent> take(std::vector<std::string>& notes) {
    if (left_out_ > 0) {
      notes.push_back("there are more events than a file of this size can have; " + std::to_string(left_out_) +
                      " of them are left out");
    }
    sort_by_onset(events_);
    return std::move(events_);
  }

 private:
  std::size_t most_;
  std::size_t left_out_ = 0;
  std::vector<RecordingEvent> events_;
};

// What every writer checks first. Throws invalid_argument: no channels, no samples, shapes that differ, no rate, a
// sample that is not finite; NaN, which says that nothing was recorded, only where the format has floats.
void check_writable(const Recording& recording, bool has_floats);

// Throws invalid_argument for a start that is no time.
[[nodiscard]] std::optional<LocalTime> start_of(const RecordingWriteOptions& options);

// The events that begin within the samples, on a clock whose 0 is the first sample, by onset.
[[nodiscard]] std::vector<RecordingEvent> events_within(const Recording& recording,
                                                        std::span<const RecordingEvent> events);

}  // namespace heed::io
