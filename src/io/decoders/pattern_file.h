// SPDX-License-Identifier: MIT
// Forward patterns as a table: a row a channel, a column a lag (named by its seconds), and a JSON that says so.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <filesystem>
#include <span>
#include <string>

namespace heed::io {

struct PatternTable {
  std::span<const std::string> channels{};
  std::span<const Seconds> lags{};
  const Matrix& values;  // channels x lags
};

// Table and sidecar appear together, or neither. Throws cannot_create, io; invalid_argument where the sizes differ.
void write_pattern(const std::filesystem::path& path, const PatternTable& pattern);

}  // namespace heed::io
