// SPDX-License-Identifier: MIT
#include <pipeline/trials.h>
#include <study/cohorts/surrogate_speaker.h>

namespace heed::study {
namespace {

// The score of the first speaker who is not attended.
double unattended_score(const ScoredTrial& trial, Index window, Speaker attended) {
  return trial.scores.values(window, attended == 0 ? 1 : 0);
}

}  // namespace

ScoredParticipant with_surrogate_speaker(const ScoredParticipant& participant) {
  ScoredParticipant result = participant;
  result.speakers.emplace_back("surrogate");
  for (ScoredTrial& trial : result.trials) {
    const std::vector<Speaker> labels = pipeline::known_labels(trial);
    const Index windows = trial.scores.values.rows();
    const Index speakers = trial.scores.values.cols();
    Matrix values(windows, speakers + 1);
    values.leftCols(speakers) = trial.scores.values;
    for (Index t = 0; t < windows; ++t) {
      const Index later = (t + (windows / 2)) % windows;
      values(t, speakers) = unattended_score(trial, later, labels[static_cast<std::size_t>(later)]);
    }
    trial.scores.values = std::move(values);
  }
  return result;
}

}  // namespace heed::study
