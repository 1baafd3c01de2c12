// SPDX-License-Identifier: MIT
// Writes MAT files of MATLAB 5 to 7: real numbers, text, cells and structs. Sizes come first in such a file and numbers
// last, so that large ones are asked for when they are written, one at a time.
#pragma once

#include <heed/data/matrix.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::io {

class Mat5Value {
 public:
  // rows x columns; `values` is asked once, when they are written, and gives as many.
  [[nodiscard]] static Mat5Value numbers(Index rows, Index columns, std::function<Eigen::MatrixXd()> values);
  [[nodiscard]] static Mat5Value row(std::vector<double> values);
  [[nodiscard]] static Mat5Value number(double value) { return row({value}); }
  [[nodiscard]] static Mat5Value text(std::string_view utf8);
  // Columns one after the other.
  [[nodiscard]] static Mat5Value cell(Index rows, Index columns, std::vector<Mat5Value> items);
  // One struct; or a row of as many as each field has values.
  using Field = std::pair<std::string, std::vector<Mat5Value>>;
  [[nodiscard]] static Mat5Value structs(std::vector<Field> fields);

  // Bytes of the whole element, and what writes them; `name` is that of a variable, empty inside of one.
  [[nodiscard]] std::uint64_t bytes(std::string_view name) const;
  void write(std::string_view name, const std::function<void(std::string_view)>& sink) const;

 private:
  Mat5Value(int array_class, Index rows, Index columns) : array_class_(array_class), rows_(rows), columns_(columns) {}

  int array_class_;
  Index rows_;
  Index columns_;
  std::string body_{};  // behind dimensions and name, before items and numbers
  std::vector<Mat5Value> items_{};
  std::function<Eigen::MatrixXd()> numbers_{};
};

// Whole or not there. Throws cannot_create, io; unsupported for a variable of more than 2 GB, which the format cannot
// hold; and what asking for numbers does.
void write_mat5(const std::filesystem::path& path, const std::vector<std::pair<std::string, Mat5Value>>& variables);

}  // namespace heed::io
