// SPDX-License-Identifier: MIT
// The verbs below `heed simulate`.
#pragma once

#include "verbs.h"

namespace heed::app {

void add_simulate_recording(CLI::App& simulate, Chosen& chosen);

}  // namespace heed::app
