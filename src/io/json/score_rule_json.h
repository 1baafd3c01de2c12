// SPDX-License-Identifier: MIT
// How windows are scored, as an object of a decoder's or a population's file.
#pragma once

#include <heed/data/decoder.h>
#include <io/json/json_object.h>

#include <string>
#include <string_view>

namespace heed::io {

// pearson, cosine: the words of options too.
[[nodiscard]] std::string_view name_of(WindowMeasure measure) noexcept;

// On one line: {"Measure":"cosine","Shrinkage":0.3}; "Memory" in seconds where there is one. Of pearson the measure
// alone.
[[nodiscard]] std::string score_rule_text(const ScoreRule& rule);

// Throws bad_data naming the key.
[[nodiscard]] ScoreRule parse_score_rule(const JsonObject& json);

// What makes no sense, beginning with the key; empty: nothing.
[[nodiscard]] std::string fault_of(const ScoreRule& rule);

}  // namespace heed::io
