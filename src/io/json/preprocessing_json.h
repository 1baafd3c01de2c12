// SPDX-License-Identifier: MIT
// How signals were prepared, as an object of a decoder's file or of a sidecar.
#pragma once

#include <heed/data/preprocessing.h>
#include <io/json/json_object.h>

#include <string>
#include <string_view>

namespace heed::io {

[[nodiscard]] std::string_view name_of(ReferenceKind kind) noexcept;

// Throws bad_data naming the key.
[[nodiscard]] Preprocessing parse_preprocessing(const JsonObject& json);

// The same as an object of JSON, on one line.
[[nodiscard]] std::string preprocessing_text(const Preprocessing& preprocessing);

// What makes no sense, beginning with the key; empty: nothing.
[[nodiscard]] std::string fault_of(const Preprocessing& preprocessing);

}  // namespace heed::io
