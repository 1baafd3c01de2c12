// SPDX-License-Identifier: MIT
// MAT files of MATLAB 5 to 7, everything in them read. Those of 7.3 are opened in a process apart, whose end is no
// find; mat73.cpp makes such files and reads them without it.
#include <io/mat/mat_file.h>

#include <string>
#include <string_view>

#include "formats.h"
#include "target.h"

namespace heed::fuzz {
namespace {

// What readers of data sets ask a value for.
void ask(const io::MatFile& file, const std::string& name) {
  const io::MatValue value = file.variable(name);
  require(!value.described().empty());
  allow_errors([&] { require(value.samples().size() > 0); });
  allow_errors([&] { require(value.samples_across().size() > 0); });
  allow_errors([&] { require(value.positive() > 0); });
  allow_errors([&] { (void)value.text(); });
  for (const std::string_view path : {"x", "deep.x", "{1}", "(2).label", "{", ".x{1}.x"}) {
    allow_errors([&] { (void)value.at(path); });
  }
}

void read(const std::filesystem::path& path) {
  const io::MatFile file = io::MatFile::open(path);
  for (const std::string& name : file.names()) ask(file, name);
  allow_errors([&] { (void)file.variable("none of them"); });
  (void)io::read_all_of(file);
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  constexpr std::size_t version = 124;
  if (bytes.size() > version + 1 && (bytes[version] == '\x02' || bytes[version + 1] == '\x02')) return -1;
  if (bytes.find("\x89HDF") != std::string_view::npos) return -1;
  const MemoryFile file(bytes);
  allow_errors([&] { read(file.path()); });
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::MatRecords)
