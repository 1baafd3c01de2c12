// SPDX-License-Identifier: MIT
// `heed study gather`: the results of a plan as tidy tables.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <study/plan/plan_gather.h>

#include <memory>

#include "exit_code.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

constexpr const char* study_gather_examples = R"(Examples:
  heed study gather plan -o table.tsv
  heed study gather plan -o partial.tsv --partial        what is there so far

Writes table.tsv, and table.json, which describes it. 'heed report table.tsv -o report' draws it.)";

struct GatherFlags {
  std::string plan;
  std::string output;
  bool partial = false;
};

int run_gather(const GatherFlags& flags) {
  if (!flags.output.ends_with(".tsv")) {
    throw Error(ErrorKind::invalid_argument, "-o " + flags.output + ": the name of the table must end in .tsv");
  }
  const study::PlanFolder folder(flags.plan);
  const study::GatherReport report = study::gather_plan(folder, flags.output, {.partial = flags.partial});
  if (report.missing > 0) {
    warn(fmt::format("{} of {} are missing", report.missing, count_text(report.results, "result")));
  }
  std::string files;
  for (const auto& file : report.files) files += (files.empty() ? "" : ", ") + file.string();
  tell("{} gathered: {}\n", count_text(report.results - report.missing, "result"), files);
  return exit_success;
}

}  // namespace

void add_study_gather(CLI::App& study, Chosen& chosen) {
  CLI::App* verb = study.add_subcommand("gather", "Gather the results of a plan into a tidy table");
  verb->footer(study_gather_examples);
  auto flags = std::make_shared<GatherFlags>();
  verb->add_option("PLAN", flags->plan, "Folder from 'heed study plan'")->required();
  verb->add_option("-o,--output", flags->output, "Table to write, with its JSON beside it")
      ->required()
      ->type_name("TABLE.tsv");
  verb->add_flag("--partial", flags->partial, "Gather even if results are missing");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_gather(*flags); }; });
}

}  // namespace heed::app
