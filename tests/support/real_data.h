// SPDX-License-Identifier: MIT
// Real scores are not part of the project: HEED_TEST_DATA says where they are, and tests that want them skip
// where it is unset.
#pragma once

#include <gtest/gtest.h>
#include <heed/io/score_tables.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::test {

class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("HEED_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
    if (folder == nullptr || !std::filesystem::is_directory(folder)) {
      GTEST_SKIP() << "HEED_TEST_DATA does not name a folder with kul-scores and etard-scores";
    }
    data_ = folder;
  }

  // All files of a folder whose names end so.
  [[nodiscard]] std::vector<std::filesystem::path> files(const std::string& folder, const std::string& ending) const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(data_ / folder)) {
      if (entry.path().filename().string().ends_with(ending)) found.push_back(entry.path());
    }
    return found;
  }
  // The same as a cohort.
  [[nodiscard]] std::vector<ScoredParticipant> read(const std::string& folder, const std::string& ending) const {
    return io::read_scores_cohort(files(folder, ending)).participants;
  }

 private:
  std::filesystem::path data_;
};

}  // namespace heed::test
