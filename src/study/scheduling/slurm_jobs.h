// SPDX-License-Identifier: MIT
// The two jobs of a study on a Slurm cluster, as scripts that people can read, keep and change: an array whose tasks
// each run a share of the plan, and the gathering of their results. And sbatch, called as a user would call it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::study {

// What a site or a study wants; empty: as the cluster has it.
struct SlurmWishes {
  std::size_t tasks = 1;
  std::size_t cpus = 1;  // per task
  std::string time{};    // as Slurm writes it: 02:00:00, 1-12
  std::string memory{};  // per task: 4G
  std::string partition{};
  std::string account{};
};

// Absolute: jobs start in another place, on another machine. Paths may hold blanks, quotes and anything else but
// backslashes and control characters, which Slurm cannot be told.
struct SlurmPaths {
  std::filesystem::path heed{};
  std::filesystem::path plan{};
  std::filesystem::path table{};
};

struct SlurmScripts {
  std::string array{};
  std::string gather{};  // to be submitted with --dependency=afterok:ARRAY
};

// Throws invalid_argument for wishes and paths that would break a script.
[[nodiscard]] SlurmScripts slurm_scripts(const SlurmWishes& wishes, const SlurmPaths& paths);

// One script for a shell that submits both.
[[nodiscard]] std::string submitting_script(const SlurmScripts& scripts, const SlurmPaths& paths);

struct SlurmJobs {
  std::string array{};  // numbers
  std::string gather{};
};
// Writes both scripts into the plan's folder slurm/, makes that of the logs, and submits them. Throws cannot_create,
// unsupported where there is no sbatch here, and in sbatch's own words where it refuses.
[[nodiscard]] SlurmJobs submit(const SlurmScripts& scripts, const SlurmPaths& paths);

// Where the tasks write what they have to say, and where their scripts lie.
[[nodiscard]] std::filesystem::path log_folder(const std::filesystem::path& plan);
[[nodiscard]] std::filesystem::path script_folder(const std::filesystem::path& plan);

}  // namespace heed::study
