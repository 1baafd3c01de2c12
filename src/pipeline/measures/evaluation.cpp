// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/measures/evaluation.h>

#include <algorithm>

namespace heed::pipeline {
namespace {

bool has_posteriors(const TrackedParticipant& participant) {
  return std::ranges::any_of(participant.trials,
                             [](const TrackedTrial& trial) { return trial.posteriors.values.rows() > 0; });
}

}  // namespace

std::optional<double> EvaluatedParticipant::chance_bound() const {
  return evaluate::Chance::make(speakers, static_cast<Index>(metrics.windows)).bound();
}

EvaluatedParticipant evaluate_participant(const TrackedParticipant& participant) {
  EvaluatedParticipant result{
      participant.id, participant.speakers.size(), evaluate::measure_participant(participant), {}};
  if (has_posteriors(participant)) result.calibration = evaluate::Calibration::measure(participant);
  if (result.metrics.windows == 0) {
    throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                         " has no attended speaker, so nothing can be measured; add the column "
                                         "'attended'");
  }
  return result;
}

evaluate::Summary summarise(std::span<const EvaluatedParticipant> participants,
                            std::optional<double> evaluate::ParticipantMetrics::*measure) {
  std::vector<std::optional<double>> values;
  values.reserve(participants.size());
  for (const EvaluatedParticipant& one : participants) values.push_back(one.metrics.*measure);
  return evaluate::summarise(values);
}

}  // namespace heed::pipeline
