// SPDX-License-Identifier: MIT
// How pages look: embedded in each of them.
#pragma once

#include <string_view>

namespace heed::report {

// CSS. Light and dark as the reader's machine is; figures stay on white; tables and figures wider than the screen
// scroll in their box; on paper nothing scrolls.
[[nodiscard]] std::string_view page_style() noexcept;

}  // namespace heed::report
