// SPDX-License-Identifier: MIT
// `heed mesd`: how well windows of each length are decided, and what a gain control could make of it at best.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>
#include <heed/evaluate/decision_counts.h>
#include <heed/evaluate/mesd.h>
#include <heed/evaluate/summary.h>
#include <heed/io/cohort.h>

#include <filesystem>
#include <memory>

#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using evaluate::Mesd;
using nlohmann::ordered_json;

constexpr const char* examples = R"(Examples:
  heed mesd sub-01_window-*_scores.tsv                       one listener, files of several window lengths
  heed mesd cohort/ --json

Files are told apart by the entities sub- and window- of their names, and need the column 'attended'.)";

struct MesdFlags {
  std::vector<std::string> scores;
  bool json = false;
};

struct Point {
  Seconds window;
  evaluate::DecisionCounts counts;
  std::optional<double> chance_bound;
};

struct Row {
  std::string id;
  std::size_t speakers = 0;
  std::vector<Point> curve;
  std::optional<Mesd> mesd;
  std::string why_not;  // where there is none
};

Point measure_length(const ScoredParticipant& scores) {
  const Seconds window = scores.trials.front().scores.window;
  const auto counts = evaluate::count_decisions(scores);
  if (counts.windows == 0) {
    throw Error(ErrorKind::bad_data,
                fmt::format("participant {}, windows of {} s: no attended speaker is given, so nothing can be "
                            "measured; add the column 'attended'",
                            scores.id, window.value));
  }
  const auto chance = evaluate::Chance::make(scores.speakers.size(), static_cast<Index>(counts.windows));
  return {window, counts, chance.bound()};
}

Row measure_participant(const io::WindowedScores& scores) {
  Row row{scores.id, scores.lengths.front().speakers.size(), {}, std::nullopt, {}};
  std::vector<evaluate::CurvePoint> curve;
  for (const ScoredParticipant& length : scores.lengths) {
    row.curve.push_back(measure_length(length));
    curve.push_back({row.curve.back().window, *row.curve.back().counts.pairwise_accuracy()});
  }
  try {
    row.mesd = evaluate::minimal_expected_switch_duration(curve);
  } catch (const Error& error) {
    row.why_not = "participant " + scores.id + ": " + error.what();
  }
  return row;
}

std::string percent(std::optional<double> share) {
  return shown(share ? std::optional(100 * *share) : std::nullopt, 1);
}

evaluate::Summary summary_of(const std::vector<Row>& rows) {
  std::vector<std::optional<double>> durations;
  for (const Row& row : rows) {
    durations.push_back(row.mesd ? std::optional(row.mesd->duration.value) : std::nullopt);
  }
  return evaluate::summarise(durations);
}

void print_curves(const std::vector<Row>& rows) {
  const bool pairs = rows.front().speakers > 2;  // for two speakers the accuracy is the pairwise one
  std::vector<std::string> header{"participant", "window s", "windows", "accuracy %", "95 % chance"};
  if (pairs) header.emplace_back("pairwise %");
  TextTable table(std::move(header));
  for (const Row& row : rows) {
    for (const Point& point : row.curve) {
      std::vector<std::string> cells{row.id, fmt::format("{:.6g}", point.window.value),
                                     fmt::format("{:.0f}", point.counts.windows), percent(point.counts.accuracy()),
                                     percent(point.chance_bound)};
      if (pairs) cells.push_back(percent(point.counts.pairwise_accuracy()));
      table.add(std::move(cells));
    }
  }
  fmt::print("{}\n", table.text());
}

void print_results(const std::vector<Row>& rows) {
  TextTable table({"participant", "MESD s", "window s", "accuracy %", "states"});
  for (const Row& row : rows) {
    if (row.mesd) {
      table.add({row.id, fmt::format("{:.2f}", row.mesd->duration.value), fmt::format("{:.2f}", row.mesd->window.value),
                 percent(row.mesd->accuracy), fmt::format("{}", row.mesd->chain.states)});
    } else {
      table.add({row.id, "n/a", "n/a", "n/a", "n/a"});
    }
  }
  fmt::print("{}", table.text());
  const auto summary = summary_of(rows);
  if (rows.size() > 1) {
    fmt::print("\n{} participants: MESD {} s (mean ± SD)\n", rows.size(),
               shown_with_spread(summary.mean, summary.sd, 2));
  }
}

ordered_json curve_json(const Row& row) {
  ordered_json curve = ordered_json::array();
  for (const Point& point : row.curve) {
    curve.push_back({{"window", point.window.value},
                     {"windows", json_count(point.counts.windows)},
                     {"accuracy", json_value(point.counts.accuracy())},
                     {"pairwise_accuracy", json_value(point.counts.pairwise_accuracy())},
                     {"chance_bound", json_value(point.chance_bound)}});
  }
  return curve;
}

void print_json(const std::vector<Row>& rows) {
  const auto summary = summary_of(rows);
  ordered_json json{{"participants", ordered_json::array()},
                    {"mesd", {{"mean", json_value(summary.mean)}, {"sd", json_value(summary.sd)}}}};
  for (const Row& row : rows) {
    ordered_json one{{"id", row.id},      {"speakers", row.speakers}, {"curve", curve_json(row)}, {"mesd", nullptr},
                     {"window", nullptr}, {"accuracy", nullptr},      {"states", nullptr},        {"target", nullptr}};
    if (row.mesd) {
      one["mesd"] = row.mesd->duration.value;
      one["window"] = row.mesd->window.value;
      one["accuracy"] = row.mesd->accuracy;
      one["states"] = row.mesd->chain.states;
      one["target"] = row.mesd->chain.target;
    }
    json["participants"].push_back(std::move(one));
  }
  fmt::print("{}", json_text(json));
}

int run_mesd(const MesdFlags& flags) {
  const std::vector<std::filesystem::path> paths(flags.scores.begin(), flags.scores.end());
  const io::WindowedCohort cohort = io::read_scores_by_window(paths);
  std::vector<Row> rows;
  for (const io::WindowedScores& scores : cohort.participants) rows.push_back(measure_participant(scores));
  if (summary_of(rows).count == 0) throw Error(ErrorKind::bad_data, rows.front().why_not);

  for (const std::string& warning : cohort.warnings) warn(warning);
  bool partial = false;
  for (const Row& row : rows) {
    if (!row.mesd) warn(row.why_not);
    partial = partial || !row.mesd;
  }
  if (flags.json) {
    print_json(rows);
  } else {
    print_curves(rows);
    print_results(rows);
  }
  return partial ? exit_partial : exit_success;
}

}  // namespace

void add_mesd(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("mesd", "Window lengths against accuracy, and the minimal expected switch duration");
  verb->footer(examples);
  auto flags = std::make_shared<MesdFlags>();
  verb->add_option("scores", flags->scores, "Score files of one or more window lengths, or folders of *_scores.tsv")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--json", flags->json, "Curves and results as JSON");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_mesd(*flags); }; });
}

}  // namespace heed::app
