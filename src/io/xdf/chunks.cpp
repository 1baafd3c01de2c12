// SPDX-License-Identifier: MIT
#include <io/xdf/chunks.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace heed::io {
namespace {

static_assert(std::endian::native == std::endian::little, "XDF is little endian, and read as it lies");

constexpr std::int64_t piece = std::int64_t{1} << 20U;
constexpr std::int64_t tag_bytes = 2;
constexpr std::int64_t stream_id_bytes = 4;
constexpr std::int64_t offset_bytes = 20;  // stream, time, offset

}  // namespace

void FileWindow::fetch(std::int64_t position, std::int64_t size) {
  const std::int64_t wanted = std::min(std::max(size, piece), file_->size() - position);
  held_ = 0;  // where reading fails, nothing is held
  if (std::ssize(bytes_) < wanted) bytes_.resize(static_cast<std::size_t>(wanted));
  file_->read(position, {bytes_.data(), static_cast<std::size_t>(wanted)});
  begin_ = position;
  held_ = wanted;
}

std::optional<std::uint64_t> read_length(FileWindow& window, std::int64_t& position, std::int64_t end) {
  if (position >= end) return std::nullopt;
  const auto width = static_cast<std::int64_t>(static_cast<unsigned char>(*window.at(position, 1)));
  if ((width != 1 && width != 4 && width != 8) || position + 1 + width > end) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, window.at(position + 1, width), static_cast<std::size_t>(width));
  position += 1 + width;
  return length;
}

std::optional<Chunk> ChunkScanner::frame_at(std::int64_t position) {
  const std::int64_t size = window_->file_size();
  Chunk chunk{.start = position, .content = position};
  const auto length = read_length(*window_, chunk.content, size);
  if (!length || *length < tag_bytes || *length > static_cast<std::uint64_t>(size - chunk.content)) return std::nullopt;
  chunk.end = chunk.content + static_cast<std::int64_t>(*length);
  std::uint16_t tag = 0;
  std::memcpy(&tag, window_->at(chunk.content, tag_bytes), sizeof tag);
  chunk.tag = ChunkTag{tag};
  chunk.content += tag_bytes;
  return chunk;
}

bool ChunkScanner::is_known(const Chunk& chunk) {
  switch (chunk.tag) {
    case ChunkTag::file_header:
      return true;
    case ChunkTag::stream_header:
    case ChunkTag::stream_footer:
    case ChunkTag::samples:
      return chunk.size() >= stream_id_bytes;
    case ChunkTag::clock_offset:
      return chunk.size() == offset_bytes;
    case ChunkTag::boundary:
      return chunk.size() == std::ssize(boundary_bytes) &&
             std::memcmp(window_->at(chunk.content, chunk.size()), boundary_bytes.data(), boundary_bytes.size()) == 0;
  }
  return false;
}

// Whether the file ends here, or a chunk begins.
bool ChunkScanner::follows(std::int64_t position) {
  if (position == window_->file_size()) return true;
  const auto chunk = frame_at(position);
  return chunk && is_known(*chunk);
}

std::optional<Chunk> ChunkScanner::next() {
  while (position_ < window_->file_size()) {
    if (pass_over_lost()) continue;
    const auto chunk = frame_at(position_);
    if (chunk && is_known(*chunk)) {
      position_ = chunk->end;
      return chunk;
    }
    // Chunks that a later version of the format may add are passed over.
    if (chunk && static_cast<std::uint16_t>(chunk->tag) > static_cast<std::uint16_t>(ChunkTag::stream_footer) &&
        follows(chunk->end) && !behind_boundary(chunk->content, chunk->end)) {
      position_ = chunk->end;
      continue;
    }
    go_on_behind_boundary(position_);
  }
  return std::nullopt;
}

void ChunkScanner::refuse(const Chunk& chunk) {
  // A wrong length may end where another chunk begins, having passed over a boundary.
  if (!follows(chunk.end) || behind_boundary(chunk.start + 1, chunk.end)) return go_on_behind_boundary(chunk.start);
  lost_->push_back({chunk.start, chunk.end});
}

bool ChunkScanner::pass_over_lost() {
  const auto found = std::ranges::lower_bound(*lost_, position_, {}, &LostBytes::begin);
  if (found == lost_->end() || found->begin != position_) return false;
  position_ = found->end;
  return true;
}

std::optional<std::int64_t> ChunkScanner::behind_boundary(std::int64_t from, std::int64_t to) {
  constexpr auto needle = std::ssize(boundary_bytes);
  for (std::int64_t at = from; at + needle <= to;) {
    const std::int64_t length = std::min(piece, to - at);
    const char* const bytes = window_->at(at, length);
    const char* const found = std::search(bytes, bytes + length, boundary_bytes.begin(), boundary_bytes.end(),
                                          [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
    if (found != bytes + length) return at + (found - bytes) + needle;
    at += length - needle + 1;
  }
  return std::nullopt;
}

void ChunkScanner::go_on_behind_boundary(std::int64_t from) {
  const std::int64_t size = window_->file_size();
  position_ = behind_boundary(from + 1, size).value_or(size);
  lost_->push_back({from, position_});
}

}  // namespace heed::io
