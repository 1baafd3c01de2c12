// SPDX-License-Identifier: MIT
// Output that is whole or not there: written under a temporary name in the target's folder, every
// write checked, synced, then renamed. A disk that fills leaves what was there before untouched, and what a killed
// process left is removed by the next that writes into the folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// A file waiting for its name. Two of them let a table and its sidecar appear together.
class StagedFile {
 public:
  // Throws cannot_create (no such folder, not writable, a directory) or io (disk full); nothing is left behind then.
  StagedFile(const std::filesystem::path& path, std::string_view text);
  // Empty, for text that comes piece by piece.
  explicit StagedFile(const std::filesystem::path& path);
  ~StagedFile();  // removes the temporary file unless committed
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // Throws io.
  void append(std::string_view text);
  // No more text: checks that all of it is on the disk. Throws io. commit() does it too; of several files that shall
  // appear together, finish all before the first is committed.
  void finish();
  // Gives the file its name, replacing what was there. Throws cannot_create, and as finish().
  void commit();

 private:
  int descriptor_ = -1;  // open, and so held, until committed
  bool finished_ = false;
  std::string name_;  // as given, for messages
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty once committed
};

// "-" (standard output), a device, a pipe: written directly, for there is nothing to rename.
[[nodiscard]] bool is_output_stream(const std::filesystem::path& path);

// Before long work whose result is to be written there: throws as StagedFile does where nothing could be.
void try_output(const std::filesystem::path& path);

// Throws cannot_create or io; the message names the file. Follows symbolic links, keeps permissions.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace heed::io
