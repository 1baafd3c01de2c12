// SPDX-License-Identifier: MIT
// The lab streaming layer without a network: the fake library lies beside the test program, and its script is written
// here (tests/fake_lsl/fake_lsl.cpp says what it may hold).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/io_temporary_folder.h"

namespace heed::test {

class FakeLsl {
 public:
  explicit FakeLsl(const std::string& script) {
    const auto file = folder_.write("script.txt", script);
    ::setenv("HEED_FAKE_LSL", file.c_str(), 1);             // NOLINT(concurrency-mt-unsafe): no other thread yet
    ::setenv("HEED_FAKE_LSL_OUT", sent_file().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }

  [[nodiscard]] static std::string library() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libheed_fake_lsl.so").string();
  }
  [[nodiscard]] std::filesystem::path sent_file() const { return folder_.path() / "sent.txt"; }

 private:
  TemporaryFolder folder_;
};

}  // namespace heed::test
