// SPDX-License-Identifier: MIT
// The verbs below `heed study`.
#pragma once

#include "verbs.h"

namespace heed::app {

void add_study_plan(CLI::App& study, Chosen& chosen);
void add_study_run(CLI::App& study, Chosen& chosen);
void add_study_status(CLI::App& study, Chosen& chosen);
void add_study_gather(CLI::App& study, Chosen& chosen);

}  // namespace heed::app
