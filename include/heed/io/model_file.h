// SPDX-License-Identifier: MIT
// Trained models as versioned JSON, and transition probabilities as text. Every double reads back as it was.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/model.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// Raised when an older heed could misread a newer file. Files that version 1 can say are written as such: version 2 has
// a dependence between windows.
inline constexpr std::size_t model_format_version = 2;

// Throws not_found, io; unsupported for a version or emission this heed does not know; bad_data naming
// the key that is missing, mistyped or out of range.
[[nodiscard]] Model read_model(const std::filesystem::path& path);
[[nodiscard]] Model parse_model(std::string_view text);

// Throws cannot_create, io, or invalid_argument for a model that could not be read back.
void write_model(const std::filesystem::path& path, const Model& model);
[[nodiscard]] std::string model_text(const Model& model);

// One line for people: "fisher-gaussian, shared sigma: mu 0.124 / 0.037, sigma 0.303".
[[nodiscard]] std::string describe(const Emission& emission);
// The same, and the temperature and the dependence where there are such.
[[nodiscard]] std::string describe(const Model& model);

// Transition probabilities: N x N numbers, tabs, no header, row = from, column = to. Whether rows are probabilities is
// for the chain to say. Throws not_found, io, or bad_data with the row.
[[nodiscard]] Matrix read_chain(const std::filesystem::path& path);
[[nodiscard]] Matrix parse_chain(std::string_view text);

}  // namespace heed::io
