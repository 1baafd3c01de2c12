// SPDX-License-Identifier: MIT
// A hundred thousand damaged files of LabRecorder's format: none ends the program, and every whole chunk is found.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <io/xdf/xdf_file.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/memory_file.h"
#include "support/mutants.h"
#include "support/xdf_cases.h"

namespace heed::io {
namespace {

void read_all(XdfFile& file) {
  for (std::size_t k = 0; k < file.streams().size(); ++k) {
    const XdfStream& stream = file.streams()[k];
    std::vector<double> times(static_cast<std::size_t>(stream.samples));
    if (!times.empty()) file.read_times(k, 0, times);
    Matrix values(stream.header.format == XdfFormat::text ? 0 : stream.samples, 1);
    stream.header.format == XdfFormat::text ? (void)file.read_markers(k) : file.read(k, 0, values);
  }
}

// Files of others where they are at hand.
std::vector<std::string> originals() {
  std::vector<std::string> files{test::usual_xdf(20).bytes};
  const char* const folder = std::getenv("HEED_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  for (const char* name : {"minimal.xdf", "empty_streams.xdf"}) {
    std::ifstream file(std::filesystem::path(folder == nullptr ? "" : folder) / "xdf" / name, std::ios::binary);
    if (file) files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

TEST(XdfMutants, AHundredThousandAreReadOrRefused) {
  const auto files = originals();
  const test::MemoryFile memory;
  RandomStream random(11);
  const std::size_t each = 50'000 / files.size() + 1;
  for (const std::string& bytes : files) {
    for (std::size_t k = 0; k < each; ++k) {
      // One byte, with what must be found of the rest.
      const auto at = 4 + static_cast<std::size_t>(random.uniform() * static_cast<double>(bytes.size() - 4));
      std::string mutant = bytes;
      mutant[at] = static_cast<char>(random.bits());
      XdfFile file = XdfFile::open(memory.write(mutant));
      test::expect_whole_chunks(bytes, at, file);
      read_all(file);
    }
    test::for_each_mutant(bytes, each, 12, [&](const std::string& mutant) {
      try {
        XdfFile file = XdfFile::open(memory.write(mutant));
        read_all(file);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("XDF"), std::string::npos) << error.what();
      }
    });
  }
}

}  // namespace
}  // namespace heed::io
