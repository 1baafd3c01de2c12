// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/pipeline/track.h>
#include <pipeline/method_choice.h>
#include <pipeline/model_fit.h>
#include <pipeline/track_participant.h>
#include <pipeline/unknown_switching.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heed::pipeline {
namespace {

void check_alike(const ScoredParticipant& others, const ScoredParticipant& participant) {
  if (others.window() != participant.window()) {
    throw Error(ErrorKind::bad_data, "the scores have windows of " + data::shown(participant.window().value) +
                                         " s, those of the others of " + data::shown(others.window().value) +
                                         " s; fit on scores of the same window length");
  }
  if (others.hop() != participant.hop()) {
    throw Error(ErrorKind::bad_data, "the scores are " + data::shown_windows(participant.window(), participant.hop()) +
                                         ", those of the others " + data::shown_windows(others.window(), others.hop()) +
                                         "; fit on scores of the same hop");
  }
  if (others.type != participant.type) {
    throw Error(ErrorKind::bad_data,
                "the scores and those of the others are not of one ScoreType; fit on scores of the same decoder");
  }
}

bool same_scores(const ScoredTrial& a, const ScoredTrial& b) {
  const Matrix& x = a.scores.values;
  const Matrix& y = b.scores.values;
  if (x.rows() != y.rows() || x.cols() != y.cols()) return false;
  if (a.scores.window != b.scores.window || a.scores.hop != b.scores.hop) return false;
  return std::equal(x.data(), x.data() + x.size(), y.data(),
                    [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
}

// Scores of a few values only, as decisions are, may well agree by chance.
bool could_agree_by_chance(const ScoredParticipant& participant) {
  constexpr std::size_t few = 4;
  std::set<double> values;
  for (const ScoredTrial& trial : participant.trials) {
    for (const double value : trial.scores.values.reshaped()) {
      if (!std::isnan(value)) values.insert(value);
      if (values.size() > few) return false;
    }
  }
  return true;
}

bool holds(const ScoredParticipant& one, const ScoredTrial& trial) {
  return std::ranges::any_of(one.trials, [&](const ScoredTrial& other) { return same_scores(other, trial); });
}

// The one of those to learn from who has the tracked scores, found by their values: a folder of everybody holds them
// under any name.
std::optional<std::size_t> tracked_among(const TrackRequest& request) {
  const auto found = std::ranges::find_if(request.others, [&](const ScoredParticipant& one) {
    return one.type == request.participant.type &&
           std::ranges::all_of(request.participant.trials, [&](const ScoredTrial& trial) { return holds(one, trial); });
  });
  if (found == request.others.end() || could_agree_by_chance(request.participant)) return std::nullopt;
  return static_cast<std::size_t>(found - request.others.begin());
}

FittedModel fitted_to_others(const TrackRequest& request) {
  check_alike(request.others.front(), request.participant);
  EmissionChoice emission = request.emission;
  if (!emission.fit) emission.fit = EmissionFit::labels;
  try {
    return fit_model({request.others, emission, request.model, request.chain, request.interruption});
  } catch (const Error& error) {
    throw error.within("fitting to the others");
  }
}

FittedModel fitted_to_itself(const TrackRequest& request) {
  const ScoredParticipant& participant = request.participant;
  const EmissionChoice& choice = request.emission;
  const bool mixture = family_of(choice, participant.type) == EmissionFamily::mixture;
  const bool labelled = has_labels(participant);
  if (choice.fit == EmissionFit::adaptive) {
    throw Error(ErrorKind::invalid_argument,
                "adaptation needs a start: give labelled scores of others, a model, or the parameters of the emission");
  }
  const bool tempers = choice.calibrate || choice.evidence == EvidenceCounting::scaled;
  const bool needs_labels = choice.fit ? choice.fit == EmissionFit::labels : tempers || mixture;
  if (!labelled && needs_labels) {
    throw Error(ErrorKind::invalid_argument,
                std::string("no attended speaker is given, so nothing can be fitted to labels here; give labelled "
                            "scores of others, or a model") +
                    (mixture ? "" : ", or the parameters of the emission") + ", or fit without labels (baum-welch)");
  }
  FittedModel fitted = fit_model({{&participant, 1}, choice, request.model, request.chain, request.interruption});
  const bool label_free = choice.fit ? choice.fit != EmissionFit::labels : !labelled && !choice.calibrate;
  if (label_free) note_transductive(fitted);
  if (labelled && choice.fit.value_or(EmissionFit::labels) == EmissionFit::labels) {
    const bool known = known_emission(with_model(choice, request.model), participant.type).has_value();
    const std::string origin = request.model ? request.model->origin : "given by hand";
    fitted.model.origin =
        (known ? origin + "; temperature " : "") + "fitted to the labels of the tracked scores themselves";
    fitted.notes.insert(fitted.notes.begin(),
                        {.kind = NoteKind::doubtful,
                         .text = "the emission is fitted to the labels of these same scores, which makes the result "
                                 "look better than it is; fit it to other listeners"});
  }
  return fitted;
}

// A given model, improved without labels: on the others' scores where there are any, else on those that are tracked.
FittedModel fitted_from_start(const TrackRequest& request) {
  const bool adaptive = request.emission.fit == EmissionFit::adaptive;
  if (adaptive && !request.others.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "the start of the adaptation is given, so there is nothing to fit to others; leave one of them out");
  }
  const auto learnt_from = request.others.empty() ? std::span(&request.participant, 1) : request.others;
  FittedModel fitted = fit_model({learnt_from, request.emission, request.model, request.chain, request.interruption});
  if (!adaptive && request.others.empty()) note_transductive(fitted);
  return fitted;
}

FittedModel model_for(const TrackRequest& request) {
  const ScoredParticipant& participant = request.participant;
  const EmissionChoice choice = with_model(request.emission, request.model);
  const bool known = known_emission(choice, participant.type).has_value();
  const bool fits = choice.fit || !request.others.empty() || choice.fit_switch_probability;
  if (starts_from_given(choice)) return fitted_from_start(request);
  const bool tempers = choice.calibrate || choice.evidence == EvidenceCounting::scaled;
  if (known && fits && !tempers) {
    throw Error(ErrorKind::invalid_argument,
                "the emission is given, so there is nothing to fit; leave out how and on what it is fitted");
  }
  if (known && !tempers) {
    return fit_model({{&participant, 1}, request.emission, request.model, request.chain, request.interruption});
  }
  return request.others.empty() ? fitted_to_itself(request) : fitted_to_others(request);
}

// Some rivals look at the scores themselves.
FittedModel without_emission(const TrackRequest& request) {
  const ScoredParticipant& participant = request.participant;
  return {.model = {.emission = GivenLogLikelihoods{},
                    .window = participant.window(),
                    .hop = participant.hop(),
                    .steps = participant.type == ScoreType::step_cosine,
                    .participants = 0,
                    .origin = "not used by " + std::string(track::name(request.method))},
          .chain = make_chain(request.chain, std::ssize(participant.speakers), participant.hop())};
}

std::optional<hmm::Bank> bank_of(const TrackRequest& request) {
  return make_bank(request.chain, std::ssize(request.participant.speakers), request.participant.hop());
}

// What the windows say, by the model of the result.
std::vector<LogLikelihoods> log_likelihoods_by(const TrackRequest& request, const FittedModel& fitted) {
  if (fitted.learning != Learning::causal) return log_likelihoods_of(request.participant, fitted.model);
  if (const auto bank = bank_of(request)) {
    return adapted_log_likelihoods_of(request.participant, fitted.model, *bank, request.emission.adaptation);
  }
  return adapted_log_likelihoods_of(request.participant, fitted.model, fitted.chain, request.emission.adaptation);
}

// The request again, with its own scores taken out of those to learn from.
TrackResult tracked_without(const TrackRequest& request, std::size_t listener) {
  std::vector<ScoredParticipant> others(request.others.begin(), request.others.end());
  ScoredParticipant& same = others[listener];
  Note note{.subject = same.id,
            .kind = NoteKind::left_out,
            .text = "the tracked scores are among those to fit to, and are left out of the fit"};
  std::erase_if(same.trials, [&](const ScoredTrial& trial) { return holds(request.participant, trial); });
  if (same.trials.empty()) others.erase(others.begin() + static_cast<std::ptrdiff_t>(listener));
  TrackRequest without = request;
  without.others = others;
  TrackResult result = track_attention(without);
  result.notes.insert(result.notes.begin(), std::move(note));
  return result;
}

}  // namespace

TrackResult track_attention(const TrackRequest& request) {
  if (const auto listener = tracked_among(request)) return tracked_without(request, *listener);
  const track::MethodNeeds used = track::needs(request.method);
  Notes notes;
  if (used.emission) note_model(request.model, request.participant, notes);
  TrackResult result{.fitted = used.emission ? model_for(request) : without_emission(request),
                     .notes = std::move(notes)};
  std::ranges::copy(result.fitted.notes, std::back_inserter(result.notes));
  track::MethodOptions options = request.options;
  if (request.method == track::Method::markov_chain && !request.others.empty()) {
    options = with_gain_states(options, count_decisions(request.others), result.notes);
  }
  const auto bank = bank_of(request);
  if (bank && used.chain) note_left_out(*bank, result.notes);
  const auto dependent = emission::dependent_model(result.fitted.model, result.fitted.chain.states());
  const auto tracker = bank ? track::make_tracker(request.method, *bank, options, dependent)
                            : track::make_tracker(request.method, result.fitted.chain, options, dependent);
  const bool adapts = result.fitted.learning == Learning::causal;
  result.tracked = adapts ? track_participant(request.participant, log_likelihoods_by(request, result.fitted), tracker)
                          : track_participant(request.participant, result.fitted.model, tracker);
  const auto* sticky = result.fitted.chain.as_sticky();
  if (used.chain && sticky != nullptr && !bank) result.switch_probability = sticky->move();
  if (const auto* gains = std::get_if<track::MarkovChainTracker>(&tracker)) result.gain_states = gains->states;
  return result;
}

hmm::PathProbability path_probability(const TrackRequest& request, const TrackResult& result,
                                      std::span<const AttentionTrack> paths) {
  const track::MethodNeeds used = track::needs(request.method);
  if (!used.emission || !used.chain) {
    throw Error(ErrorKind::unsupported, std::string(track::name(request.method)) +
                                            " is not a hidden Markov model, so paths have no probability; choose one");
  }
  if (result.fitted.model.dependence) {
    throw Error(ErrorKind::unsupported,
                "the probability of a path is known for windows that are independent, given who is attended; choose "
                "the dependence none");
  }
  const auto log_likelihoods = log_likelihoods_by(request, result.fitted);
  if (paths.size() != log_likelihoods.size()) {
    throw Error(ErrorKind::invalid_argument, std::to_string(paths.size()) + " paths for " +
                                                 std::to_string(log_likelihoods.size()) +
                                                 " trials; give one for each trial");
  }
  const auto over_trials = [&](const hmm::Chain& chain) {
    hmm::PathProbability sum;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      try {
        sum += hmm::path_probability(chain, log_likelihoods[k], paths[k].attended);
      } catch (const Error& error) {
        const std::string& trial = request.participant.trials[k].name;
        throw trial.empty() ? error : error.within("trial " + trial);
      }
    }
    return sum;
  };
  const auto bank = bank_of(request);
  if (!bank) return over_trials(result.fitted.chain);
  std::vector<hmm::PathProbability> by_value;
  for (std::size_t g = 0; g < bank->size(); ++g) by_value.push_back(over_trials(bank->chain(g)));
  return hmm::mean_of(by_value);
}

}  // namespace heed::pipeline
