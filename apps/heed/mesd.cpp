// SPDX-License-Identifier: MIT
// `heed mesd`: how well windows of each length are decided, and what a gain control could make of it at best.
#include <fmt/format.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/evaluate.h>

#include <filesystem>
#include <memory>

#include "exit_code.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using pipeline::SwitchDurations;

constexpr const char* mesd_examples = R"(Examples:
  heed mesd sub-01_window-*_scores.tsv                       one listener, files of several window lengths
  heed mesd cohort/ --json

The entities sub- and window- of the file names tell files apart; all need the column 'attended'.)";

struct MesdFlags {
  std::vector<std::string> scores;
  bool json = false;
};

std::string percent(std::optional<double> share) {
  return shown(share ? std::optional(100 * *share) : std::nullopt, 1);
}

void print_curves(const std::vector<SwitchDurations>& rows) {
  const bool pairs = rows.front().speakers > 2;  // for two speakers the accuracy is the pairwise one
  std::vector<std::string> header{"participant", "window s", "windows", "accuracy %", "95 % chance"};
  if (pairs) header.emplace_back("pairwise %");
  TextTable table(std::move(header));
  for (const SwitchDurations& row : rows) {
    for (const pipeline::DecidedWindows& point : row.curve) {
      std::vector<std::string> cells{row.id, fmt::format("{:.6g}", point.window.value),
                                     fmt::format("{:.0f}", point.counts.windows), percent(point.counts.accuracy()),
                                     percent(point.chance_bound)};
      if (pairs) cells.push_back(percent(point.counts.pairwise_accuracy()));
      table.add(std::move(cells));
    }
  }
  say("{}\n", table.text());
}

void print_results(const pipeline::MesdResult& result) {
  const auto& rows = result.participants;
  TextTable table({"participant", "MESD s", "window s", "accuracy %", "states"});
  for (const SwitchDurations& row : rows) {
    if (row.mesd) {
      table.add({row.id, fmt::format("{:.2f}", row.mesd->duration.value), fmt::format("{:.2f}", row.mesd->window.value),
                 percent(row.mesd->accuracy), fmt::format("{}", row.mesd->chain.states)});
    } else {
      table.add({row.id, "n/a", "n/a", "n/a", "n/a"});
    }
  }
  say("{}", table.text());
  if (rows.size() > 1) {
    say("\n{} participants: MESD {} s (mean ± SD)\n", rows.size(),
        shown_with_spread(result.mesd.mean, result.mesd.sd, 2));
  }
}

int run_mesd(const MesdFlags& flags) {
  const std::vector<std::filesystem::path> paths(flags.scores.begin(), flags.scores.end());
  const io::WindowedCohort cohort = io::read_scores_by_window(paths);
  const pipeline::MesdResult result = pipeline::measure_mesd({.participants = cohort.participants});
  for (const std::string& warning : cohort.warnings) warn(warning);
  for (const Note& note : result.notes) warn(note);
  if (flags.json) {
    fmt::print("{}", pipeline::switch_durations_json(result));
  } else {
    print_curves(result.participants);
    print_results(result);
  }
  return result.notes.empty() ? exit_success : exit_partial;
}

}  // namespace

void add_mesd(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("mesd", "Accuracy against window length, and the minimal expected switch duration");
  verb->footer(mesd_examples);
  auto flags = std::make_shared<MesdFlags>();
  verb->add_option("scores", flags->scores, "Score files of one or more window lengths, or folders of *_scores.tsv")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--json", flags->json, "Print curves and results as JSON");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_mesd(*flags); }; });
}

}  // namespace heed::app
