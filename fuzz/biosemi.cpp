// SPDX-License-Identifier: MIT
// What a TCP server that need not be ActiView sends. The first three bytes are channels, whether Status is expected,
// and the size of the pieces in which the rest comes.
#include <live/sources/biosemi_decoder.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "target.h"

namespace heed::fuzz {
namespace {

void read(std::span<const std::uint8_t> bytes) {
  const auto channels = static_cast<Index>(1 + bytes[0]);
  const std::optional<bool> status = bytes[1] % 3 == 0 ? std::nullopt : std::optional(bytes[1] % 3 == 1);
  const std::size_t piece = 1 + (std::size_t{64} * bytes[2]);
  bytes = bytes.subspan(3);
  live::BiosemiDecoder decoder({.channels = channels, .status = status, .rate = {512}});
  Index rows = 0;
  live::Block block;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(piece, bytes.size()));
    bytes = bytes.subspan(part.size());
    decoder.feed(part);
    while (decoder.take(block)) {
      require(block.stamp.has_value());
      if (block.kind != live::BlockKind::eeg) continue;
      rows += block.rows;
      require(block.rows > 0 && static_cast<Index>(block.samples.size()) == block.rows * channels);
      for (const float sample : block.samples) require(!std::isinf(sample));
    }
  }
  require(decoder.rows() == rows && decoder.out_of_range() <= rows);
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  if (size < 3) return -1;
  allow_errors([&] { read({data, size}); });
  return 0;
}
