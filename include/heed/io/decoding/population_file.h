// SPDX-License-Identifier: MIT
// A population as versioned JSON, one line an entry: statistics and digests, no samples of anybody. What was written
// reads back exactly. docs/formats.md, populations.
#pragma once

#include <heed/data/population.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// Raised when an older heed could misread a newer file.
inline constexpr std::size_t population_format_version = 1;

// Throws not_found, io; unsupported for a version this heed does not know; bad_data naming the entry (counted from 1)
// and the key that is missing, mistyped, no number, out of range, or of another size than channels and delays say.
[[nodiscard]] Population read_population(const std::filesystem::path& path);
[[nodiscard]] Population parse_population(std::string_view text);

// Throws cannot_create, io, or invalid_argument for a population that could not be read back.
void write_population(const std::filesystem::path& path, const Population& population);
[[nodiscard]] std::string population_text(const Population& population);

// How many different listeners there are.
[[nodiscard]] std::size_t listeners_in(const Population& population);

// One line for people: "9 listeners, 18 entries; ls, ridge 0.3, lags 0 ... 250 ms; 0.5 ... 9 Hz, ...".
[[nodiscard]] std::string describe(const Population& population);

}  // namespace heed::io
