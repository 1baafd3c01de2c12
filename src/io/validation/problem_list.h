// SPDX-License-Identifier: MIT
// Problems as they are found, each with its file's name below the dataset's folder.
#pragma once

#include <heed/io/bids/problem.h>

#include <filesystem>
#include <string>

namespace heed::io {

class ProblemList {
 public:
  explicit ProblemList(std::filesystem::path root) : root_(std::move(root)) {}

  void error(const std::filesystem::path& file, std::string message, std::size_t row = 0) {
    problems_.push_back({Severity::error, shown(file), row, std::move(message)});
  }
  void warning(const std::filesystem::path& file, std::string message, std::size_t row = 0) {
    problems_.push_back({Severity::warning, shown(file), row, std::move(message)});
  }
  // Messages of readers begin with the whole path, here and inside: all of them are cut to what is below the folder.
  void error(const std::filesystem::path& file, const Error& error);

  // Of one file, or with the file in them already.
  void add(const std::filesystem::path& file, Problems problems);

  [[nodiscard]] Problems take() { return std::move(problems_); }

 private:
  [[nodiscard]] std::string shown(const std::filesystem::path& file) const {
    return file.empty() ? "." : file.lexically_relative(root_).string();
  }

  std::filesystem::path root_;
  Problems problems_;
};

}  // namespace heed::io
