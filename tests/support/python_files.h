// SPDX-License-Identifier: MIT
// Files made by a script of tests/data when the test runs. Tests are skipped where Python lacks a package.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "support/io_temporary_folder.h"
#include "support/tests_folder.h"

namespace heed::test {

class PythonFiles : public ::testing::Test {
 protected:
  // Debian's own interpreter first: the packages are there, not with another that is first on the path.
  void make(const std::string& script) {
    for (const std::string python : {"/usr/bin/python3", "python3"}) {
      if (run({python, "-c 'import numpy, scipy, h5py' 2>/dev/null"}) != 0) continue;
      const auto file = tests_folder() / "data" / script;
      ASSERT_EQ(run({python, "-B", "'" + file.string() + "'", "'" + folder_.path().string() + "'"}), 0);
      return;
    }
    GTEST_SKIP() << "python3 with numpy, scipy and h5py is wanted (Debian: python3-scipy python3-h5py)";
  }

  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;

 private:
  static int run(std::initializer_list<std::string> words) {
    std::string command;
    for (const std::string& word : words) command.append(word).append(" ");
    return std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe): one command, no user's words
  }
};

}  // namespace heed::test
