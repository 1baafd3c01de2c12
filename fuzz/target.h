// SPDX-License-Identifier: MIT
// What fuzz targets share. A target is one function that takes any bytes; libFuzzer drives it in `./dev fuzz`, the
// replayer with the kept inputs in every test run. A heed::Error is a good answer; everything else that goes wrong ends
// the process.
#pragma once

#include <heed/data/error.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace heed::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT(*-reinterpret-cast)
}

// A promise of the reader was broken.
inline void require(bool kept) {
  if (!kept) std::abort();
}

template <typename Call>
void allow_errors(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    require(*error.what() != '\0');
  }
}

// A file that exists in memory only, under a name that can be opened.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("heed-fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0);
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      require(count > 0);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace heed::fuzz
