// SPDX-License-Identifier: MIT
// `heed evaluate`: how well posteriors follow the attention that is known.
#include <fmt/format.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/evaluate.h>

#include <filesystem>
#include <memory>

#include "gain_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using evaluate::ParticipantMetrics;
using pipeline::EvaluatedParticipant;
using pipeline::Evaluation;

constexpr const char* evaluate_examples = R"(Examples:
  heed evaluate sub-01_posterior.tsv
  heed evaluate posteriors/*_posterior.tsv --json
  heed evaluate posteriors/ --scores cohort/                 are windows independent, too?
  heed evaluate posteriors/ --gain 2dB/nat                   what would such gains be worth to the listener?
  heed evaluate posteriors/ --gain dead-zone,decibels --range 9

Accuracy counts from each detected switch to the next true one; switch time is the mean distance of
detected from true switches (docs/mathematics.md has the exact definitions).)";

struct EvaluateFlags {
  std::vector<std::string> files;
  std::vector<std::string> scores;
  GainFlags gain;
  bool json = false;
};

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

void print_independence(const std::vector<std::optional<double>>& correlations) {
  if (correlations.empty()) return;
  std::string text;
  for (const auto& correlation : correlations) text += (text.empty() ? "" : ", ") + shown(correlation, 2);
  say("\nattended scores correlate with those 1, 2, ... windows later by {} (independent: 0)\n", text);
}

void print_table(const Evaluation& evaluation) {
  const auto& rows = evaluation.participants;
  TextTable table({"participant", "accuracy %", "switch time s", "median", "signed", "first hit", "with latency",
                   "missed", "false/min", "whole %", "95 % chance", "Brier", "ECE"});
  for (const EvaluatedParticipant& row : rows) {
    const ParticipantMetrics& m = row.metrics;
    table.add({row.id, shown(percent(m.accuracy), 1), shown(m.switch_time, 1), shown(m.median_switch_time, 1),
               shown(m.signed_switch_time, 1), shown(m.first_hit_time, 1), shown(m.latency_inclusive_time, 1),
               fmt::format("{:.0f}/{:.0f}", m.missed, m.switches), shown(m.false_switch_rate, 2),
               shown(percent(m.whole_accuracy), 1), shown(percent(row.chance_bound()), 1),
               shown(row.calibration.brier(), 3), shown(row.calibration.expected_calibration_error(), 3)});
  }
  say("{}", table.text());
  if (rows.size() < 2) return;
  say("\n{} participants: accuracy {} %, switch time {} s (mean ± SD)\n", rows.size(),
      shown_with_spread(percent(evaluation.accuracy.mean), percent(evaluation.accuracy.sd), 1),
      shown_with_spread(evaluation.switch_time.mean, evaluation.switch_time.sd, 1));
}

void print_gains(const Evaluation& evaluation, std::span<const evaluate::GainOptions> options) {
  if (options.empty()) return;
  TextTable table = gain_table({"participant", "map"});
  std::vector<std::vector<evaluate::GainWorth>> by_map(options.size());
  for (const EvaluatedParticipant& row : evaluation.participants) {
    for (std::size_t g = 0; g < options.size(); ++g) {
      by_map[g].push_back(row.gains[g]);
      add_gain_row(table, {row.id, evaluation.gain_maps[g]}, {&row.gains[g], 1});
    }
  }
  for (std::size_t g = 0; g < options.size() && by_map[g].size() > 1; ++g) {
    add_gain_row(table, {"mean ± SD", evaluation.gain_maps[g]}, by_map[g]);
  }
  say("\ngains: {}\n\n{}", words_of(options.front()), table.text());
}

int run_evaluate(const EvaluateFlags& flags) {
  const std::vector<std::filesystem::path> paths(flags.files.begin(), flags.files.end());
  const io::PosteriorsCohort cohort = io::read_posteriors_cohort(paths);
  io::ScoresCohort scores;
  if (!flags.scores.empty()) {
    const std::vector<std::filesystem::path> files(flags.scores.begin(), flags.scores.end());
    scores = io::read_scores_cohort(files);
  }
  const auto gains = gain_options(flags.gain);
  const Evaluation evaluation = pipeline::evaluate_posteriors({cohort.participants, scores.participants, gains});
  if (flags.json) {
    fmt::print("{}", pipeline::evaluation_json(evaluation));
  } else {
    print_table(evaluation);
    print_gains(evaluation, gains);
    print_independence(evaluation.lag_correlations);
    if (!evaluation.evidence_words.empty()) say("evidence scale {}\n", evaluation.evidence_words);
  }
  flush_output();
  for (const std::string& warning : cohort.warnings) warn(warning);
  for (const Note& note : evaluation.notes) warn(note);
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("evaluate", "Measure how well posteriors follow the known attention");
  verb->footer(evaluate_examples);
  auto flags = std::make_shared<EvaluateFlags>();
  verb->add_option("posteriors", flags->files, "Posterior files (*_posterior.tsv), folders of them, or -")
      ->required()
      ->type_name("FILE");
  verb->add_option("--scores", flags->scores,
                   "Score files or folders from which the posteriors were made: shows whether windows are independent")
      ->type_name("FILE");
  add_gain_flags(*verb, flags->gain,
                 "What gains would be worth to the listener, by this map, or by several, a,b,...: ");
  verb->add_flag("--json", flags->json, "All measures as JSON, including the reliability curve");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_evaluate(*flags); }; });
}

}  // namespace heed::app
