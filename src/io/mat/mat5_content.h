// SPDX-License-Identifier: MIT
// MAT 5 files through matio, which gets to see only files that the guard has walked over.
#pragma once

#include <io/mat/mat_node.h>

#include <filesystem>
#include <memory>

namespace heed::io {

// Throws bad_data, io, without the file's name.
[[nodiscard]] std::shared_ptr<const MatContent> open_mat5(const std::filesystem::path& path);

}  // namespace heed::io
