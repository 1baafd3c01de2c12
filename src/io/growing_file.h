// SPDX-License-Identifier: MIT
// A file that grows under its final name while a session lives: whatever is appended is handed to the system at once,
// so a program that is killed loses nothing of it. One process at a time may write to it.
#pragma once

#include <io/open_file.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// Open for writing and empty, and held until it is closed. Not open: errno says why, EBUSY where another process holds
// it.
[[nodiscard]] FileDescriptor hold_emptied(const std::filesystem::path& path);
// What errno means after that.
[[nodiscard]] std::string why_not_emptied(int error_number);

// Makes an empty file; false where there is one, which is another's. `content` as below. Throws cannot_create.
[[nodiscard]] bool make_new(const std::filesystem::path& path, const std::string& content);

class GrowingFile {
 public:
  GrowingFile() = default;  // none
  // `content` names what is in it, as messages do: "the recording". Throws cannot_create where the file cannot be made,
  // or another process is writing to it.
  GrowingFile(std::filesystem::path path, std::string content);

  [[nodiscard]] bool is_open() const noexcept { return file_.is_open(); }
  // Both throw io: a full disk.
  void append(std::string_view bytes);
  void overwrite_start(std::string_view bytes);
  // Nothing more comes. Throws io where the system could not keep what it took.
  void finish();

 private:
  [[noreturn]] void fail(const char* problem, int error_number) const;

  std::filesystem::path path_{};
  std::string content_{};
  FileDescriptor file_{-1};
};

}  // namespace heed::io
