// SPDX-License-Identifier: MIT
// Recordings of LabRecorder: many streams in one file, each with its own clock, brought to one. A file is walked over
// once when it is opened; samples are then read in any order, and memory is bounded whatever the file holds or claims.
// Damaged and cut files are read as far as they make sense. docs/formats.md, XDF.
#pragma once

#include <heed/data/recording.h>
#include <io/xdf/stream_index.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed::io {

struct XdfStream {
  std::uint32_t id = 0;
  XdfHeader header{};
  Index samples = 0;
  std::optional<Index> declared{};     // as the footer says; nothing: it does not, or is not there
  Index clock_offsets = 0;             // measured
  Index clock_resets = 0;              // found in them
  std::vector<XdfSegment> segments{};  // of a regular stream; a new one behind each pause

  // By the stamps; the nominal one of a stream with fewer than two samples.
  [[nodiscard]] Hertz effective_frequency() const noexcept;
};

// What could not be read.
struct XdfDamage {
  std::int64_t places = 0;  // stretches of the file that make no sense
  std::int64_t bytes = 0;   // in them
  bool cut = false;         // the file ends within one
};

struct XdfMarker {
  Seconds time{};
  std::string text{};  // of the first channel
};

// Not for two threads at once.
class XdfFile {
 public:
  // Throws not_found, io, bad_data (no XDF file; damaged in more places than can be searched), unsupported (a
  // compressed one).
  [[nodiscard]] static XdfFile open(const std::filesystem::path& path);

  [[nodiscard]] const std::vector<XdfStream>& streams() const noexcept { return streams_; }  // by order of the file
  [[nodiscard]] const XdfDamage& damage() const noexcept { return damage_; }
  [[nodiscard]] const std::optional<std::string>& start() const noexcept { return start_; }  // as the file says
  // What a user should know: damage, samples that are missing, clocks that were reset.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  [[nodiscard]] const std::string& name() const noexcept { return file_->name(); }

  // Values of samples from `first` on, as many as `into` has rows, of a stream of numbers. Throws io and bad_data where
  // the file has changed since.
  void read(std::size_t stream, Index first, SampleMatrix& into);
  void read(std::size_t stream, Index first, Matrix& into);
  // Times of any samples, on the clock of the computer that recorded.
  void read_times(std::size_t stream, Index first, std::span<double> into);
  // All samples of a stream of strings, or of numbers as text, by time; as many as can be kept for a file of its size.
  [[nodiscard]] std::vector<XdfMarker> read_markers(std::size_t stream);

 private:
  explicit XdfFile(const std::filesystem::path& path);
  void scan();
  [[nodiscard]] bool take(const Chunk& chunk);
  [[nodiscard]] bool take_header(std::uint32_t id, std::string_view xml);
  [[nodiscard]] StreamIndex* find(std::uint32_t id);
  void describe();
  template <typename Use>
  void visit(std::size_t stream, Index first, Index count, Use&& use);
  template <typename Values>
  void read_values(std::size_t stream, Index first, Values& into);

  std::unique_ptr<SampleFile> file_;  // has a place of its own, which the window knows
  FileWindow window_;
  std::vector<LostBytes> lost_{};
  std::vector<StreamIndex> indices_{};
  std::unordered_map<std::uint32_t, std::size_t> places_{};  // in indices_, by the stream's number
  std::vector<XdfStream> streams_{};
  XdfDamage damage_{};
  std::int64_t unknown_samples_ = 0;  // chunks of samples whose stream has no header
  std::optional<std::string> start_{};
  std::vector<std::string> notes_{};
};

// Whether the file's ending is .xdf.
[[nodiscard]] bool is_xdf_file(const std::filesystem::path& path);

}  // namespace heed::io
