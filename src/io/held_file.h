// SPDX-License-Identifier: MIT
// Files that exist while their maker lives: locked by whoever made them, so that what a killed process left can be told
// from what is in use. Locks are believed on the machine that took them and nowhere else, since not every file system
// that machines share shares them.
#pragma once

#include <io/open_file.h>

#include <filesystem>

namespace heed::io {

// A new file in the folder, open for writing and held until its last descriptor is closed; `path` is its name, short,
// and no other process has it. What killed processes of this machine left of such files is removed. Not open: errno
// says why.
[[nodiscard]] FileDescriptor hold_temporary(const std::filesystem::path& folder, std::filesystem::path& path);

// A folder that one process at a time may fill: it holds a file there that is removed at the end. The folder is made,
// and removed again at the end if it is still empty; what killed processes left of temporary files is removed.
class FolderLock {
 public:
  // Throws cannot_create where the folder cannot be made or written to, or somebody is filling it at this moment.
  explicit FolderLock(std::filesystem::path folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  // Whether the entry of the folder is the lock itself, or a temporary file that a killed process may have left.
  [[nodiscard]] static bool is_passing(const std::filesystem::directory_entry& entry);
  // Whether there is nothing in the folder but these.
  [[nodiscard]] bool is_empty() const;

 private:
  std::filesystem::path folder_;  // empty once it was handed over
  bool made_ = false;
  FileDescriptor held_;
};

}  // namespace heed::io
