// SPDX-License-Identifier: MIT
// What a page may run, for its Content-Security-Policy.
#pragma once

#include <report/page.h>

#include <string>
#include <vector>

namespace heed::report {

// "; script-src 'sha256-...'", by the digests of the scripts; empty without any. Throws invalid_argument for a digest
// that is not 64 hexadecimal digits.
[[nodiscard]] std::string allowed_scripts(const std::vector<Script>& scripts);

}  // namespace heed::report
