// SPDX-License-Identifier: MIT
// Walks over a whole MAT 5 file before matio sees it, and refuses whatever does not add up: lengths that do not
// fit, arrays whose data are fewer than their dimensions say, structs without names. matio trusts such numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::io {

struct Mat5Variable {
  std::string name{};
  int array_class = 0;         // as the format numbers them: 1 cell, 2 struct ... 17 object
  std::string object_class{};  // "table" of an object; empty where there is none
};

// Throws bad_data with the byte, io.
[[nodiscard]] std::vector<Mat5Variable> check_mat5(const std::filesystem::path& path);

}  // namespace heed::io
