// SPDX-License-Identifier: MIT
// `heed study slurm`: a verb below `heed study`.
#pragma once

#include "verbs.h"

namespace heed::app {

void add_study_slurm(CLI::App& study, Chosen& chosen);

}  // namespace heed::app
