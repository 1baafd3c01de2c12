// SPDX-License-Identifier: MIT
// Walks over a whole MAT 5 file before matio sees it, and refuses whatever does not add up: lengths that do not
// fit, arrays whose data are fewer than their dimensions say, structs without names. matio trusts such numbers.
#pragma once

#include <io/open_file.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

struct Mat5Variable {
  std::string name{};
  int array_class = 0;         // as the format numbers them: 1 cell, 2 struct ... 17 object
  std::string object_class{};  // "table" of an object; empty where there is none
};

// Throws bad_data with the byte, io.
[[nodiscard]] std::vector<Mat5Variable> check_mat5(const std::filesystem::path& path);

// A stretch of a file.
struct FileStretch {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

// Bytes of the file, read forwards: as they stand, or inflated from a compressed element. What is passed over in a
// compressed element is inflated all the same, so that a broken one is found.
class Mat5Stream {
 public:
  // The file must outlive the stream.
  Mat5Stream(const FileDescriptor& file, FileStretch stretch, bool compressed);
  ~Mat5Stream();
  Mat5Stream(const Mat5Stream&) = delete;
  Mat5Stream& operator=(const Mat5Stream&) = delete;

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
