// SPDX-License-Identifier: MIT
// MAT files of MATLAB 5 to 7 and 7.3, for hostile ones too: nothing is believed before it is checked, and
// nothing is read before it is asked for. Values are reached by name; every error says which value, what it is
// and what was wanted. Not for two threads at once: the libraries behind are not.
#pragma once

#include <heed/data/error.h>
#include <heed/data/recording.h>
#include <io/mat/mat_node.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// Larger than an hour of 68 channels at 128 Hz in double precision, by far; smaller than a machine's memory.
inline constexpr std::size_t largest_mat_array = std::size_t{1} << 30U;  // bytes in memory

// A value in a file. Cheap to copy; keeps the file open.
class MatValue {
 public:
  // Each throws bad_data, "file: trials{3}.RawData: ...", where the value is not as wanted.
  [[nodiscard]] MatValue field(std::string_view name) const;  // of one struct
  [[nodiscard]] MatValue cell(std::size_t index) const;       // from 0
  [[nodiscard]] MatValue element(std::size_t index) const;    // of an array of structs, from 0
  // "RawData.EegData", "stimuli{2}", "Channels(3).Label": as MATLAB writes it, counted from 1.
  [[nodiscard]] MatValue at(std::string_view path) const;

  [[nodiscard]] bool has(std::string_view name) const;  // one struct, with such a field
  [[nodiscard]] std::vector<std::string> field_names() const { return node_->fields(); }
  [[nodiscard]] bool is(MatKind kind) const noexcept { return node_->kind() == kind; }
  [[nodiscard]] std::size_t size() const noexcept { return single_ ? 1 : node_->size(); }

  [[nodiscard]] const std::vector<std::size_t>& dimensions() const noexcept { return node_->dimensions(); }

  [[nodiscard]] double number() const;  // finite
  [[nodiscard]] double positive() const;
  [[nodiscard]] std::vector<double> numbers() const;  // all of them, finite, columns one after the other
  [[nodiscard]] std::string text() const;             // a row of char, blanks at the ends removed
  // A matrix, time down the rows. Finite.
  [[nodiscard]] SampleMatrix samples() const;
  // A matrix, time across the columns; the result has it down the rows all the same. Finite.
  [[nodiscard]] SampleMatrix samples_across() const;

  // "file: trials{3}.RawData: problem"
  [[nodiscard]] Error error(std::string_view problem) const;
  // "2560 x 64 double", "an empty struct"
  [[nodiscard]] std::string described() const;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  friend class MatFile;
  MatValue(std::string file, std::string path, std::shared_ptr<const MatNode> node)
      : file_(std::move(file)), path_(std::move(path)), node_(std::move(node)) {}

  [[nodiscard]] Error not_a(std::string_view wanted) const;
  void need(MatKind kind, std::string_view wanted) const;
  void check_array(std::size_t bytes_each) const;

  std::string file_;
  std::string path_;
  std::shared_ptr<const MatNode> node_;
  std::size_t index_ = 0;  // of an array of structs
  bool single_ = false;    // that element alone
};

class MatFile {
 public:
  // Throws not_found, io, bad_data (no MAT file, or a broken one, with the byte), unsupported (MATLAB 4).
  [[nodiscard]] static MatFile open(const std::filesystem::path& path);
  // Of content that is open already; `file` is how errors call it.
  MatFile(std::string file, std::shared_ptr<const MatContent> content)
      : file_(std::move(file)), content_(std::move(content)) {}

  [[nodiscard]] std::vector<std::string> names() const { return content_->names(); }
  [[nodiscard]] bool has(std::string_view name) const;
  // Throws bad_data where there is none of this name; the message lists those there are.
  [[nodiscard]] MatValue variable(std::string_view name) const;

 private:
  std::string file_;
  std::shared_ptr<const MatContent> content_;
};

// Reads everything in a file, down to the last number, and gives how many values there were: for tests of
// broken files.
[[nodiscard]] std::size_t read_all_of(const MatFile& file);

}  // namespace heed::io
