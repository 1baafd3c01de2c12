// SPDX-License-Identifier: MIT
// The first line of an NDJSON stream: who speaks, and what the lines after it will hold (docs/formats.md).
#pragma once

#include <heed/live/stream.h>

#include <string_view>

namespace heed::live {

// Content is signals where channels are named, else scores: the first line of data tells scores from log-likelihoods.
// Throws bad_data, with the column or the key and a remedy.
[[nodiscard]] StreamDescription parse_ndjson_header(std::string_view line);

}  // namespace heed::live
