// SPDX-License-Identifier: MIT
// MAT files of MATLAB 5 to 7, everything in them read. Those of 7.3 are opened in a process apart, whose end is no
// find; tests/unit/io/mat_file_test.cpp breaks them.
#include <io/mat/mat_file.h>

#include "formats.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  const std::string_view bytes = text_of(data, size);
  constexpr std::size_t version = 124;
  if (bytes.size() > version + 1 && (bytes[version] == '\x02' || bytes[version + 1] == '\x02')) return -1;
  if (bytes.find("\x89HDF") != std::string_view::npos) return -1;
  const MemoryFile file(bytes);
  allow_errors([&] { (void)heed::io::read_all_of(heed::io::MatFile::open(file.path())); });
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::MatRecords)
