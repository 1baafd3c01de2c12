// SPDX-License-Identifier: MIT
// EEGLAB's datasets, whose samples lie in the file; those of MATLAB 7.3 are HDF5's, read in a process of its own.
#include <heed/io/recording_file.h>

#include <string>
#include <system_error>

#include "formats.h"
#include "target.h"

namespace heed::fuzz {
namespace {

// A file in memory under a name, which is how the format is known.
class NamedFile {
 public:
  NamedFile(const MemoryFile& file, const char* ending)
      : path_(std::filesystem::temp_directory_path() / ("heed-fuzz-" + std::to_string(::getpid()) + ending)) {
    remove();
    std::filesystem::create_symlink(file.path(), path_);
  }
  ~NamedFile() { remove(); }
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;
  NamedFile(NamedFile&&) = delete;
  NamedFile& operator=(NamedFile&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::filesystem::path path_;
};

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  constexpr std::size_t version = 124;
  if (bytes.size() > version + 1 && (bytes[version] == '\x02' || bytes[version + 1] == '\x02')) return -1;
  if (bytes.find("\x89HDF") != std::string_view::npos) return -1;
  const MemoryFile file(bytes);
  const MemoryFile samples(
      std::string(std::size_t{2} * 4 * sizeof(float), '\0'));  // two channels, for datasets that name another file
  const NamedFile named(file, ".set");
  const NamedFile beside(samples, ".fdt");
  allow_errors([&] {
    const heed::RecordingHeader header = heed::io::read_recording_header(named.path());
    require(header.samples > 0 && !header.channels.empty() && !header.segments.empty());
    require(!heed::io::RecordingFile::open(named.path()).files().empty());
    allow_errors([&] { (void)heed::io::read_recording(named.path()); });
  });
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::MatRecords)
