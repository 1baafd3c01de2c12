// SPDX-License-Identifier: MIT
// Results in files by what they were made from: a finished cell is found again, a changed input finds nothing. A cell
// is a table with one line of provenance before it, written whole or not at all.
#pragma once

#include <heed/data/study/result_table.h>

#include <filesystem>
#include <optional>
#include <string>

namespace heed::study {

// May be used by several threads, and by several processes on one folder.
class CellStore {
 public:
  // The folder is made where it is not there. Throws cannot_create.
  explicit CellStore(std::filesystem::path folder);

  // Nothing if there is no such cell, or the file is damaged: it is then as good as none.
  [[nodiscard]] std::optional<ResultTable> find(const std::string& key) const;
  // `key` is a digest of everything the table depends on. Throws cannot_create or io, naming the file.
  void keep(const std::string& key, const ResultTable& table, const std::string& made_from) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace heed::study
