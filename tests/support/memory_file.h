// SPDX-License-Identifier: MIT
// A file that never touches a disk, for tests that write one thousands of times.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heed::test {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("heed-test", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("cannot make a file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  // Opens like any other file, in this process.
  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  // The whole content from now on; gives the path.
  // NOLINTNEXTLINE(modernize-use-nodiscard)
  std::filesystem::path write(std::string_view bytes) const {
    const auto size = static_cast<ssize_t>(bytes.size());
    if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != size) {
      throw std::runtime_error("cannot write a file in memory");
    }
    return path();
  }

 private:
  int descriptor_;
};

}  // namespace heed::test
