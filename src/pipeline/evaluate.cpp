// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/evaluate.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

using evaluate::Calibration;
using evaluate::ParticipantMetrics;

bool has_posteriors(const TrackedParticipant& participant) {
  return std::ranges::any_of(participant.trials,
                             [](const TrackedTrial& trial) { return trial.posteriors.values.rows() > 0; });
}

EvaluatedParticipant evaluate_participant(const TrackedParticipant& participant,
                                          std::span<const evaluate::GainOptions> gains) {
  EvaluatedParticipant result{.id = participant.id,
                              .speakers = participant.speakers.size(),
                              .metrics = evaluate::measure_participant(participant)};
  if (has_posteriors(participant)) result.calibration = Calibration::measure(participant);
  if (result.metrics.windows == 0) {
    throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                         " has no attended speaker, so nothing can be measured; add the column "
                                         "'attended'");
  }
  for (const auto& options : gains) result.gains.push_back(evaluate::GainWorth::measure(participant, options));
  return result;
}

template <typename Rows, typename Value>
evaluate::Summary summary_of(const Rows& rows, Value value) {
  std::vector<std::optional<double>> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(value(row));
  return evaluate::summarise(values);
}

// Of the scores that the posteriors were made from.
std::vector<std::optional<double>> independence_of(const EvaluateRequest& request) {
  const auto& [tracked, scores, gains] = request;
  const bool alone = scores.size() == 1 && tracked.size() == 1;  // files may be called as they like
  for (const ScoredParticipant& one : scores) {
    if (alone || std::ranges::find(tracked, one.id, &TrackedParticipant::id) != tracked.end()) continue;
    throw Error(ErrorKind::bad_data, "there are scores of participant " + one.id +
                                         ", but no posteriors; give the scores that the posteriors were made from");
  }
  auto result = emission::lag_correlations(scores, {.fisher = scores.front().type == ScoreType::correlation});
  if (!result.front()) {
    throw Error(ErrorKind::bad_data,
                "the scores have no two neighbouring windows with the same attended speaker, so nothing can be said "
                "about their independence; add the column 'attended'");
  }
  return result;
}

// Of the emission that the scores' own labels give, if they give one.
void measure_evidence(std::span<const ScoredParticipant> scores, Evaluation& evaluation) {
  try {
    const EmissionChoice choice{.fit = EmissionFit::labels, .evidence = EvidenceCounting::as_is};
    const FittedModel fitted = fit_model({.participants = scores, .emission = choice});
    evaluation.evidence_scale = fitted.evidence_scale;
    evaluation.evidence_words = fitted.evidence_words;
  } catch (const Error&) {
    return;  // no emission, no scale
  }
}

// What comes of scores that depend on each other can be seen in posteriors alone.
void note_over_confidence(Evaluation& evaluation) {
  const auto excess = [](const EvaluatedParticipant& one) { return one.calibration.over_confidence(); };
  const auto mean = summary_of(evaluation.participants, excess).mean;
  if (!(mean > Calibration::doubtful_over_confidence)) return;
  evaluation.notes.push_back(
      {.kind = NoteKind::doubtful,
       .text = "the posteriors are over-confident: right " + data::shown(std::round(1000 * *mean) / 10) +
               " points less often than they claim. Scores that are correlated from window to window cause this (the "
               "scores can show it), or a wrong emission: calibrate it, or use longer windows"});
}

DecidedWindows measure_length(const ScoredParticipant& scores) {
  const Seconds window = scores.trials.front().scores.window;
  const auto counts = evaluate::count_decisions(scores);
  if (counts.windows == 0) {
    throw Error(ErrorKind::bad_data, "participant " + scores.id + ", windows of " + data::shown(window.value) +
                                         " s: no attended speaker is given, so nothing can be measured; add the "
                                         "column 'attended'");
  }
  const auto chance = evaluate::Chance::make(scores.speakers.size(), static_cast<Index>(counts.windows));
  return {window, counts, chance.bound()};
}

SwitchDurations measure_lengths(const io::WindowedScores& scores, const evaluate::GainChainOptions& options,
                                Notes& notes) {
  if (scores.lengths.empty()) throw Error(ErrorKind::invalid_argument, "there are no scores to measure");
  const ScoredParticipant& first = scores.lengths.front();
  SwitchDurations result{first.id, first.speakers.size(), {}, std::nullopt};
  std::vector<evaluate::CurvePoint> curve;
  for (const ScoredParticipant& length : scores.lengths) {
    result.curve.push_back(measure_length(length));
    curve.push_back({result.curve.back().window, *result.curve.back().counts.pairwise_accuracy()});
  }
  try {
    result.mesd = evaluate::minimal_expected_switch_duration(curve, options);
  } catch (const Error& error) {
    notes.push_back({.subject = result.id, .kind = NoteKind::left_out, .text = error.what()});
  }
  return result;
}

}  // namespace

std::optional<double> EvaluatedParticipant::chance_bound() const {
  return evaluate::Chance::make(speakers, static_cast<Index>(std::llround(metrics.windows_apart))).bound();
}

Evaluation evaluate_posteriors(const EvaluateRequest& request) {
  Evaluation evaluation;
  for (const auto& options : request.gains) {
    (void)evaluate::make_gain_rule(2, Seconds{1}, options);  // what is wrong with them is no participant's fault
    evaluation.gain_maps.push_back(evaluate::map_word(options));
  }
  for (const TrackedParticipant& one : request.participants) {
    evaluation.participants.push_back(evaluate_participant(one, request.gains));
  }
  const auto& rows = evaluation.participants;
  evaluation.accuracy = summary_of(rows, [](const auto& row) { return row.metrics.accuracy; });
  evaluation.switch_time = summary_of(rows, [](const auto& row) { return row.metrics.switch_time; });
  if (!request.scores.empty()) {
    evaluation.lag_correlations = independence_of(request);
    const auto warning = emission::dependence_warning(evaluation.lag_correlations, {.unknown_model = true});
    if (warning) evaluation.notes.push_back({.kind = NoteKind::doubtful, .text = *warning});
    measure_evidence(request.scores, evaluation);
  }
  note_over_confidence(evaluation);
  return evaluation;
}

MesdResult measure_mesd(const MesdRequest& request) {
  MesdResult result;
  for (const io::WindowedScores& one : request.participants) {
    result.participants.push_back(measure_lengths(one, request.options, result.notes));
    if (request.interruption) request.interruption();
  }
  const auto duration = [](const SwitchDurations& one) {
    return one.mesd ? std::optional(one.mesd->duration.value) : std::nullopt;
  };
  result.mesd = summary_of(result.participants, duration);
  if (result.mesd.count > 0) return result;
  if (result.notes.empty()) throw Error(ErrorKind::invalid_argument, "there are no scores to measure");
  throw Error(ErrorKind::bad_data, "participant " + result.notes.front().subject + ": " + result.notes.front().text);
}

}  // namespace heed::pipeline
