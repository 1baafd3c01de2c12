// SPDX-License-Identifier: MIT
// MAT 7.3 files through HDF5 itself: matio follows every reference of such a file at once, and ends in a crash
// where one leads back to where it came from. Here a value is opened when it is asked for.
#pragma once

#include <io/mat/mat_node.h>

#include <filesystem>
#include <memory>

namespace heed::io {

// Throws bad_data without the file's name.
[[nodiscard]] std::shared_ptr<const MatContent> open_mat73(const std::filesystem::path& path);

}  // namespace heed::io
