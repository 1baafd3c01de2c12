// SPDX-License-Identifier: MIT
// MATLAB's text is UTF-16 inside.
#pragma once

#include <string>
#include <string_view>

namespace heed::io {

// Two bytes a unit, as this machine orders them. Half a pair becomes U+FFFD.
[[nodiscard]] std::string utf8_from_utf16(std::string_view bytes);

}  // namespace heed::io
