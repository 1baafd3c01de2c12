// SPDX-License-Identifier: MIT
// Words of commands that heed prints, for somebody to type.
#pragma once

#include <string>

namespace heed::data {

// One word for a shell, whatever it holds: what needs quotes gets them.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace heed::data
