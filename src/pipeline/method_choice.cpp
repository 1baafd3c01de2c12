// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <pipeline/method_choice.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

using evaluate::DecisionCounts;

bool are_correlations(const ScoredParticipant& participant) {
  return participant.type == ScoreType::correlation &&
         std::ranges::none_of(participant.trials, [](const ScoredTrial& trial) {
           return std::ranges::any_of(trial.scores.values.reshaped(), [](double x) { return std::abs(x) > 1; });
         });
}

std::optional<std::string> obstacle_to_state_space(const ScoredParticipant& participant,
                                                   const track::StateSpaceOptions& options) {
  if (participant.speakers.size() != 2) {
    return "it is for two speakers, not " + std::to_string(participant.speakers.size());
  }
  if (!are_correlations(participant)) return "it takes correlations, which these scores are not";
  if (participant.trials.empty()) return std::nullopt;
  try {
    (void)track::StateSpaceFilter::make(participant.trials.front().scores.hop, options);
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> obstacle(track::Method method, const ScoredParticipant& participant,
                                    const track::MethodOptions& options) {
  if (!participant.features.empty() && !track::needs(method).emission) {
    return "it takes one score for each speaker, and these are features";
  }
  if (method == track::Method::state_space) return obstacle_to_state_space(participant, options.state_space);
  return std::nullopt;
}

std::vector<track::Method> methods_for(std::span<const ScoredParticipant> participants,
                                       std::span<const track::Method> asked, const track::MethodOptions& options,
                                       Notes& notes) {
  const auto wanted = asked.empty() ? track::all_methods() : asked;
  std::vector<track::Method> methods;
  for (const track::Method method : wanted) {
    std::optional<std::string> why;
    for (auto p = participants.begin(); p != participants.end() && !why; ++p) why = obstacle(method, *p, options);
    if (!why) {
      methods.push_back(method);
    } else if (asked.empty()) {
      notes.push_back({.kind = NoteKind::left_out, .text = std::string(track::name(method)) + " is left out: " + *why});
    } else {
      throw Error(ErrorKind::unsupported, std::string(track::name(method)) + ": " + *why + "; leave it out");
    }
  }
  return methods;
}

DecisionCounts count_decisions(std::span<const ScoredParticipant> participants) {
  DecisionCounts counts;
  for (const ScoredParticipant& participant : participants) counts += evaluate::count_decisions(participant);
  return counts;
}

track::MethodOptions with_gain_states(track::MethodOptions options, const DecisionCounts& others, Notes& notes) {
  if (options.gain_states) return options;
  const auto doubt = [&](const std::string& why, int states) {
    notes.push_back({.kind = NoteKind::doubtful,
                     .text = why + " to choose the number of states of " +
                             std::string(track::name(track::Method::markov_chain)) + " by; " + std::to_string(states) +
                             " are taken"});
  };
  const auto accuracy = others.pairwise_accuracy();
  if (!accuracy) {
    doubt("no other listener has labels", track::default_gain_states);
    return options;
  }
  const track::GainStates chosen = track::gain_states_for(*accuracy);
  options.gain_states = chosen.states;
  if (chosen.capped) doubt("other listeners' windows are decided too poorly", chosen.states);
  return options;
}

}  // namespace heed::pipeline
