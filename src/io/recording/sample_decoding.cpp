// SPDX-License-Identifier: MIT
#include <io/recording/sample_decoding.h>

#include <array>
#include <bit>
#include <cstring>

namespace heed::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little endian, and read as they lie");

template <typename Number>
Number load(const char* bytes) noexcept {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// Four numbers in a register, whatever the machine calls it.
using Floats = float __attribute__((vector_size(16)));
using Doubles = double __attribute__((vector_size(32)));
using Integers = std::int32_t __attribute__((vector_size(16)));

// Numbers that lie as the machine has them.
template <typename Number, typename Four>
struct Plain {
  static constexpr std::int64_t size = sizeof(Number);
  static Number number(const char* bytes) noexcept { return load<Number>(bytes); }
  static Four four(const char* bytes) noexcept { return load<Four>(bytes); }
};
using Shorts = std::int16_t __attribute__((vector_size(8)));
using Int16 = Plain<std::int16_t, Shorts>;
using Int32 = Plain<std::int32_t, Integers>;
using Float32 = Plain<float, Floats>;
// Four of them are handed around by no register that every machine has: one at a time.
using Float64 = Plain<double, double>;

// Four bytes are taken and the last is shifted out, which keeps the sign.
struct Int24 {
  static constexpr std::int64_t size = 3;
  static std::int32_t number(const char* bytes) noexcept {
    return static_cast<std::int32_t>(load<std::uint32_t>(bytes) << 8U) >> 8;
  }
  static Integers four(const char* bytes) noexcept {
    const Integers taken{load<std::int32_t>(bytes), load<std::int32_t>(bytes + 3), load<std::int32_t>(bytes + 6),
                         load<std::int32_t>(bytes + 9)};
    return (taken << 8) >> 8;
  }
};

template <typename Format>
float sample(const ChannelBytes& channel, const char* bytes) noexcept {
  return static_cast<float>(channel.gain * static_cast<double>(Format::number(bytes)) + channel.offset);
}

// The next four samples of a channel, each as sample() gives it.
template <typename Format>
Floats four_samples(const ChannelBytes& channel, const char* bytes) noexcept {
  const Doubles physical = channel.gain * __builtin_convertvector(Format::four(bytes), Doubles) + channel.offset;
  return __builtin_convertvector(physical, Floats);
}

// Four samples of four channels, turned on the way from the file's order to the matrix's.
template <typename Format>
void decode_square(const ChannelBytes* channels, std::int64_t first, float* to, std::ptrdiff_t stride) noexcept {
  const std::int64_t at = first * Format::size;
  const Floats a = four_samples<Format>(channels[0], channels[0].bytes + at);
  const Floats b = four_samples<Format>(channels[1], channels[1].bytes + at);
  const Floats c = four_samples<Format>(channels[2], channels[2].bytes + at);
  const Floats d = four_samples<Format>(channels[3], channels[3].bytes + at);
  const Floats early_ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Floats late_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Floats early_cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Floats late_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const std::array<Floats, 4> rows{
      __builtin_shufflevector(early_ab, early_cd, 0, 1, 4, 5), __builtin_shufflevector(early_ab, early_cd, 2, 3, 6, 7),
      __builtin_shufflevector(late_ab, late_cd, 0, 1, 4, 5), __builtin_shufflevector(late_ab, late_cd, 2, 3, 6, 7)};
  for (std::ptrdiff_t k = 0; k < 4; ++k)
    std::memcpy(to + k * stride, &rows[static_cast<std::size_t>(k)], sizeof(Floats));
}

// Channels from `leftmost` on, rows from `top` on, a sample at a time.
template <typename Format>
void decode_rest(std::span<const ChannelBytes> channels, std::size_t leftmost, std::int64_t top,
                 SampleRows rows) noexcept {
  for (std::size_t c = leftmost; c < channels.size(); ++c) {
    for (std::int64_t i = top; i < rows.count; ++i) {
      rows.data[i * rows.stride + static_cast<std::ptrdiff_t>(c)] =
          sample<Format>(channels[c], channels[c].bytes + i * Format::size);
    }
  }
}

// In bands of 32 rows, which stay in the first cache while every channel is written into them.
template <typename Format>
void decode_contiguous(std::span<const ChannelBytes> channels, SampleRows rows) noexcept {
  constexpr std::int64_t band = 32;
  const std::int64_t whole = rows.count / band * band;
  const std::size_t fours = channels.size() / 4 * 4;
  for (std::int64_t first = 0; first < whole; first += band) {
    for (std::size_t c = 0; c < fours; c += 4) {
      for (std::int64_t i = first; i < first + band; i += 4) {
        decode_square<Format>(channels.data() + c, i, rows.data + i * rows.stride + c, rows.stride);
      }
    }
    decode_rest<Format>(channels, fours, first, {rows.data, rows.stride, first + band});
  }
  decode_rest<Format>(channels, 0, whole, rows);
}

template <typename Format>
void decode_interleaved(std::span<const ChannelBytes> channels, std::int64_t step, SampleRows rows) noexcept {
  for (std::int64_t i = 0; i < rows.count; ++i) {
    float* const row = rows.data + i * rows.stride;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      row[c] = sample<Format>(channels[c], channels[c].bytes + i * step);
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
    case Encoding::float64:
      return decode_rest<Float64>(channels, 0, 0, rows);
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
    case Encoding::float64:
      return decode_interleaved<Float64>(channels, step, rows);
  }
}

}  // namespace heed::io
