// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/measures/switch_durations.h>

namespace heed::pipeline {
namespace {

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

}  // namespace

SwitchDurations measure_switch_durations(std::span<const ScoredParticipant> lengths,
                                         const evaluate::GainChainOptions& options) {
  if (lengths.empty()) throw Error(ErrorKind::invalid_argument, "there are no scores to measure");
  SwitchDurations result{lengths.front().id, lengths.front().speakers.size(), {}, std::nullopt, {}};
  std::vector<evaluate::CurvePoint> curve;
  for (const ScoredParticipant& length : lengths) {
    result.curve.push_back(measure_length(length));
    curve.push_back({result.curve.back().window, *result.curve.back().counts.pairwise_accuracy()});
  }
  try {
    result.mesd = evaluate::minimal_expected_switch_duration(curve, options);
  } catch (const Error& error) {
    result.why_not = "participant " + result.id + ": " + error.what();
  }
  return result;
}

evaluate::Summary summarise(std::span<const SwitchDurations> participants) {
  std::vector<std::optional<double>> durations;
  durations.reserve(participants.size());
  for (const SwitchDurations& one : participants) {
    durations.push_back(one.mesd ? std::optional(one.mesd->duration.value) : std::nullopt);
  }
  return evaluate::summarise(durations);
}

}  // namespace heed::pipeline
