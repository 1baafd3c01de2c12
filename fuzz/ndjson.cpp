// SPDX-License-Identifier: MIT
// NDJSON streams: lines as they are cut from what comes in, each to blocks of the shape that the first line promises.
#include <fcntl.h>
#include <io/open_file.h>
#include <live/connections/line_reader.h>
#include <live/sources/ndjson_reader.h>

#include <cmath>

#include "target.h"

namespace heed::fuzz {
namespace {

void check(const live::Block& block, const live::StreamDescription& stream) {
  using live::BlockKind;
  const auto rows = static_cast<std::size_t>(block.rows);
  require(!block.stamp || std::isfinite(block.stamp->value));
  if (block.kind == BlockKind::eeg) require(rows > 0 && block.samples.size() == rows * stream.channels.size());
  if (block.kind == BlockKind::sound) {
    require(rows > 0 && block.samples.size() + block.values.size() == rows);
    require(static_cast<std::size_t>(block.feed) < stream.feeds.size());
  }
  if (block.kind == BlockKind::scores || block.kind == BlockKind::log_likelihoods) {
    require(rows == 1 && block.values.size() == stream.speakers.size());
  }
  if (block.kind == BlockKind::attended) require(block.speaker < static_cast<int>(stream.speakers.size()));
  for (const float sample : block.samples) require(!std::isinf(sample));
  for (const double value : block.values) require(!std::isinf(value));
}

void read(std::string_view text) {
  constexpr std::size_t longest_line = 4096;
  const MemoryFile file(text);
  const io::FileDescriptor descriptor(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  const live::Waker waker;
  live::LineReader lines(descriptor.get(), longest_line);
  live::NdjsonReader reader("fuzz");
  std::string_view line;
  live::Block block;
  using Came = live::LineReader::Came;
  for (Came came = Came::line; came == Came::line;) {
    came = lines.next(line, waker, Seconds{0});
    require(came != Came::nothing && came != Came::woken && line.size() <= longest_line);
    if (came == Came::end) break;
    reader.read(line);
    require(reader.lines() == lines.line_number());
    while (reader.take(block)) check(block, reader.description());
  }
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  allow_errors([&] { read(text_of(data, size)); });
  return 0;
}
