// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/pipeline/track_participant.h>

#include <utility>

namespace heed::pipeline {
namespace {

TrackedTrial track_trial(const ScoredTrial& trial, const Emission& emission, const track::AnyTracker& tracker) {
  const LogLikelihoods log_likelihoods = emission::log_likelihoods(emission, trial.scores);
  track::Tracked tracked = track::track(tracker, {trial.scores, log_likelihoods});
  return {.name = trial.name,
          .onset = trial.onset,
          .posteriors = std::move(tracked.posteriors),
          .decisions = std::move(tracked.decisions),
          .attention = trial.attention};
}

Seconds look_ahead_of(const track::AnyTracker& tracker, const ScoredParticipant& participant) {
  return participant.trials.empty() ? Seconds{} : track::look_ahead(tracker, participant.trials.front().scores.window);
}

}  // namespace

TrackedParticipant track_participant(const ScoredParticipant& participant, const Emission& emission,
                                     const track::AnyTracker& tracker) {
  TrackedParticipant result{.id = participant.id,
                            .speakers = participant.speakers,
                            .look_ahead = look_ahead_of(tracker, participant),
                            .trials = {}};
  for (const ScoredTrial& trial : participant.trials) {
    try {
      result.trials.push_back(track_trial(trial, emission, tracker));
    } catch (const Error& error) {
      const std::string place = trial.name.empty() ? "" : ", trial " + trial.name;
      throw error.within("participant " + participant.id + place);
    }
  }
  return result;
}

}  // namespace heed::pipeline
