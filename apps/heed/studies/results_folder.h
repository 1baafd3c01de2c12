// SPDX-License-Identifier: MIT
// The folder `heed reproduce` writes to. It belongs to one cohort: what is there of it is used again, anything else is
// left alone and refused.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace heed::app {

class ResultsFolder {
 public:
  // `cohort` in words, and `key`, a digest of whom the results are about. Throws cannot_create: a file in its place, a
  // folder that holds something else, or the results of another cohort.
  ResultsFolder(std::filesystem::path folder, std::string cohort, std::string key);

  [[nodiscard]] std::filesystem::path cells() const { return folder_ / "cells"; }
  [[nodiscard]] std::filesystem::path path(std::string_view name) const { return folder_ / name; }

  // "figures/speakers.svg"; whole or not at all.
  void write(const std::string& name, std::string_view text);
  // Removes what an earlier run wrote and this one did not.
  void finish();

 private:
  void write_record(const std::set<std::string>& files) const;

  std::filesystem::path folder_;
  std::string cohort_;
  std::string key_;
  std::set<std::string> earlier_;
  std::set<std::string> written_;
};

}  // namespace heed::app
