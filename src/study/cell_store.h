// SPDX-License-Identifier: MIT
// Results in files by what they were made from: a finished cell is found again, a changed input finds nothing. A cell
// is one or more tables with one line of provenance before them, written whole or not at all.
#pragma once

#include <data/study.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

// May be used by several threads, and by several processes on one folder.
class CellStore {
 public:
  // The folder is made when something is kept. Throws cannot_create for a file in its place.
  explicit CellStore(std::filesystem::path folder);

  // Nothing if there is no such cell, or the file is damaged: it is then as good as none.
  [[nodiscard]] std::optional<std::vector<NamedTable>> find(const std::string& key) const;
  // Whether there is a file, whole or damaged.
  [[nodiscard]] bool has_file(const std::string& key) const;
  // `key` is a digest of everything the tables depend on, `made_from` one line. Throws cannot_create or io, naming the
  // file.
  void keep(const std::string& key, std::span<const NamedTable> tables, const std::string& made_from) const;

  // folder/ab/abcdef....tsv, so that no folder holds too many.
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  // Removes temporary files that killed processes left: a minute old or more, and nobody here has the number of the
  // process in their name. The others are left alone. Gives how many.
  [[nodiscard]] std::size_t remove_leftovers() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace heed::study
