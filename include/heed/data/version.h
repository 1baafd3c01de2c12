// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace heed {

// "major.minor.patch", as in the files heed writes.
std::string_view version() noexcept;

}  // namespace heed
