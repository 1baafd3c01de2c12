// SPDX-License-Identifier: MIT
// Arrays as numpy.save writes them (.npy, versions 1 and 2): one column of little-endian float32 or float64. What the
// header says of the length is held against the bytes that are there before memory is asked for.
#pragma once

#include <heed/data/matrix.h>

#include <filesystem>
#include <string_view>

namespace heed::io {

// Shape (n,) or (n, 1), every number finite. Throws bad_data (not such a file, cut short or longer than its header
// says, NaN with its row, empty) or unsupported (other numbers, columns, order, version), naming the remedy in numpy.
[[nodiscard]] Eigen::VectorXd parse_npy(std::string_view bytes);

// Throws also not_found, io, and unsupported for more than 1 GiB; the message names the file.
[[nodiscard]] Eigen::VectorXd read_npy(const std::filesystem::path& path);

}  // namespace heed::io
