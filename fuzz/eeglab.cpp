// SPDX-License-Identifier: MIT
// EEGLAB's datasets, whose samples lie in the file; those of MATLAB 7.3 are HDF5's, read in a process of its own.
#include <heed/io/recording_file.h>

#include "formats.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  constexpr std::size_t version = 124;
  if (bytes.size() > version + 1 && (bytes[version] == '\x02' || bytes[version + 1] == '\x02')) return -1;
  if (bytes.find("\x89HDF") != std::string_view::npos) return -1;
  const MemoryFile file(bytes);
  // Known by its name.
  const auto named = std::filesystem::temp_directory_path() / ("heed-fuzz-" + std::to_string(::getpid()) + ".set");
  std::error_code ignored;
  std::filesystem::remove(named, ignored);
  std::filesystem::create_symlink(file.path(), named);
  allow_errors([&] {
    const heed::RecordingHeader header = heed::io::read_recording_header(named);
    require(header.samples > 0 && !header.channels.empty() && !header.segments.empty());
    allow_errors([&] { (void)heed::io::read_recording(named); });
  });
  std::filesystem::remove(named, ignored);
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::MatRecords)
