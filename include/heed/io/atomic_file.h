// SPDX-License-Identifier: MIT
// Output that is whole or not there: written under a temporary name in the target's folder, every
// write checked, synced, then renamed. A disk that fills leaves what was there before untouched.
#pragma once

#include <filesystem>
#include <string_view>

namespace heed::io {

// A file waiting for its name. Two of them let a table and its sidecar appear together.
class StagedFile {
 public:
  // Throws cannot_create (no such folder, not writable, a directory) or io (disk full); nothing is left behind then.
  StagedFile(const std::filesystem::path& path, std::string_view text);
  ~StagedFile();  // removes the temporary file unless committed
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  StagedFile(StagedFile&&) = delete;
  StagedFile& operator=(StagedFile&&) = delete;

  // Gives the file its name, replacing what was there. Throws cannot_create.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty once committed
};

// "-" (standard output), a device, a pipe: written directly, for there is nothing to rename.
[[nodiscard]] bool is_output_stream(const std::filesystem::path& path);

// Throws cannot_create or io; the message names the file. Follows symbolic links, keeps permissions.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace heed::io
