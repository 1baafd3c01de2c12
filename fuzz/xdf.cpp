// SPDX-License-Identifier: MIT
// A file of LabRecorder, read as far as it makes sense.
#include <io/xdf/xdf_file.h>

#include <cmath>

#include "formats.h"
#include "target.h"

namespace heed::fuzz {
namespace {

void read(std::string_view bytes) {
  const MemoryFile memory(bytes);
  io::XdfFile file = io::XdfFile::open(memory.path());
  Index samples = 0;
  for (std::size_t k = 0; k < file.streams().size(); ++k) {
    const io::XdfStream& stream = file.streams()[k];
    samples += stream.samples;
    Index covered = 0;
    for (const io::XdfSegment& segment : stream.segments) {
      require(segment.first_sample == covered && segment.samples > 0 && segment.period.value > 0);
      covered += segment.samples;
    }
    require(!stream.header.is_regular() || covered == stream.samples);
    if (stream.samples == 0) continue;
    std::vector<double> times(static_cast<std::size_t>(std::min<Index>(stream.samples, 1000)));
    file.read_times(k, stream.samples - std::ssize(times), times);
    if (stream.header.format == io::XdfFormat::text) {
      (void)file.read_markers(k);
    } else {
      Matrix values(std::min<Index>(stream.samples, 100), 1);
      file.read(k, stream.samples - values.rows(), values);
    }
  }
  require(samples <= static_cast<Index>(bytes.size()));
  require(file.damage().bytes <= static_cast<std::int64_t>(bytes.size()));
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  allow_errors([&] { read(text_of(data, size)); });
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::XdfRecords)
