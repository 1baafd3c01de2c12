// SPDX-License-Identifier: MIT
#include "studies/slurm_script.h"

#include <fmt/format.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heed::app {
namespace {

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Wishes become words of an #SBATCH line: letters, digits and these, so that a line stays one.
void check_wish(std::string_view option, const std::string& wish, std::string_view example) {
  constexpr std::string_view also = ":-_.,+@";
  const bool good =
      std::ranges::all_of(wish, [&](char c) { return is_plain(c) || also.find(c) != std::string_view::npos; });
  if (good && !wish.starts_with('-')) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{} '{}' is nothing that Slurm knows; write it like {}", option, wish, example));
}

void check_path(const std::filesystem::path& path) {
  const std::string text = path.string();
  const auto broken = [](char c) { return c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) != 0; };
  if (std::ranges::none_of(text, broken)) return;
  throw Error(ErrorKind::invalid_argument,
              text + ": Slurm takes no path with a backslash or a control character; rename the folder");
}

// A path for --output: Slurm takes quotes as a shell does, and replaces what follows a percent sign.
std::string log_word(const std::filesystem::path& folder, std::string_view name) {
  std::string text;
  for (const char c : folder.string()) text += c == '%' ? "%%" : std::string(1, c);
  return shell_word(text + "/" + std::string(name));
}

std::string directive(std::string_view option, std::string_view value) {
  return value.empty() ? "" : fmt::format("#SBATCH --{}={}\n", option, value);
}

// What both jobs are asked for.
std::string site_directives(const SlurmWishes& wishes) {
  return directive("time", wishes.time) + directive("mem", wishes.memory) + directive("partition", wishes.partition) +
         directive("account", wishes.account);
}

// For squeue: letters and digits of the plan's name.
std::string job_name(std::string_view what, const SlurmPaths& paths) {
  std::string name = paths.plan.filename().string();
  std::ranges::replace_if(
      name, [](char c) { return !is_plain(c) && c != '.' && c != '_'; }, '-');
  return fmt::format("heed-{}-{}", what, name);
}

std::string array_script(const SlurmWishes& wishes, const SlurmPaths& paths) {
  return fmt::format(
      R"(#!/bin/bash
# Task i of {tasks} does the i-th part of the plan's cells. Cells that are done are passed over: submit it again, all of
# it or some tasks (sbatch --array=3), and only what is missing is done.
{directives}# After a node failed Slurm may start a task again; its log goes on.
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
# Code 1: all cells are done, but participants had to be left out; the log says whom. The table can be made.
{heed} study run {plan} --shard auto/{tasks} --threads "${{SLURM_CPUS_PER_TASK:-1}}" || {{
  code=$?
  ((code == 1)) || exit "$code"
}}
)",
      fmt::arg("tasks", wishes.tasks),
      fmt::arg("directives", directive("job-name", job_name("run", paths)) +
                                 directive("array", fmt::format("1-{}", wishes.tasks)) +
                                 directive("cpus-per-task", std::to_string(wishes.cpus)) + site_directives(wishes) +
                                 directive("output", log_word(log_folder(paths.plan), "run-%A_%a.log"))),
      fmt::arg("heed", shell_word(paths.heed.string())), fmt::arg("plan", shell_word(paths.plan.string())));
}

std::string gather_script(const SlurmWishes& wishes, const SlurmPaths& paths) {
  return fmt::format(R"(#!/bin/bash
# Starts once every task of the array has done its part, and makes the table. Where a task failed it never starts, and
# leaves the queue.
{directives}#SBATCH --kill-on-invalid-dep=yes
set -eu
exec {heed} study gather {plan} -o {table}
)",
                     fmt::arg("directives", directive("job-name", job_name("gather", paths)) + site_directives(wishes) +
                                                directive("output", log_word(log_folder(paths.plan), "gather-%j.log"))),
                     fmt::arg("heed", shell_word(paths.heed.string())),
                     fmt::arg("plan", shell_word(paths.plan.string())),
                     fmt::arg("table", shell_word(paths.table.string())));
}

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr std::string_view also = "/._-+:,=@";
  const bool plain = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_plain(c) || also.find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? R"('\'')" : std::string(1, c);
  return word + "'";
}

std::filesystem::path log_folder(const std::filesystem::path& plan) { return plan / "logs"; }

SlurmScripts slurm_scripts(const SlurmWishes& wishes, const SlurmPaths& paths) {
  check_wish("--time", wishes.time, "02:00:00 or 1-12 (a day and twelve hours)");
  check_wish("--memory", wishes.memory, "4G");
  check_wish("--partition", wishes.partition, "the names that sinfo lists");
  check_wish("--account", wishes.account, "the name your site gave you");
  for (const auto& path : {paths.heed, paths.plan, paths.table}) check_path(path);
  return {array_script(wishes, paths), gather_script(wishes, paths)};
}

std::string submitting_script(const SlurmScripts& scripts, const SlurmPaths& paths) {
  return fmt::format(R"(#!/bin/bash
# Two jobs for Slurm: an array that runs the plan, and the gathering of its results. Run this by bash where you submit
# jobs, or let 'heed study slurm' submit them by --submit.
set -eu
mkdir -p {logs}

array=$(sbatch --parsable <<'END_OF_ARRAY'
{array}END_OF_ARRAY
)
array=${{array%%;*}} # some sites add the cluster's name

gather=$(sbatch --parsable --dependency="afterok:$array" <<'END_OF_GATHER'
{gather}END_OF_GATHER
)
echo "array: job $array; gather, after it: job ${{gather%%;*}}"
)",
                     fmt::arg("logs", shell_word(log_folder(paths.plan).string())), fmt::arg("array", scripts.array),
                     fmt::arg("gather", scripts.gather));
}

}  // namespace heed::app
