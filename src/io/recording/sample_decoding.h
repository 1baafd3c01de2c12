// SPDX-License-Identifier: MIT
// Numbers of a file to samples of a matrix: physical = gain * number + offset, in double precision, rounded once.
// Little endian, as every format here is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heed::io {

enum class Encoding { int16, int24, int32, float32, float64 };

[[nodiscard]] constexpr std::int64_t bytes_of(Encoding encoding) noexcept {
  switch (encoding) {
    case Encoding::int16:
      return 2;
    case Encoding::int24:
      return 3;
    case Encoding::float64:
      return 8;
    default:
      return 4;
  }
}

// Where a channel's samples begin, and how they are scaled.
struct ChannelBytes {
  const char* bytes = nullptr;
  double gain = 1;
  double offset = 0;
};

// Rows of a row-major matrix, `stride` floats apart.
struct SampleRows {
  float* data = nullptr;
  std::ptrdiff_t stride = 0;
  std::int64_t count = 0;
};

// Samples of a channel lie one behind the other; channel c goes to column c. One byte behind the last sample of each
// channel may be read (not used).
void decode_channels(Encoding encoding, std::span<const ChannelBytes> channels, SampleRows rows) noexcept;

// Samples of a channel lie `step` bytes apart: one of each channel, then the next of each.
void decode_multiplexed(Encoding encoding, std::span<const ChannelBytes> channels, std::int64_t step,
                        SampleRows rows) noexcept;

}  // namespace heed::io
