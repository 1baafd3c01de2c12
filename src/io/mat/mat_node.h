// SPDX-License-Identifier: MIT
// A value inside a MAT file, whichever version of the format holds it: what it is and how large is known
// at once, its content is read when it is asked for. Private to MatValue, which checks before it asks.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

enum class MatKind {
  number,     // any numeric class, and logical
  text,       // char
  cell,       //
  structure,  // one, or an array of them
  foreign,    // an object of a MATLAB class, sparse, complex, a function: not for other programs
};

class MatNode {
 public:
  MatNode(MatKind kind, std::string class_name, std::vector<std::size_t> dimensions)
      : kind_(kind), class_name_(std::move(class_name)), dimensions_(std::move(dimensions)) {}
  virtual ~MatNode() = default;
  MatNode(const MatNode&) = delete;
  MatNode& operator=(const MatNode&) = delete;

  [[nodiscard]] MatKind kind() const noexcept { return kind_; }
  [[nodiscard]] const std::string& class_name() const noexcept { return class_name_; }  // as MATLAB says
  [[nodiscard]] const std::vector<std::size_t>& dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t count = 1;
    for (const std::size_t dimension : dimensions_) count *= dimension;
    return count;
  }

  // Of a structure; empty for what else there is.
  [[nodiscard]] virtual std::vector<std::string> fields() const = 0;
  // Null where the file has nothing there. The index is below size().
  [[nodiscard]] virtual std::shared_ptr<const MatNode> field(const std::string& name, std::size_t index) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const MatNode> cell(std::size_t index) const = 0;
  // size() numbers, columns one after the other. False: the file is broken there.
  [[nodiscard]] virtual bool read(std::span<float> values) const = 0;
  [[nodiscard]] virtual bool read(std::span<double> values) const = 0;
  // In UTF-8. False: the file is broken there.
  [[nodiscard]] virtual bool read(std::string& text) const = 0;

 private:
  MatKind kind_;
  std::string class_name_;
  std::vector<std::size_t> dimensions_;
};

// The variables of a file.
class MatContent {
 public:
  MatContent() = default;
  virtual ~MatContent() = default;
  MatContent(const MatContent&) = delete;
  MatContent& operator=(const MatContent&) = delete;

  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  // Null where there is none of this name, or it cannot be read at all.
  [[nodiscard]] virtual std::shared_ptr<const MatNode> variable(const std::string& name) const = 0;
};

// MAT 5 files through matio, which gets to see only files that the guard has walked over. Throws bad_data, io, without
// the file's name.
[[nodiscard]] std::shared_ptr<const MatContent> open_mat5(const std::filesystem::path& path);

// MAT 7.3 files through HDF5 itself: matio follows every reference of such a file at once, and ends in a crash where
// one leads back to where it came from. Here a value is opened when it is asked for. Throws bad_data likewise.
[[nodiscard]] std::shared_ptr<const MatContent> open_mat73(const std::filesystem::path& path);

// Opens a MAT file in a process of its own and asks it for the values. HDF5 believes what a damaged file says of
// itself: one of some thousands such files ends it, or makes it ask for all the memory there is. So it ends there, and
// here the file is refused. `open` runs in the other process; it throws heed::Error where the file cannot be opened.
// Throws that error, or bad_data where the process came to its end or was silent for longer than `patience`, here and
// in every later question (then false or null).
[[nodiscard]] std::shared_ptr<const MatContent> open_apart(
    const std::function<std::shared_ptr<const MatContent>()>& open,
    std::chrono::milliseconds patience = std::chrono::minutes(1));

// MATLAB's text is UTF-16 inside: two bytes per unit, as this machine orders them. Half a pair becomes U+FFFD.
[[nodiscard]] std::string utf8_from_utf16(std::string_view bytes);

}  // namespace heed::io
