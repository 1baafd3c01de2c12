// SPDX-License-Identifier: MIT
// The folder a report of studies is written to. It belongs to one cohort: what is there of it is used again, anything
// else is left alone and refused.
#pragma once

#include <io/held_file.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace heed::study {

// Whose the results are.
struct ReportOwner {
  std::string program{};  // "heed reproduce"
  std::string cohort{};   // in words
  std::string key{};      // a digest of the data they are about
};

class ReportFolder {
 public:
  // Throws cannot_create: a file in its place, a folder that holds something else, the results of another cohort or of
  // an earlier version of heed, or that another process is writing to.
  ReportFolder(std::filesystem::path folder, ReportOwner owner);

  [[nodiscard]] std::filesystem::path path(std::string_view name) const { return lock_.folder() / name; }

  // "figures/speakers.svg"; whole or not at all.
  void write(const std::string& name, std::string_view text);
  // Removes what an earlier run wrote and this one did not.
  void finish();

 private:
  void write_record(const std::set<std::string>& files) const;

  io::FolderLock lock_;
  ReportOwner owner_;
  std::set<std::string> earlier_;
  std::set<std::string> written_;
};

}  // namespace heed::study
