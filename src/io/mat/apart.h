// SPDX-License-Identifier: MIT
// Opens a MAT file in a process of its own and asks it for the values. HDF5 believes what a damaged file says of
// itself: one of some thousands such files ends it, or makes it ask for all the memory there is. So it ends there, and
// here the file is refused.
#pragma once

#include <io/mat/mat_node.h>

#include <functional>
#include <memory>

namespace heed::io {

// `open` runs in the other process; it throws heed::Error where the file cannot be opened. Throws that error, or
// bad_data where the process came to its end, here and in every later question (then false or null).
[[nodiscard]] std::shared_ptr<const MatContent> open_apart(
    const std::function<std::shared_ptr<const MatContent>()>& open);

}  // namespace heed::io
