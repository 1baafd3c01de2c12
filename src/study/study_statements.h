// SPDX-License-Identifier: MIT
// What a study's file states beside its grids: published values and claims, each about settings the grids hold.
#pragma once

#include <data/study.h>
#include <heed/data/error.h>

#include <vector>

#include "study/setting_lookup.h"
#include "study/toml_document.h"

namespace heed::study {

// Both throw bad_data with file, line and remedy.
[[nodiscard]] std::vector<PublishedValue> read_published(const TomlTable& document, const SettingLookup& lookup,
                                                         StudyMeasure measure);
[[nodiscard]] std::vector<Claim> read_claims(const TomlTable& document, const SettingLookup& lookup,
                                             StudyMeasure measure);

// A number or a word; true and false are the words yes and no. Throws bad_data for a list or a table.
[[nodiscard]] TableValue read_value(const TomlTable& table, const TomlNode& node);

// Does something whose errors know nothing of the file.
template <typename Action>
auto at_its_line(const TomlTable& table, std::size_t line, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw table.wrong(line, error.what());
  }
}

}  // namespace heed::study
