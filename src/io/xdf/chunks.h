// SPDX-License-Identifier: MIT
// The frame of an XDF file: chunks of [width of the length][length][tag][content], read in pieces. No length is
// trusted: where a frame makes no sense, reading goes on behind the next boundary chunk, and what was passed over is
// counted. docs/formats.md, XDF.
#pragma once

#include <io/open_file.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heed::io {

enum class ChunkTag : std::uint16_t {
  file_header = 1,
  stream_header = 2,
  samples = 3,
  clock_offset = 4,
  boundary = 5,
  stream_footer = 6,
};

inline constexpr std::string_view xdf_magic = "XDF:";
// What a boundary chunk holds.
inline constexpr std::array<unsigned char, 16> boundary_bytes{0x43, 0xA5, 0x46, 0xDC, 0xCB, 0xF5, 0x41, 0x0F,
                                                              0xB3, 0x0E, 0xD5, 0x46, 0x73, 0x83, 0xCB, 0xE4};

// A stretch of the file in memory, which moves on as it is asked for what lies behind it.
class FileWindow {
 public:
  explicit FileWindow(const SampleFile& file) : file_(&file) {}

  [[nodiscard]] std::int64_t file_size() const noexcept { return file_->size(); }
  [[nodiscard]] const std::string& file_name() const noexcept { return file_->name(); }
  // So many bytes from `position` on, all within the file; valid until the next call. Throws io.
  [[nodiscard]] const char* at(std::int64_t position, std::int64_t size) {
    if (position < begin_ || position + size > begin_ + held_) fetch(position, size);
    return bytes_.data() + (position - begin_);
  }

 private:
  void fetch(std::int64_t position, std::int64_t size);

  const SampleFile* file_;
  std::vector<char> bytes_{};
  std::int64_t begin_ = 0;
  std::int64_t held_ = 0;
};

struct Chunk {
  ChunkTag tag{};
  std::int64_t start = 0;    // of its frame
  std::int64_t content = 0;  // behind the tag
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t size() const noexcept { return end - content; }
};

// A stretch of the file that makes no sense.
struct LostBytes {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class ChunkScanner {
 public:
  // From a position where a chunk begins. What was lost before, by order, is passed over again.
  ChunkScanner(FileWindow& window, std::int64_t position, std::vector<LostBytes>& lost)
      : window_(&window), position_(position), lost_(&lost) {}

  // The next chunk, whose frame makes sense; nothing at the end of the file.
  [[nodiscard]] std::optional<Chunk> next();
  // What the last chunk holds makes no sense. Where another chunk follows it and no boundary lies in it, it alone is
  // lost, else everything up to the next boundary.
  void refuse(const Chunk& chunk);

 private:
  [[nodiscard]] std::optional<Chunk> frame_at(std::int64_t position);
  [[nodiscard]] bool is_known(const Chunk& chunk);
  [[nodiscard]] bool follows(std::int64_t position);
  [[nodiscard]] bool pass_over_lost();
  // Where the first boundary of a stretch ends; nothing where there is none.
  [[nodiscard]] std::optional<std::int64_t> behind_boundary(std::int64_t from, std::int64_t to);
  void go_on_behind_boundary(std::int64_t from);

  FileWindow* window_;
  std::int64_t position_;
  std::vector<LostBytes>* lost_;
};

// The width byte and the number behind it. Nothing where the width is none, or it passes `end`; `position` is moved on.
[[nodiscard]] std::optional<std::uint64_t> read_length(FileWindow& window, std::int64_t& position, std::int64_t end);

}  // namespace heed::io
