// SPDX-License-Identifier: MIT
// A binary file read in pieces, wherever they lie. Its size is known from the start, so that a length which the
// file states can be held against it before memory is asked for.
#pragma once

#include <io/file_descriptor.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace heed::io {

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
