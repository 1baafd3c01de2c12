// SPDX-License-Identifier: MIT
// What the files of decoders and populations share: lags, how signals are prepared and how windows are scored, as JSON.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/preprocessing.h>
#include <io/json_object.h>

#include <string>
#include <string_view>

namespace heed::io {

// Throws bad_data naming the key, for what is no first and last lag in samples.
[[nodiscard]] LagRange parse_lags(const JsonObject& json, std::string_view key);

[[nodiscard]] std::string_view name_of(ReferenceKind kind) noexcept;

// Throws bad_data naming the key.
[[nodiscard]] Preprocessing parse_preprocessing(const JsonObject& json);

// The same as an object of JSON, on one line.
[[nodiscard]] std::string preprocessing_text(const Preprocessing& preprocessing);

// What makes no sense, beginning with the key; empty: nothing.
[[nodiscard]] std::string fault_of(const Preprocessing& preprocessing);

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
