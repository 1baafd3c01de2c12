// SPDX-License-Identifier: MIT
// Studies as TOML files (docs/studies.md), those of the paper built into the library.
#pragma once

#include <data/study.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::study {

// `origin` is the file, for messages; the study's name is its stem. Throws bad_data with file, line and remedy: TOML
// that cannot be read, unknown keys (with the nearest known name), missing ones, values outside their range, published
// values and claims about settings that no grid holds.
[[nodiscard]] Study parse_study(std::string_view toml, const std::string& origin);

// The files of studies/, put into the library when it is built (cmake/HeedStudies.cmake), in the order of
// studies/order.txt.
struct BuiltInStudy {
  std::string_view name;
  std::string_view toml;
};
[[nodiscard]] std::span<const BuiltInStudy> built_in_texts() noexcept;
// Their names: the paper's, the main comparison first, then those beyond it.
[[nodiscard]] std::vector<std::string_view> built_in_studies();

struct StudyText {
  std::string origin{};  // its file
  std::string toml{};
};

// A built-in study by its name, or a file if the name ends in .toml. Throws not_found, with the nearest name and all
// there are.
[[nodiscard]] StudyText find_study_text(const std::string& name);

// The same, read. Throws as find_study_text and parse_study.
[[nodiscard]] Study find_study(const std::string& name);

}  // namespace heed::study
