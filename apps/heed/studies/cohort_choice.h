// SPDX-License-Identifier: MIT
// Whom studies are run on, as `--on`, `--participants`, `--quick` and `--seed` say it.
#pragma once

#include <study/cohort.h>
#include <study/plan/plan.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "decoding/decoder_options.h"

namespace heed::app {

void add_cohort_flags(CLI::App& verb, study::CohortName& name);

// "simulated", a BIDS folder, or score files. Throws cannot_create where `output` lies inside the BIDS folder.
[[nodiscard]] std::unique_ptr<study::Cohort> open_cohort(const study::CohortName& name, const CacheFlags& cache,
                                                         const std::string& output);

// The same for any working folder: its paths from the root.
[[nodiscard]] study::CohortName from_the_root(study::CohortName name);

}  // namespace heed::app
