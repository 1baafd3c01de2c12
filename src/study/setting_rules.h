// SPDX-License-Identifier: MIT
// Which values of a setting go together.
#pragma once

#include <study/setting.h>

namespace heed::study {

// What no parameter can know alone. Throws invalid_argument for values that do not go together.
void check_together(const Setting& setting);

}  // namespace heed::study
