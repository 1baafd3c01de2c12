// SPDX-License-Identifier: MIT
// FIF recordings: tags, channels, events and samples.
#include <heed/io/recording_file.h>

#include "formats.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  // Anything else is told apart from FIF by these bytes alone.
  if (!bytes.starts_with(std::string_view("\0\0\0\x64\0\0\0\x1f", 8))) return -1;
  const MemoryFile file(bytes);
  allow_errors([&] {
    const heed::RecordingHeader header = heed::io::read_recording_header(file.path());
    require(header.samples > 0 && !header.channels.empty() && !header.segments.empty());
    const heed::Recording recording = heed::io::read_recording(file.path());
    require(recording.samples.rows() == header.samples);
  });
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::FifRecords)
