// SPDX-License-Identifier: MIT
// Text files that are whole or not there, whatever happens to who writes them. The first line says what a file was made
// from and ends in a digest of it, of the file's name and of all that follows: a file that was cut, changed or renamed
// is as good as none.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heed::study {

// May be used by several threads, and by several processes on one folder.
class SealedFiles {
 public:
  // The folder is made when something is written. Throws cannot_create for a file in its place.
  explicit SealedFiles(std::filesystem::path folder);

  // What was written; nothing if there is no such file, or it is damaged.
  [[nodiscard]] std::optional<std::string> read(const std::string& name) const;
  // Whether there is a file, whole or damaged.
  [[nodiscard]] bool has(const std::string& name) const;
  // `made_from` is one line. Throws cannot_create or io, naming the file.
  void write(const std::string& name, std::string_view text, const std::string& made_from) const;

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

}  // namespace heed::study
