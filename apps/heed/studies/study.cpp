// SPDX-License-Identifier: MIT
// `heed study`: studies that may be interrupted, and shared by many processes; and what verbs about studies share.
#include <fmt/format.h>
#include <heed/report/drawing.h>
#include <io/result_table_file.h>

#include <algorithm>

#include "model_options.h"
#include "studies/study_verbs.h"

namespace heed::app {
namespace {

constexpr const char* study_examples = R"(Examples:
  heed study plan switch_probability --on BIDS_DIR -o plan       or a TOML file of your own
  heed study run plan                                            started again, it continues
  heed study run plan --shard 1/2 & heed study run plan --shard 2/2
  heed study status plan
  heed study gather plan -o table.tsv
  heed report table.tsv -o report)";

}  // namespace

void add_study(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("study", "Run a study of many settings: plan it, run it in shares, gather the results");
  verb->footer(study_examples);
  verb->require_subcommand(1);
  add_study_plan(*verb, chosen);
  add_study_run(*verb, chosen);
  add_study_status(*verb, chosen);
  add_study_gather(*verb, chosen);
  add_study_slurm(*verb, chosen);
}

void add_cohort_flags(CLI::App& verb, study::CohortName& name) {
  if (name.on.empty()) name.on = {"simulated"};
  verb.add_option("--on", name.on, "simulated, a BIDS folder, or score files (or a folder of them)")
      ->type_name("COHORT ...")
      ->capture_default_str();
  verb.add_option(
          "--participants", name.participants,
          "Size of each simulated cohort (default: 13 and 20), or the first N participants of a folder (default: all)")
      ->check(CLI::Range(2, 1000));
  verb.add_option("--run", name.runs.runs, "These runs of a BIDS folder only, a,b,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option(
          "--condition", name.runs.conditions,
          "Runs of these conditions only (acq-LABEL in their names), a,b,...; Video means Video1 and Video2, too")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_flag("--first-of-each-condition", name.runs.first_of_each,
                "One run per participant and condition, as our reading of the paper has it for AV-GC-AAD: four trials");
  verb.add_flag("--quick", name.quick, "Smaller simulated cohorts (6 and 5), fewer repeats");
  add_seed_flag(verb, name.seed, "Seed of simulated cohorts and random intervals");
}

std::vector<report::DataDigest> digests_of(const std::vector<study::PlannedParticipant>& participants) {
  const auto other_part = [&](const auto& one) { return one.speakers != participants.front().speakers; };
  const bool parts = std::ranges::any_of(participants, other_part);
  std::vector<report::DataDigest> digests;
  for (const study::PlannedParticipant& one : participants) {
    const std::string name = "sub-" + one.id + (parts ? fmt::format(", {} speakers", one.speakers) : "");
    digests.push_back({name, "xxh3-128:" + one.digest});
  }
  return digests;
}

void write_pages(study::ReportFolder& folder, const report::StudyReport& report) {
  const report::StudyPages pages = report::study_pages(report);
  for (const report::NamedDrawing& figure : pages.figures) {
    folder.write("figures/" + figure.name + ".svg", report::render(figure.drawing, report::FigureFormat::svg));
  }
  for (const NamedTable& table : pages.tables) {
    folder.write("tables/" + table.name + ".tsv", io::table_text(table.table));
  }
  folder.write("report.html", pages.html);
  folder.finish();
}

}  // namespace heed::app
