// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/method_choice.h>

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
    return "it tells two speakers apart, not " + std::to_string(participant.speakers.size());
  }
  if (!are_correlations(participant)) return "it takes correlations, which these scores are not";
  if (participant.trials.empty()) return std::nullopt;
  try {
    (void)track::StateSpaceFilter::make(participant.trials.front().scores.window, options);
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

// `whose`: "participant 03", or whom else the training participants serve.
track::MethodOptions chosen_by(const DecisionCounts& counts, track::MethodOptions options, const std::string& whose,
                               Notes& notes) {
  const auto accuracy = counts.pairwise_accuracy();
  const std::string method(track::name(track::Method::markov_chain));
  if (!accuracy) {
    notes.push_back(method + ": no other listener's labels to choose the number of states for " + whose + " by; " +
                    std::to_string(track::default_gain_states) + " are taken");
    return options;
  }
  const track::GainStates chosen = track::gain_states_for(*accuracy);
  options.gain_states = chosen.states;
  if (chosen.capped) {
    notes.push_back(method + ": other listeners' windows are decided too poorly to choose the number of states for " +
                    whose + " by; " + std::to_string(chosen.states) + " are taken");
  }
  return options;
}

}  // namespace

std::optional<std::string> obstacle(track::Method method, const ScoredParticipant& participant,
                                    const track::MethodOptions& options) {
  if (!participant.features.empty() && !track::needs(method).emission) {
    return "it takes one score a speaker, and these are features";
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
      notes.push_back(std::string(track::name(method)) + " is left out: " + *why);
    } else {
      throw Error(ErrorKind::unsupported, std::string(track::name(method)) + ": " + *why + "; leave it out");
    }
  }
  return methods;
}

track::MethodOptions with_gain_states(const track::MethodOptions& options, std::span<const ScoredParticipant> training,
                                      Notes& notes) {
  if (options.gain_states) return options;
  DecisionCounts counts;
  for (const ScoredParticipant& participant : training) counts += evaluate::count_decisions(participant);
  return chosen_by(counts, options, "this one", notes);
}

std::vector<track::MethodOptions> leave_one_out_gain_states(const track::MethodOptions& options,
                                                            std::span<const ScoredParticipant> participants,
                                                            Notes& notes) {
  if (options.gain_states) return std::vector(participants.size(), options);
  std::vector<DecisionCounts> counts;
  DecisionCounts total;
  for (const ScoredParticipant& participant : participants) {
    counts.push_back(evaluate::count_decisions(participant));
    total += counts.back();
  }
  std::vector<track::MethodOptions> result;
  for (std::size_t k = 0; k < participants.size(); ++k) {
    DecisionCounts others = total;
    others -= counts[k];
    result.push_back(chosen_by(others, options, "participant " + participants[k].id, notes));
  }
  return result;
}

}  // namespace heed::pipeline
