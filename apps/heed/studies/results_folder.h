// SPDX-License-Identifier: MIT
// The folder a report of studies is written to. It belongs to one cohort: what is there of it is used again, anything
// else is left alone and refused.
#pragma once

#include <report/study/study_report.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace heed::app {

// Whose the results are.
struct ResultsOwner {
  std::string program;  // "heed reproduce"
  std::string cohort;   // in words
  std::string key;      // a digest of whom they are about
};

class ResultsFolder {
 public:
  // Throws cannot_create: a file in its place, a folder that holds something else, or the results of another cohort.
  ResultsFolder(std::filesystem::path folder, ResultsOwner owner);

  [[nodiscard]] std::filesystem::path cells() const { return folder_ / "cells"; }
  [[nodiscard]] std::filesystem::path path(std::string_view name) const { return folder_ / name; }

  // "figures/speakers.svg"; whole or not at all.
  void write(const std::string& name, std::string_view text);
  // Removes what an earlier run wrote and this one did not.
  void finish();

 private:
  void write_record(const std::set<std::string>& files) const;

  std::filesystem::path folder_;
  ResultsOwner owner_;
  std::set<std::string> earlier_;
  std::set<std::string> written_;
};

// report.html, every figure and every table.
void write_pages(ResultsFolder& folder, const report::StudyReport& report);

}  // namespace heed::app
