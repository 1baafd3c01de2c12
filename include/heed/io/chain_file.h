// SPDX-License-Identifier: MIT
// Transition probabilities as text: N x N numbers, tabs, no header, row = from, column = to.
#pragma once

#include <heed/data/matrix.h>

#include <filesystem>
#include <string_view>

namespace heed::io {

// Square and of numbers; whether rows are probabilities is for the chain to say. Throws not_found, io,
// or bad_data with the row.
[[nodiscard]] Matrix read_chain(const std::filesystem::path& path);
[[nodiscard]] Matrix parse_chain(std::string_view text);

}  // namespace heed::io
