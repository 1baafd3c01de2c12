// SPDX-License-Identifier: MIT
#include "support/tests_folder.h"

namespace heed::test {

std::filesystem::path tests_folder() { return HEED_TESTS_FOLDER; }

}  // namespace heed::test
