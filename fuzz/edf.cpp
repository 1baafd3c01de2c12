// SPDX-License-Identifier: MIT
// EDF and BDF: what a header promises is there, and can be read whole and in part.
#include <heed/io/recording_file.h>

#include "target.h"

namespace heed::fuzz {
namespace {

void read(const std::filesystem::path& file) {
  const RecordingHeader header = io::read_recording_header(file);
  require(header.samples > 0 && !header.channels.empty() && !header.segments.empty());
  io::RecordingPart part;
  part.channels = {header.channels.back().name};
  part.to = Seconds{1};
  allow_errors([&] { (void)io::read_recording(file, part); });
  const Recording recording = io::read_recording(file);
  require(recording.samples.rows() == header.samples);
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  // Anything else is told apart from EDF by these bytes alone.
  if (!bytes.starts_with("0       ") && !bytes.starts_with("\xff"
                                                           "BIOSEMI"))
    return -1;
  const MemoryFile file(bytes);
  allow_errors([&] { read(file.path()); });
  return 0;
}
