// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>
#include <pipeline/method_choice.h>
#include <pipeline/track_participant.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heed::pipeline {
namespace {

// Errors of work on one trial name it.
template <typename Work>
auto naming(const ScoredParticipant& participant, const ScoredTrial& trial, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string place = trial.name.empty() ? "" : ", trial " + trial.name;
    throw error.within("participant " + participant.id + place);
  }
}

TrackedTrial tracked_trial(const ScoredTrial& trial, track::Tracked tracked) {
  return {.name = trial.name,
          .onset = trial.onset,
          .posteriors = std::move(tracked.posteriors),
          .decisions = std::move(tracked.decisions),
          .attention = trial.attention,
          .switching = std::move(tracked.switching.weights)};
}

// The tracker is then that of the listener's next trial.
TrackedTrial track_trial(const ScoredTrial& trial, const LogLikelihoods& log_likelihoods, track::AnyTracker& tracker) {
  track::Tracked tracked = track::track(tracker, {trial.scores, log_likelihoods});
  tracker = track::after(std::move(tracker), tracked);
  return tracked_trial(trial, std::move(tracked));
}

// Trials of the state-space model go side by side: it takes a hundred times as long as the others.
std::vector<TrackedTrial> track_together(const ScoredParticipant& participant,
                                         std::span<const LogLikelihoods> log_likelihoods,
                                         const track::StateSpaceTracker& model) {
  std::vector<track::Evidence> evidence;
  for (std::size_t k = 0; k < log_likelihoods.size(); ++k) {
    const ScoredTrial& trial = participant.trials[k];
    naming(participant, trial, [&] { track::StateSpaceTracker::check(trial.scores); });
    evidence.push_back({trial.scores, log_likelihoods[k]});
  }
  std::vector<TrackedTrial> trials;
  for (track::Tracked& one : model.track(evidence)) {
    trials.push_back(tracked_trial(participant.trials[trials.size()], std::move(one)));
  }
  return trials;
}

void check_allowed(const track::AnyTracker& tracker, const ScoredParticipant& participant) {
  const track::Method method = track::method_of(tracker);
  track::MethodOptions options;
  if (const auto* model = std::get_if<track::StateSpaceTracker>(&tracker)) options.state_space = model->options;
  if (const auto why = obstacle(method, participant, options)) {
    throw Error(ErrorKind::unsupported,
                "participant " + participant.id + ": " + std::string(track::name(method)) + " cannot be run: " + *why);
  }
}

// The same features in the same order: a mixture would not notice two that changed places.
void check_features(const Emission& emission, const ScoredParticipant& participant) {
  const auto* mixture = std::get_if<MixtureEmission>(&emission);
  if (mixture == nullptr && participant.features.empty()) return;
  const std::string whose = "participant " + participant.id + ": ";
  if (mixture == nullptr) {
    throw Error(ErrorKind::invalid_argument,
                whose + "features need the emission mixture; scores have one column for each speaker");
  }
  const auto& columns = participant.features.empty() ? participant.speakers : participant.features;
  if (columns.size() != mixture->features.size()) return;  // the emission says how many it wants
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] == mixture->features[k]) continue;
    throw Error(ErrorKind::bad_data, whose + "feature " + std::to_string(k + 1) + " is '" + columns[k] +
                                         "', but the mixture was fitted to '" + mixture->features[k] +
                                         "' there; give the same columns in the same order");
  }
}

// `chain`: hmm::Chain or hmm::Bank.
template <typename Chain>
std::vector<LogLikelihoods> adapted_by(const Chain& chain, const ScoredParticipant& participant, const Model& start,
                                       const emission::AdaptiveOptions& options) {
  try {
    return emission::adapted_log_likelihoods(std::get<GaussianEmission>(start.emission), chain, participant.trials,
                                             options, start.temperature)
        .log_likelihoods;
  } catch (const Error& error) {
    throw error.within("participant " + participant.id);
  }
}

// What is known of an unknown switch probability after the trials; nothing where none is unknown.
std::optional<SwitchPosterior> switching_after(const track::AnyTracker& tracker) {
  const auto* unknown = std::get_if<track::BankTracker>(&tracker);
  if (unknown == nullptr) return std::nullopt;
  return unknown->bank.posterior(unknown->bank.weights());
}

Seconds look_ahead_of(const track::AnyTracker& tracker, const ScoredParticipant& participant) {
  return participant.trials.empty() ? Seconds{} : track::look_ahead(tracker, participant.trials.front().scores.hop);
}

}  // namespace

TrackedParticipant track_participant(const ScoredParticipant& participant, const Emission& emission,
                                     const track::AnyTracker& tracker) {
  return track_participant(participant, Model{.emission = emission}, tracker);
}

TrackedParticipant track_participant(const ScoredParticipant& participant, const Model& model,
                                     const track::AnyTracker& tracker) {
  check_allowed(tracker, participant);
  return track_participant(participant, log_likelihoods_of(participant, model), tracker);
}

std::vector<LogLikelihoods> log_likelihoods_of(const ScoredParticipant& participant, const Model& model) {
  check_features(model.emission, participant);
  std::vector<LogLikelihoods> log_likelihoods;
  for (const ScoredTrial& trial : participant.trials) {
    log_likelihoods.push_back(naming(participant, trial, [&] {
      return emission::tempered(emission::log_likelihoods(model.emission, trial.scores), model.temperature);
    }));
  }
  return log_likelihoods;
}

std::vector<LogLikelihoods> adapted_log_likelihoods_of(const ScoredParticipant& participant, const Model& start,
                                                       const hmm::Chain& chain,
                                                       const emission::AdaptiveOptions& options) {
  return adapted_by(chain, participant, start, options);
}

std::vector<LogLikelihoods> adapted_log_likelihoods_of(const ScoredParticipant& participant, const Model& start,
                                                       const hmm::Bank& bank,
                                                       const emission::AdaptiveOptions& options) {
  return adapted_by(bank, participant, start, options);
}

TrackedParticipant track_participant(const ScoredParticipant& participant,
                                     std::span<const LogLikelihoods> log_likelihoods,
                                     const track::AnyTracker& tracker) {
  check_allowed(tracker, participant);
  if (log_likelihoods.size() != participant.trials.size()) {
    throw Error(ErrorKind::invalid_argument,
                "participant " + participant.id + " has " + std::to_string(participant.trials.size()) +
                    " trials, but log-likelihoods of " + std::to_string(log_likelihoods.size()) + "; give one each");
  }
  TrackedParticipant result{.id = participant.id,
                            .speakers = participant.speakers,
                            .look_ahead = look_ahead_of(tracker, participant),
                            .trials = {}};
  if (const auto* model = std::get_if<track::StateSpaceTracker>(&tracker)) {
    result.trials = track_together(participant, log_likelihoods, *model);
    return result;
  }
  track::AnyTracker next = tracker;
  for (std::size_t k = 0; k < log_likelihoods.size(); ++k) {
    const ScoredTrial& trial = participant.trials[k];
    result.trials.push_back(naming(participant, trial, [&] { return track_trial(trial, log_likelihoods[k], next); }));
  }
  result.switching = switching_after(next);
  return result;
}

}  // namespace heed::pipeline
