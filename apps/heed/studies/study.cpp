// SPDX-License-Identifier: MIT
// `heed study`: studies that may be interrupted, and shared by many processes.
#include "studies/slurm.h"
#include "studies/study_verbs.h"

namespace heed::app {
namespace {

constexpr const char* study_examples = R"(Examples:
  heed study plan switch_probability --on BIDS_DIR -o plan       or a TOML file of your own
  heed study run plan                                            started again, it goes on where it was
  heed study run plan --shard 1/2 & heed study run plan --shard 2/2
  heed study status plan
  heed study gather plan -o table.tsv
  heed report table.tsv -o report)";

}  // namespace

void add_study(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("study", "Studies of many cells: plan, run in shares, gather");
  verb->footer(study_examples);
  verb->require_subcommand(1);
  add_study_plan(*verb, chosen);
  add_study_run(*verb, chosen);
  add_study_status(*verb, chosen);
  add_study_gather(*verb, chosen);
  add_study_slurm(*verb, chosen);
}

}  // namespace heed::app
