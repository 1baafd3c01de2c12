// SPDX-License-Identifier: MIT
// A range of lags as a list of two whole numbers.
#pragma once

#include <heed/data/decoder.h>
#include <io/json/json_object.h>

#include <string_view>

namespace heed::io {

// Throws bad_data naming the key, for what is no first and last lag in samples.
[[nodiscard]] LagRange parse_lags(const JsonObject& json, std::string_view key);

}  // namespace heed::io
