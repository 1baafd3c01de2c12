// SPDX-License-Identifier: MIT
// The emission of a model file: its names, what makes it wrong, how it is read.
#pragma once

#include <heed/data/model.h>
#include <io/json_object.h>

#include <string>
#include <string_view>

namespace heed::io {

[[nodiscard]] std::string_view kind_of(const Emission& emission);
[[nodiscard]] std::string_view name_of(Spread spread);
[[nodiscard]] std::string_view name_of(CovarianceShape shape);

// Why the emission makes no sense, beginning with the key; empty if it does.
[[nodiscard]] std::string fault_of(const Emission& emission);

// Throws unsupported for a kind this heed does not know, bad_data naming the key that is missing or mistyped.
[[nodiscard]] Emission parse_emission(const JsonObject& json);

}  // namespace heed::io
