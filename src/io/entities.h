// SPDX-License-Identifier: MIT
// What a file's name says of its content, as BIDS writes it: key-value pairs joined by underscores,
// then a suffix. sub-01_window-05s_scores.tsv: sub = 01, window = 05s, suffix = scores.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::io {

struct FileEntities {
  std::vector<std::pair<std::string, std::string>>
      pairs;           // in the name's order; e.g. sub ses task run window decoder desc
  std::string suffix;  // last part if it is no pair; else empty

  // Empty where the name has no such pair; the first if it has two.
  [[nodiscard]] std::string_view value(std::string_view key) const noexcept;
};

[[nodiscard]] FileEntities parse_entities(const std::filesystem::path& file);

// The file's name without extension, and without the suffix if it is one heed reads (scores, posterior,
// reconstruction):
// sub-01_run-2 of sub-01_run-2_scores.tsv, listener_a of listener_a.tsv.
[[nodiscard]] std::string name_without_suffix(const std::filesystem::path& file);

// Who the file is about: "01" of sub-01, else name_without_suffix; "stdin" for "-".
[[nodiscard]] std::string participant_id(const std::filesystem::path& file);

}  // namespace heed::io
