// SPDX-License-Identifier: MIT
// sbatch, called as a user would call it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed::app {

// Submits a script; gives the job's number. Throws unsupported where there is no sbatch here, and in sbatch's own words
// where it refuses.
[[nodiscard]] std::string submit_to_slurm(const std::filesystem::path& script, std::vector<std::string> options = {});

}  // namespace heed::app
