// SPDX-License-Identifier: MIT
// `heed evaluate`: how well posteriors follow the attention that is known.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/emission/independence.h>
#include <heed/io/score_folder.h>
#include <heed/pipeline/measures/measures_json.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using evaluate::Calibration;
using evaluate::ParticipantMetrics;
using pipeline::EvaluatedParticipant;
using pipeline::LagCorrelations;

constexpr const char* evaluate_examples = R"(Examples:
  heed evaluate sub-01_posterior.tsv
  heed evaluate posteriors/*_posterior.tsv --json
  heed evaluate posteriors/ --scores cohort/                 are windows independent, too?

Accuracy counts from each detected switch to the next true one; switch time is the mean distance of
detected from true switches (docs/mathematics.md has the exact definitions).)";

struct EvaluateFlags {
  std::vector<std::string> files;
  std::vector<std::string> scores;
  bool json = false;
};

// Of the scores that the posteriors were made from.
LagCorrelations independence_of(const io::ScoresCohort& scores, const std::vector<TrackedParticipant>& tracked) {
  const bool alone = scores.participants.size() == 1 && tracked.size() == 1;  // files may be called as they like
  for (const ScoredParticipant& one : scores.participants) {
    if (alone || std::ranges::find(tracked, one.id, &TrackedParticipant::id) != tracked.end()) continue;
    throw Error(ErrorKind::bad_data, "--scores: there are no posteriors of participant " + one.id +
                                         "; give the scores that the posteriors were made from");
  }
  const bool fisher = scores.participants.front().type == ScoreType::correlation;
  LagCorrelations result = emission::lag_correlations(scores.participants, {.fisher = fisher});
  if (!result.front()) {
    throw Error(ErrorKind::bad_data,
                "--scores: no two neighbouring windows with the same attended speaker, so nothing can be said of their "
                "independence; add the column 'attended'");
  }
  return result;
}

std::vector<EvaluatedParticipant> measure(const std::vector<TrackedParticipant>& participants) {
  std::vector<EvaluatedParticipant> rows;
  for (const TrackedParticipant& participant : participants)
    rows.push_back(pipeline::evaluate_participant(participant));
  return rows;
}

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

void print_independence(const LagCorrelations& correlations) {
  if (correlations.empty()) return;
  std::string text;
  for (const auto& correlation : correlations) text += (text.empty() ? "" : ", ") + shown(correlation, 2);
  fmt::print("\nattended scores correlate with those 1, 2, ... windows later by {} (independent: 0)\n", text);
}

void print_table(const std::vector<EvaluatedParticipant>& rows) {
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
  fmt::print("{}", table.text());
  if (rows.size() < 2) return;
  const auto accuracy = pipeline::summarise(rows, &ParticipantMetrics::accuracy);
  const auto time = pipeline::summarise(rows, &ParticipantMetrics::switch_time);
  fmt::print("\n{} participants: accuracy {} %, switch time {} s (mean ± SD)\n", rows.size(),
             shown_with_spread(percent(accuracy.mean), percent(accuracy.sd), 1),
             shown_with_spread(time.mean, time.sd, 1));
}

// What comes of scores that depend on each other can be seen in posteriors alone.
void note_over_confidence(const std::vector<EvaluatedParticipant>& rows) {
  std::vector<std::optional<double>> excess;
  for (const EvaluatedParticipant& row : rows) excess.push_back(row.calibration.over_confidence());
  const auto mean = evaluate::summarise(excess).mean;
  if (!(mean > Calibration::doubtful_over_confidence)) return;
  warn(fmt::format(
      "the posteriors are over-confident: right {:.1f} points less often than they claim. Scores that repeat each "
      "other from window to window do that (--scores FILE... tells), or a wrong emission: calibrate it, or take longer "
      "windows",
      *percent(mean)));
}

int run_evaluate(const EvaluateFlags& flags) {
  const std::vector<std::filesystem::path> paths(flags.files.begin(), flags.files.end());
  const io::PosteriorsCohort cohort = io::read_posteriors_cohort(paths);
  pipeline::Evaluation evaluation{measure(cohort.participants), {}};
  const auto& rows = evaluation.participants;
  LagCorrelations& correlations = evaluation.lag_correlations;
  if (!flags.scores.empty()) {
    const std::vector<std::filesystem::path> scores(flags.scores.begin(), flags.scores.end());
    correlations = independence_of(io::read_scores_cohort(scores), cohort.participants);
  }
  if (flags.json) {
    fmt::print("{}", pipeline::evaluation_json(evaluation));
  } else {
    print_table(rows);
    print_independence(correlations);
  }
  flush_output();
  for (const std::string& warning : cohort.warnings) warn(warning);
  if (const auto warning = emission::dependence_warning(correlations)) warn(*warning);
  note_over_confidence(rows);
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("evaluate", "Measure posteriors against the attention that is known");
  verb->footer(evaluate_examples);
  auto flags = std::make_shared<EvaluateFlags>();
  verb->add_option("posteriors", flags->files, "Posterior files (*_posterior.tsv), folders of them, or -")
      ->required()
      ->type_name("FILE");
  verb->add_option("--scores", flags->scores,
                   "The score files or folders the posteriors were made from: tells whether windows are independent")
      ->type_name("FILE");
  verb->add_flag("--json", flags->json, "All measures as JSON, the reliability curve too");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_evaluate(*flags); }; });
}

}  // namespace heed::app
