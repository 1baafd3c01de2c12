// SPDX-License-Identifier: MIT
// Bytes of a MAT 5 file, read forwards: as they stand, or inflated from a compressed element. What is passed
// over in a compressed element is inflated all the same, so that a broken one is found.
#pragma once

#include <io/open_file.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

// A stretch of a file.
struct FileStretch {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class Mat5Stream {
 public:
  // The file must outlive the stream.
  Mat5Stream(const FileDescriptor& file, FileStretch stretch, bool compressed);
  ~Mat5Stream();
  Mat5Stream(const Mat5Stream&) = delete;
  Mat5Stream& operator=(const Mat5Stream&) = delete;
  Mat5Stream(Mat5Stream&&) = delete;
  Mat5Stream& operator=(Mat5Stream&&) = delete;

  // Both throw bad_data where the bytes run out or cannot be inflated.
  void read(std::span<unsigned char> bytes);
  void skip(std::uint64_t count);
  // True: nothing is left but the end, and the end of a compressed element is sound.
  [[nodiscard]] bool at_end();

  // "byte 1234", or "byte 1234 of the compressed data at byte 128"
  [[nodiscard]] std::string place() const;

 private:
  struct Inflater;
  std::size_t read_file(std::span<unsigned char> bytes);
  std::size_t read_some(std::span<unsigned char> bytes);
  std::size_t inflate_some(std::span<unsigned char> bytes);

  const FileDescriptor& file_;
  FileStretch stretch_;
  std::uint64_t taken_ = 0;  // from the stretch
  std::uint64_t given_ = 0;  // to the caller
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace heed::io
