// SPDX-License-Identifier: MIT
#include <heed/data/version.h>

namespace heed::data {

std::string_view version() noexcept { return HEED_VERSION; }

}  // namespace heed::data
