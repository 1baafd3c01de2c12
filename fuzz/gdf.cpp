// SPDX-License-Identifier: MIT
// GDF recordings: header, channels, events and samples.
#include <heed/io/recording_file.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  if (!bytes.starts_with("GDF ")) return -1;  // anything else is told apart from GDF by these bytes alone
  const MemoryFile file(bytes);
  allow_errors([&] {
    const heed::RecordingHeader header = heed::io::read_recording_header(file.path());
    require(header.samples > 0 && !header.channels.empty() && !header.segments.empty());
    const heed::Recording recording = heed::io::read_recording(file.path());
    require(recording.samples.rows() == header.samples);
  });
  return 0;
}
