// SPDX-License-Identifier: MIT
// The fast way against the plain one: a sample at a time.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <io/recording/sample_decoding.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <vector>

namespace heed::io {
namespace {

double plain_number(Encoding encoding, const unsigned char* bytes) {
  const auto size = static_cast<std::size_t>(bytes_of(encoding));
  if (encoding == Encoding::float32) {
    float value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  }
  if (encoding == Encoding::float64) {
    double value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  std::int64_t value = 0;
  for (std::size_t k = 0; k < size; ++k) value += static_cast<std::int64_t>(bytes[k]) << (8 * k);
  const std::int64_t half = std::int64_t{1} << (8 * size - 1);
  return static_cast<double>(value >= half ? value - 2 * half : value);
}

RC_GTEST_PROP(SampleDecoding, EqualsOneSampleAtATime, ()) {
  const Encoding encoding =
      *rc::gen::element(Encoding::int16, Encoding::int24, Encoding::int32, Encoding::float32, Encoding::float64);
  const auto channels = *rc::gen::inRange<std::size_t>(1, 150);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 120);
  const auto size = static_cast<std::size_t>(bytes_of(encoding));
  RandomStream random(*rc::gen::arbitrary<std::uint32_t>());
  std::vector<unsigned char> bytes(channels * rows * size + 1);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.bits());
  if (encoding == Encoding::float32 || encoding == Encoding::float64) {  // no NaN, which is not equal to itself
    for (std::size_t i = 1; i <= channels * rows; ++i) bytes[size * i - 1] &= 0x3fU;
  }
  std::vector<ChannelBytes> apart(channels);
  std::vector<ChannelBytes> together(channels);
  const auto* const begin = reinterpret_cast<const char*>(bytes.data());  // NOLINT(*-reinterpret-cast)
  for (std::size_t c = 0; c < channels; ++c) {
    const double gain = random.normal();
    const double offset = random.normal();
    apart[c] = {begin + c * rows * size, gain, offset};
    together[c] = {begin + c * size, gain, offset};
  }
  const auto stride = static_cast<std::ptrdiff_t>(channels + 3);
  std::vector<float> first(rows * (channels + 3), -1.0F);
  std::vector<float> second = first;
  decode_channels(encoding, apart, {first.data(), stride, static_cast<std::int64_t>(rows)});
  decode_multiplexed(encoding, together, static_cast<std::int64_t>(channels * size),
                     {second.data(), stride, static_cast<std::int64_t>(rows)});
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < channels + 3; ++c) {
      const std::size_t at = t * (channels + 3) + c;
      if (c >= channels) {  // what is no column stays as it was
        RC_ASSERT(first[at] == -1.0F);
        continue;
      }
      const auto expected = [&](std::size_t index) {
        return static_cast<float>(apart[c].gain * plain_number(encoding, bytes.data() + index * size) +
                                  apart[c].offset);
      };
      RC_ASSERT(first[at] == expected(c * rows + t));
      RC_ASSERT(second[at] == expected(t * channels + c));
    }
  }
}

}  // namespace
}  // namespace heed::io
