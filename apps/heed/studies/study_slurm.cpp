// SPDX-License-Identifier: MIT
// `heed study slurm PLAN --tasks N`: the plan as jobs of a Slurm cluster, printed or submitted.
#include <data/text.h>
#include <fmt/format.h>
#include <study/plan/plan.h>
#include <study/scheduling/slurm_jobs.h>

#include <filesystem>
#include <memory>

#include "exit_code.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* slurm_examples = R"(Examples:
  heed study slurm PLAN --tasks 8                          prints the jobs; nothing is submitted
  heed study slurm PLAN --tasks 8 --submit                 an array of 8, and the table once all are done
  heed study slurm PLAN --tasks 40 --time 04:00:00 --memory 4G --partition long --account lab --submit
  heed study slurm PLAN --tasks 8 > jobs.sh                to change by hand, then: bash jobs.sh

When tasks died, submit again: finished work is skipped. 'heed study status PLAN' shows the progress.)";

struct SlurmFlags {
  std::string plan;
  std::string table;
  std::string heed;
  study::SlurmWishes wishes;
  bool submit = false;
};

// Absolute, but not resolved: the links of a cluster's file system lead elsewhere on its nodes.
fs::path absolute(const std::string& path) {
  fs::path result = fs::absolute(path).lexically_normal();
  return result.has_filename() ? result : result.parent_path();
}

fs::path this_program() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  return failure ? fs::path("heed") : program;
}

study::SlurmPaths paths_of(const SlurmFlags& flags) {
  const fs::path plan = absolute(flags.plan);
  return {.heed = flags.heed.empty() ? this_program() : absolute(flags.heed),
          .plan = plan,
          .table = flags.table.empty() ? plan / "table.tsv" : absolute(flags.table)};
}

int submit(const SlurmFlags& flags, const study::SlurmScripts& scripts, const study::SlurmPaths& paths) {
  const study::SlurmJobs jobs = study::submit(scripts, paths);
  say("array of {}: job {}\n"
      "gather, after it: job {}, into {}\n"
      "scripts: {}; logs: {}\n"
      "to look: heed study status {}, squeue --job {},{}\n",
      count_text(flags.wishes.tasks, "task"), jobs.array, jobs.gather, paths.table.string(),
      study::script_folder(paths.plan).string(), study::log_folder(paths.plan).string(), data::shell_word(flags.plan),
      jobs.array, jobs.gather);
  return exit_success;
}

void check_plan(const SlurmFlags& flags) {
  const study::Plan plan = study::PlanFolder(flags.plan).plan();
  const std::size_t participants = plan.participants().size();
  if (flags.wishes.tasks <= participants) return;
  warn(fmt::format("{} of {} will have nothing to do: the plan has {}", flags.wishes.tasks - participants,
                   count_text(flags.wishes.tasks, "task"), count_text(participants, "participant")));
}

int run_slurm(const SlurmFlags& flags) {
  check_plan(flags);
  const study::SlurmPaths paths = paths_of(flags);
  const study::SlurmScripts scripts = study::slurm_scripts(flags.wishes, paths);
  if (flags.submit) return submit(flags, scripts, paths);
  fmt::print("{}", study::submitting_script(scripts, paths));
  return exit_success;
}

}  // namespace

void add_study_slurm(CLI::App& study, Chosen& chosen) {
  CLI::App* verb = study.add_subcommand("slurm", "Run a plan on a Slurm cluster: an array of tasks, then the table");
  verb->footer(slurm_examples);
  auto flags = std::make_shared<SlurmFlags>();
  verb->add_option("PLAN", flags->plan, "Folder from 'heed study plan'; every node must see it")->required();
  verb->add_option("--tasks", flags->wishes.tasks, "Number of tasks, each of which runs a share of the participants")
      ->required()
      ->check(CLI::Range(1, 100000));
  verb->add_flag("--submit", flags->submit, "Call sbatch; without it the jobs are printed");
  verb->add_option("-o,--output", flags->table, "The table to gather (default PLAN/table.tsv)")->type_name("TABLE");
  verb->add_option("--time", flags->wishes.time, "Time limit per task, as Slurm writes it: 02:00:00");
  verb->add_option("--memory", flags->wishes.memory, "Memory per task: 4G");
  verb->add_option("--cpus", flags->wishes.cpus, "Cores per task")->check(CLI::Range(1, 1024))->capture_default_str();
  verb->add_option("--partition", flags->wishes.partition, "Partition to run in");
  verb->add_option("--account", flags->wishes.account, "Account to charge");
  verb->add_option("--heed", flags->heed, "Path of the program on the nodes (default: this one)")->type_name("PATH");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_slurm(*flags); }; });
}

}  // namespace heed::app
