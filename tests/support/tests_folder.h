// SPDX-License-Identifier: MIT
// Where the tests lie, for those that run a script beside them. Not __FILE__: compilers are told to shorten it.
#pragma once

#include <filesystem>

namespace heed::test {

[[nodiscard]] std::filesystem::path tests_folder();

}  // namespace heed::test
