// SPDX-License-Identifier: MIT
#include <io/recording/sample_decoding.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace heed::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little endian, and read as they lie");

template <typename Number>
Number load(const char* bytes) noexcept {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

struct Int16 {
  static constexpr std::int64_t size = 2;
  static std::int16_t number(const char* bytes) noexcept { return load<std::int16_t>(bytes); }
};
struct Int24 {
  static constexpr std::int64_t size = 3;
  // Four bytes are taken and the last is shifted out, which keeps the sign.
  static std::int32_t number(const char* bytes) noexcept {
    return static_cast<std::int32_t>(load<std::uint32_t>(bytes) << 8U) >> 8;
  }
};
struct Int32 {
  static constexpr std::int64_t size = 4;
  static std::int32_t number(const char* bytes) noexcept { return load<std::int32_t>(bytes); }
};
struct Float32 {
  static constexpr std::int64_t size = 4;
  static float number(const char* bytes) noexcept { return load<float>(bytes); }
};

// A tile of so many samples of every channel stays in the first cache while it is turned.
constexpr std::int64_t tile_rows = 32;
constexpr std::size_t tile_channels = 64;
using Tile = std::array<std::array<float, tile_rows>, tile_channels>;

template <typename Format>
void decode_tile(std::span<const ChannelBytes> channels, std::int64_t first, SampleRows rows, Tile& tile) noexcept {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelBytes channel = channels[c];
    const char* const bytes = channel.bytes + first * Format::size;
    float* const decoded = tile[c].data();
    for (std::int64_t i = 0; i < rows.count; ++i) {
      decoded[i] = static_cast<float>(channel.gain * static_cast<double>(Format::number(bytes + i * Format::size)) +
                                      channel.offset);
    }
  }
  for (std::int64_t i = 0; i < rows.count; ++i) {
    float* const row = rows.data + (first + i) * rows.stride;
    for (std::size_t c = 0; c < channels.size(); ++c) row[c] = tile[c][static_cast<std::size_t>(i)];
  }
}

template <typename Format>
void decode_contiguous(std::span<const ChannelBytes> channels, SampleRows rows) noexcept {
  Tile tile;
  for (std::size_t c = 0; c < channels.size(); c += tile_channels) {
    const auto some = channels.subspan(c, std::min(tile_channels, channels.size() - c));
    for (std::int64_t first = 0; first < rows.count; first += tile_rows) {
      const std::int64_t count = std::min(tile_rows, rows.count - first);
      decode_tile<Format>(some, first, {rows.data + c, rows.stride, count}, tile);
    }
  }
}

template <typename Format>
void decode_interleaved(std::span<const ChannelBytes> channels, std::int64_t step, SampleRows rows) noexcept {
  for (std::int64_t i = 0; i < rows.count; ++i) {
    float* const row = rows.data + i * rows.stride;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const ChannelBytes& channel = channels[c];
      row[c] = static_cast<float>(channel.gain * static_cast<double>(Format::number(channel.bytes + i * step)) +
                                  channel.offset);
    }
  }
}

}  // namespace

void decode_channels(Encoding encoding, std::span<const ChannelBytes> channels, SampleRows rows) noexcept {
  switch (encoding) {
    case Encoding::int16:
      return decode_contiguous<Int16>(channels, rows);
    case Encoding::int24:
      return decode_contiguous<Int24>(channels, rows);
    case Encoding::int32:
      return decode_contiguous<Int32>(channels, rows);
    case Encoding::float32:
      return decode_contiguous<Float32>(channels, rows);
  }
}

void decode_multiplexed(Encoding encoding, std::span<const ChannelBytes> channels, std::int64_t step,
                        SampleRows rows) noexcept {
  switch (encoding) {
    case Encoding::int16:
      return decode_interleaved<Int16>(channels, step, rows);
    case Encoding::int24:
      return decode_interleaved<Int24>(channels, step, rows);
    case Encoding::int32:
      return decode_interleaved<Int32>(channels, step, rows);
    case Encoding::float32:
      return decode_interleaved<Float32>(channels, step, rows);
  }
}

}  // namespace heed::io
