// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/switch_metric.h>
#include <pipeline/model_fit.h>
#include <pipeline/scoring/leave_trial_out.h>
#include <pipeline/track_participant.h>

#include <algorithm>

namespace heed::pipeline {
namespace {

bool is_labelled(const ScoredTrial& trial) {
  return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
}

ScoredParticipant without_trial(const ScoredParticipant& participant, std::size_t left_out) {
  ScoredParticipant rest = participant;
  rest.trials.erase(rest.trials.begin() + static_cast<std::ptrdiff_t>(left_out));
  return rest;
}

ScoredParticipant only_trial(const ScoredParticipant& participant, std::size_t kept) {
  ScoredParticipant one{.id = participant.id, .speakers = participant.speakers, .type = participant.type};
  one.trials = {participant.trials[kept]};
  return one;
}

// What each window says, trial by trial, with an emission that has not seen the trial.
std::vector<LogLikelihoods> evidence_leaving_trials_out(const ScoredParticipant& participant) {
  std::vector<LogLikelihoods> evidence;
  for (std::size_t k = 0; k < participant.trials.size(); ++k) {
    const ScoredParticipant others = without_trial(participant, k);
    const FittedModel fitted = fit_model({.participants = {&others, 1}, .emission = {.fit = EmissionFit::labels}});
    evidence.push_back(std::move(log_likelihoods_of(only_trial(participant, k), fitted.model).front()));
  }
  return evidence;
}

}  // namespace

std::vector<TrackedByMethod> track_leaving_trials_out(const ScoredParticipant& participant, const ChainChoice& chain,
                                                      std::span<const track::Method> methods) {
  if (std::ranges::count_if(participant.trials, is_labelled) < 2) {
    throw Error(ErrorKind::bad_data, "sub-" + participant.id + ": fewer than two trials have attend rows; the " +
                                         "emission of one is fitted to the others");
  }
  const auto evidence = evidence_leaving_trials_out(participant);
  const hmm::Chain fixed = make_chain(chain, std::ssize(participant.speakers), participant.hop());
  const auto bank = make_bank(chain, std::ssize(participant.speakers), participant.hop());
  std::vector<TrackedByMethod> result;
  for (const track::Method method : methods) {
    TrackedByMethod one{.method = method};
    const auto tracker = bank ? track::make_tracker(method, *bank) : track::make_tracker(method, fixed);
    one.tracked = track_participant(participant, evidence, tracker);
    one.metrics = evaluate::measure_participant(one.tracked);
    for (const TrackedTrial& trial : one.tracked.trials) {
      TrackedParticipant alone = one.tracked;
      alone.trials = {trial};
      one.by_trial.push_back(evaluate::measure_participant(alone));
    }
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace heed::pipeline
