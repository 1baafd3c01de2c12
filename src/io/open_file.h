// SPDX-License-Identifier: MIT
// An open file of the operating system, and a binary file that is read in pieces, wherever they lie.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace heed::io {

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  // The caller closes it.
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
  // Some file systems report a failed write only here. False: errno says why.
  [[nodiscard]] bool close() noexcept { return ::close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

// What the operating system says of an error number.
inline std::string reason(int error_number) { return std::generic_category().message(error_number); }

// Of a file that is not there: it was never put there, or is a link of git-annex whose content was not fetched.
std::string why_missing(const std::filesystem::path& path);

class SampleFile {
 public:
  // Throws not_found, io (a directory, a pipe: what cannot be read in pieces, unreadable).
  explicit SampleFile(const std::filesystem::path& path);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

  // Fills `bytes`. Throws io, naming the byte, where the file ends before (it has shrunk) or cannot be read.
  // May be called from several threads at once.
  void read(std::int64_t offset, std::span<char> bytes) const;

  // All of it, for files that are headers. Throws unsupported if it is larger than a header can be.
  [[nodiscard]] std::string text() const;

 private:
  std::string name_;
  FileDescriptor descriptor_;
  std::int64_t size_ = 0;
};

}  // namespace heed::io
