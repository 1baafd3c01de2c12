// SPDX-License-Identifier: MIT
// Which heed this is: results and the files it writes name it.
#pragma once

#include <string_view>

namespace heed::data {

// "major.minor.patch"
std::string_view version() noexcept;

}  // namespace heed::data

namespace heed {
using data::version;
}  // namespace heed
