// SPDX-License-Identifier: MIT
// `heed validate`: everything that is wrong with a BIDS folder, at once.
#include <fmt/format.h>
#include <io/bids/dataset_check.h>

#include <map>
#include <memory>

#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using io::DatasetReport;
using io::Problem;
using io::Severity;
using nlohmann::ordered_json;

constexpr const char* validate_examples = R"(Examples:
  heed validate study/                   every problem, with file, row and remedy
  heed validate study/ --task listening  the runs of one task
  heed validate study/ --json            the same for a program

Exit code 65 if there is an error; warnings alone do not count as failure.)";

struct ValidateFlags {
  std::string folder;
  io::RunSelection selection;
  bool json = false;
};

// A file's problems stand together under its name. What is wrong with many files alike is said of the first.
void print_problems(const DatasetReport& report, Severity severity, std::string_view title) {
  if (report.count(severity) == 0) return;
  say("{}\n", title);
  constexpr std::size_t many = 4;
  std::map<std::string, std::size_t> alike;  // how many are the same; 0: told already
  for (const Problem& problem : report.problems) {
    if (problem.severity == severity) ++alike[problem.text()];
  }
  std::string file;
  for (const Problem& problem : report.problems) {
    if (problem.severity != severity) continue;
    std::size_t& count = alike[problem.text()];
    if (count == 0) continue;
    if (problem.file != file) say("  {}\n", problem.file);
    file = problem.file;
    const std::string more = count < many ? "" : fmt::format(" (and {} more like it)", count - 1);
    say("    {}{}\n", problem.text(), more);
    if (count >= many) count = 0;
  }
  say("\n");
}

std::string minutes(Seconds time) { return fmt::format("{:.1f}", time.value / 60); }

void print_report(const DatasetReport& report) {
  print_problems(report, Severity::error, "Errors");
  print_problems(report, Severity::warning, "Warnings");
  if (!report.other_tasks.empty()) say("note: {}\n\n", report.other_tasks);
  say("{}: {}, {}, {}\n", report.name, count_text(report.participants, "participant"), count_text(report.runs, "run"),
      count_text(report.trials, "trial"));
  say("{} minutes of EEG, {} in trials, {} with known attention\n", minutes(report.recorded), minutes(report.heard),
      minutes(report.labelled));
  say("{}, {}\n", count_text(report.count(Severity::error), "error"),
      count_text(report.count(Severity::warning), "warning"));
}

ordered_json problems_json(const DatasetReport& report, Severity severity) {
  ordered_json list = ordered_json::array();
  for (const Problem& problem : report.problems) {
    if (problem.severity != severity) continue;
    list.push_back({{"file", problem.file}, {"row", nullptr}, {"message", problem.message}});
    if (problem.row > 0) list.back()["row"] = problem.row;
  }
  return list;
}

void print_json(const DatasetReport& report) {
  ordered_json json{{"name", report.name},
                    {"participants", report.participants},
                    {"runs", report.runs},
                    {"trials", report.trials},
                    {"recorded", report.recorded.value},
                    {"heard", report.heard.value},
                    {"labelled", report.labelled.value},
                    {"errors", problems_json(report, Severity::error)},
                    {"warnings", problems_json(report, Severity::warning)}};
  if (!report.other_tasks.empty()) json["note"] = report.other_tasks;
  fmt::print("{}", json_text(json));
}

int run_validate(const ValidateFlags& flags) {
  DatasetReport report;
  {
    ProgressBar bar("validating");
    report = io::check_dataset(flags.folder,
                               {.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); },
                                .selection = flags.selection});
  }
  flags.json ? print_json(report) : print_report(report);
  return report.count(Severity::error) > 0 ? exit_bad_data : exit_success;
}

}  // namespace

void add_validate(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("validate", "Report everything that is wrong with a BIDS folder, at once");
  verb->footer(validate_examples);
  auto flags = std::make_shared<ValidateFlags>();
  verb->add_option("folder", flags->folder, "Folder of a BIDS dataset")->required()->type_name("BIDS_DIR");
  verb->add_flag("--json", flags->json, "Print the report as JSON");
  add_run_options(*verb, flags->selection);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_validate(*flags); }; });
}

}  // namespace heed::app
