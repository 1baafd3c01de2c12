// SPDX-License-Identifier: MIT
// `heed report`: the page of a study from its gathered table.
#include <fmt/format.h>
#include <heed/data/version.h>
#include <io/digest.h>
#include <study/plan/plan_gather.h>

#include <memory>

#include "command_tree.h"
#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

constexpr const char* report_examples = R"(Examples:
  heed study gather plan -o table.tsv
  heed report table.tsv -o report

Open report/report.html, a self-contained file. report/figures has every figure as SVG.)";

struct ReportFlags {
  std::string table;
  std::string output;
  std::string command;
};

int run_report(const ReportFlags& flags) {
  study::GatheredStudy gathered = study::read_gathered(flags.table);
  const std::string key = io::digest_of(std::pair(gathered.cohort, gathered.result.study.name));
  study::ReportFolder folder(flags.output, {"heed report", gathered.cohort, key});
  Notes notes;
  if (gathered.missing > 0) {
    notes.push_back({"", NoteKind::left_out,
                     fmt::format("The study is not finished: {} missing.", count_text(gathered.missing, "result"))});
  }
  const std::string obstacle = gathered.result.obstacle;
  write_pages(folder,
              {.title = gathered.result.study.title,
               .cohort = gathered.cohort,
               .simulated = gathered.simulated,
               .studies = {std::move(gathered.result)},
               .notes = notes,
               .facts = {{"Seed", std::to_string(gathered.seed)}, {"Mode", gathered.quick ? "quick" : "full"}},
               .provenance = {
                   .command = flags.command, .version = gathered.version, .data = digests_of(gathered.participants)}});
  warn(notes);
  if (!obstacle.empty()) warn("not applicable here: " + obstacle);
  say("report: {}\n", folder.path("report.html").string());
  return exit_success;
}

}  // namespace

void add_report(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("report", "Make the page of a study from its gathered table");
  verb->footer(report_examples);
  auto flags = std::make_shared<ReportFlags>();
  verb->add_option("TABLE", flags->table, "Table from 'heed study gather', with its JSON beside it")->required();
  verb->add_option("-o,--output", flags->output, "Folder to write to; created if it does not exist")
      ->required()
      ->type_name("DIR");
  verb->callback([&chosen, flags, verb] {
    flags->command = typed_command(*verb);
    chosen = [flags] { return run_report(*flags); };
  });
}

}  // namespace heed::app
