// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/emission/supervised.h>
#include <heed/evaluate/chance.h>
#include <pipeline/dependence_choice.h>
#include <pipeline/label_free_fit.h>
#include <pipeline/method_choice.h>
#include <pipeline/model_fit.h>
#include <pipeline/unknown_switching.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace heed::pipeline {
namespace {

bool takes_fisher(const EmissionChoice& choice, ScoreType type) {
  return family_of(choice, type) == EmissionFamily::fisher_gaussian;
}

GaussianEmission fit_gaussian(const EmissionChoice& choice, ScoreType type, std::span<const ScoreMoments> sums) {
  return emission::fit_gaussian(sums, {.fisher = takes_fisher(choice, type), .spread = choice.spread});
}

std::vector<ScoreMoments> all_moments(std::span<const ScoredParticipant> participants, bool fisher) {
  std::vector<ScoreMoments> sums;
  sums.reserve(participants.size());
  for (const ScoredParticipant& participant : participants) {
    try {
      sums.push_back(emission::moments(participant, fisher));
    } catch (const Error& error) {
      throw error.within("participant " + participant.id);
    }
  }
  return sums;
}

void require_scores(const ScoredParticipant& participant) {
  if (participant.features.empty()) return;
  throw Error(ErrorKind::invalid_argument,
              "features need the emission mixture; scores have one column for each speaker");
}

std::vector<Emission> leave_one_out_mixtures(const EmissionChoice& choice,
                                             std::span<const ScoredParticipant> participants) {
  std::vector<Emission> emissions;
  for (std::size_t left_out = 0; left_out < participants.size(); ++left_out) {
    std::vector<ScoredParticipant> others(participants.begin(), participants.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    try {
      emissions.emplace_back(emission::fit_mixtures(others, choice.mixture));
    } catch (const Error& error) {
      throw error.within("without participant " + participants[left_out].id);
    }
  }
  return emissions;
}

// How often decisions are right: the largest score is the attended speaker's.
HardDecisionEmission fit_decisions(const evaluate::DecisionCounts& counts) {
  if (const auto accuracy = counts.accuracy()) return {*accuracy};
  throw Error(ErrorKind::bad_data,
              "no window says who was attended, so it is not known how often the decisions are right; give their "
              "accuracy, or labels");
}

std::vector<Emission> leave_one_out_decisions(std::span<const ScoredParticipant> participants) {
  const evaluate::DecisionCounts all = count_decisions(participants);
  std::vector<Emission> emissions;
  for (const ScoredParticipant& participant : participants) {
    evaluate::DecisionCounts others = all;
    others -= evaluate::count_decisions(participant);
    emissions.emplace_back(fit_decisions(others));
  }
  return emissions;
}

void add_doubt(Notes& notes, std::string text) {
  notes.push_back({.subject = {}, .kind = NoteKind::doubtful, .text = std::move(text)});
}

[[noreturn]] void reject(const char* why) { throw Error(ErrorKind::invalid_argument, why); }

double temperature_for(const Emission& emission, std::span<const ScoredParticipant> participants,
                       const hmm::Chain& chain, Notes& notes) {
  std::vector<emission::LabelledTrials> labelled;
  for (const ScoredParticipant& participant : participants) labelled.push_back(labelled_trials(participant, emission));
  const double temperature = emission::fit_temperature(chain, labelled);
  constexpr double near = 1.01;
  if (temperature > emission::highest_temperature / near) {
    add_doubt(notes, "calibration found the scores uninformative: the temperature is at the upper end of its range");
  } else if (temperature < emission::lowest_temperature * near) {
    add_doubt(notes, "calibration could not make the scores informative enough: the temperature is at the lower end");
  }
  return temperature;
}

FittedModel fit_to_labels(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                          const hmm::Chain& chain) {
  if (choice.fit_switch_probability) reject("the switch probability is fitted by Baum-Welch only");
  const std::size_t count = participants.size();
  FittedModel fitted{
      .model = model_for(participants.front(), fit_emission(choice, participants), count,
                         "fitted to the labels of " + std::to_string(count) + " participant" + (count == 1 ? "" : "s")),
      .chain = chain};
  fitted.model.temperature = choice.temperature;
  if (choice.calibrate) {
    fitted.model.temperature = temperature_for(fitted.model.emission, participants, chain, fitted.notes);
  }
  if (measures_evidence(choice, participants.front().type)) {
    std::vector<emission::EvidenceMoments> sums;
    for (const ScoredParticipant& one : participants) sums.push_back(evidence_of(fitted.model.emission, one));
    count_evidence(choice, emission::evidence_scale(sums), fitted);
  }
  if (choice.dependence && choice.dependence != DependenceChoice::none) {
    emission::DependenceMoments sums;
    for (const auto& one : dependence_moments_of(choice, participants)) sums += one;
    fit_dependence(*choice.dependence, sums, chain.states(), fitted.model);
  }
  return fitted;
}

// Trials that an offset can be learnt from, in all of these together.
double offset_trials(const EmissionChoice& choice, std::span<const ScoredParticipant> participants) {
  double trials = 0;
  for (const auto& one : dependence_moments_of(choice, participants)) trials += one.trials;
  return trials;
}

// Of others, at least for a start.
bool learns_from_labels(const EmissionChoice& choice) {
  const EmissionFit fit = choice.fit.value_or(EmissionFit::labels);
  return fit == EmissionFit::labels || fit == EmissionFit::adaptive;
}

// Adaptation follows three parameters.
void require_adaptive(const EmissionChoice& choice, ScoreType type) {
  if (choice.fit != EmissionFit::adaptive || is_gaussian(choice, type)) return;
  reject("the adaptive fit is for the emissions fisher-gaussian and gaussian, which have parameters to follow");
}

std::vector<ScoredParticipant> without(std::span<const ScoredParticipant> participants, std::size_t left_out) {
  if (participants.size() == 1) {
    throw Error(ErrorKind::bad_data,
                "one participant cannot be left out of a cohort of one, so nothing is left to "
                "calibrate on; give more participants");
  }
  std::vector<ScoredParticipant> others(participants.begin(), participants.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
  return others;
}

// Where nothing was said and there is nothing to go by but the scores.
bool falls_back_to_baum_welch(const EmissionChoice& choice, std::span<const ScoredParticipant> participants) {
  const EmissionFamily family = family_of(choice, participants.front().type);
  const bool can_do_without = family != EmissionFamily::mixture && family != EmissionFamily::hard_decision;
  const bool tempers = choice.calibrate || choice.evidence == EvidenceCounting::scaled;
  return !choice.fit && !tempers && can_do_without && std::ranges::none_of(participants, has_labels);
}

// What there is to say of the evidence of a fit, in words and notes.
void tell_evidence(const EmissionChoice& choice, const FitRequest& request, FittedModel& fitted) {
  const std::span models(&fitted.model, 1);
  const ScoredParticipant& first = request.participants.front();
  note_columns(choice, models, first.type, fitted.notes);
  note_scale(choice, {models, {&fitted.evidence_scale, 1}}, first, fitted.notes);
  const Repetition repetition = repetition_of(choice, models, request.participants);
  note_repetition(repetition, choice, models, request.chain.unknown_switch_probability, fitted.notes);
  if (const auto scale = fitted.evidence_scale) {
    fitted.evidence_words = emission::scale_words(*scale, repetition.neighbours);
  }
}

// Probabilities of a classifier pass for correlations.
bool are_probabilities(std::span<const ScoredParticipant> participants) {
  constexpr double rounding = 1e-4;  // of a table with few digits
  Index windows = 0;
  for (const ScoredParticipant& participant : participants) {
    for (const ScoredTrial& trial : participant.trials) {
      for (const auto& row : trial.scores.values.rowwise()) {
        if (row.hasNaN()) continue;
        if (!(row.minCoeff() >= 0) || !(std::abs(row.sum() - 1) < rounding)) return false;
        ++windows;
      }
    }
  }
  return windows > 0;
}

void note_probabilities(const EmissionChoice& choice, std::span<const ScoredParticipant> participants, Notes& notes) {
  if (choice.family || choice.given || !participants.front().features.empty() || !are_probabilities(participants)) {
    return;
  }
  add_doubt(notes,
            "the scores of every window are above 0 and sum to one, as the probabilities of a classifier do; the "
            "emission 'probability' takes them as that");
}

// What was fitted is the start of an adaptation, if one was asked for.
FittedModel adapting(const EmissionChoice& choice, FittedModel fitted) {
  if (choice.fit != EmissionFit::adaptive) return fitted;
  fitted.learning = Learning::causal;
  fitted.model.origin += "; from there adapted without labels to what was heard so far (causal)";
  return fitted;
}

std::optional<Model> known_model(const FitRequest& request, const EmissionChoice& choice) {
  const bool is_start = starts_from_given(choice) && choice.fit != EmissionFit::adaptive;
  const auto dependence = choice.dependence == DependenceChoice::none ? std::nullopt : choice.given_dependence;
  if (request.model && !is_start) {
    Model model = *request.model;
    model.dependence = dependence;
    return model;
  }
  const auto known = known_emission(choice, request.participants.front().type);
  if (!known || is_start) return std::nullopt;
  Model model = model_for(request.participants.front(), *known, 0, "given by hand");
  model.dependence = dependence;
  return model;
}

}  // namespace

void note_transductive(FittedModel& fitted) {
  fitted.learning = Learning::transductive;
  fitted.model.origin += ", from the tracked scores themselves, their future included (transductive)";
}

bool has_labels(const ScoredParticipant& participant) noexcept {
  return std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
    return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
  });
}

EmissionChoice with_model(EmissionChoice choice, const std::optional<Model>& model) {
  if (!model) return choice;
  choice.given = model->emission;
  choice.temperature = model->temperature;
  choice.given_dependence = model->dependence;
  return choice;
}

void note_model(const std::optional<Model>& model, const ScoredParticipant& participant, Notes& notes) {
  const bool by_hand = model && model->participants == 0 && !model->steps;
  if (model && emission::is_reference(*model)) add_doubt(notes, std::string(emission::reference_words));
  if (model && !by_hand && model->steps != is_of_steps(participant)) {
    const auto words = [](bool steps) { return std::string(steps ? "steps (step-cosine)" : "windows"); };
    throw Error(ErrorKind::invalid_argument, "the model was fitted to scores of " + words(model->steps) +
                                                 ", and these are scores of " + words(!model->steps) +
                                                 "; fit a model to scores of the same kind");
  }
  if (!model || (model->window == participant.window() && model->hop == participant.hop())) return;
  const bool overlap = participant.hop() < participant.window();
  add_doubt(notes, "the model was fitted to " + data::shown_windows(model->window, model->hop) + ", these are " +
                       data::shown(participant.window().value) + " s long" +
                       (overlap ? ", one every " + data::shown(participant.hop().value) + " s" : ""));
}

bool models_see_switches(const EmissionChoice& choice) noexcept {
  return choice.calibrate || !learns_from_labels(choice);
}

Emission fit_emission(const EmissionChoice& choice, std::span<const ScoredParticipant> participants) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "there is no participant to fit the emission to");
  const ScoreType type = participants.front().type;
  if (const auto known = known_emission(choice, type)) return *known;
  if (family_of(choice, type) == EmissionFamily::mixture) return emission::fit_mixtures(participants, choice.mixture);
  require_scores(participants.front());
  if (family_of(choice, type) == EmissionFamily::hard_decision) return fit_decisions(count_decisions(participants));
  return fit_gaussian(choice, type, all_moments(participants, takes_fisher(choice, type)));
}

std::vector<Emission> leave_one_out_emissions(const EmissionChoice& choice,
                                              std::span<const ScoredParticipant> participants) {
  if (participants.empty()) return {};
  const ScoreType type = participants.front().type;
  if (const auto known = known_emission(choice, type)) return std::vector<Emission>(participants.size(), *known);
  if (participants.size() == 1) {
    throw Error(ErrorKind::bad_data,
                "one participant cannot be left out of a cohort of one; give more participants, or the emission's "
                "parameters or model");
  }
  if (family_of(choice, type) == EmissionFamily::mixture) return leave_one_out_mixtures(choice, participants);
  require_scores(participants.front());
  if (family_of(choice, type) == EmissionFamily::hard_decision) return leave_one_out_decisions(participants);
  const auto sums = all_moments(participants, takes_fisher(choice, type));
  std::vector<Emission> emissions;
  for (std::size_t left_out = 0; left_out < sums.size(); ++left_out) {
    auto others = sums;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    emissions.emplace_back(fit_gaussian(choice, type, others));
  }
  return emissions;
}

FittedModel fit_model(const FitRequest& request) {
  const auto& participants = request.participants;
  if (participants.empty()) throw Error(ErrorKind::bad_data, "there is no participant to fit the emission to");
  EmissionChoice choice = with_model(request.emission, request.model);
  check_unknown_switching(choice, request.chain);
  const hmm::Chain chain =
      make_chain(request.chain, std::ssize(participants.front().speakers), participants.front().hop());
  require_adaptive(choice, participants.front().type);
  const auto known = known_model(request, choice);
  if (known) {
    emission::check(known->emission, chain.states());
    check_dependence(choice, *known, participants.front());
  }
  Notes notes;
  const bool tempers = choice.calibrate || choice.evidence == EvidenceCounting::scaled;
  if (known && !tempers) {
    if (choice.dependence) (void)settled_dependence(choice, participants, 0, notes);
    FittedModel given{.model = *known, .chain = chain, .notes = std::move(notes)};
    tell_evidence(choice, request, given);
    return adapting(choice, std::move(given));
  }
  const bool falls_back = falls_back_to_baum_welch(choice, participants);
  if (falls_back) choice.fit = EmissionFit::baum_welch;
  if (choice.dependence) {
    choice.dependence = settled_dependence(choice, participants, offset_trials(choice, participants), notes);
  }
  FittedModel fitted = learns_from_labels(choice)
                           ? fit_to_labels(choice, participants, chain)
                           : fit_without_labels(choice, participants, chain, request.interruption);
  fitted.notes.insert(fitted.notes.begin(), notes.begin(), notes.end());
  if (known) fitted.model.origin = known->origin + "; temperature " + fitted.model.origin;
  if (falls_back) {
    fitted.notes.insert(fitted.notes.begin(),
                        {.subject = {},
                         .kind = NoteKind::chosen,
                         .text = "no labels and no parameters are given, so the emission is learnt from these scores "
                                 "alone, by Baum-Welch; labelled scores of other listeners would be better"});
  }
  note_unknown_switching(choice, request.chain, fitted.notes);
  note_probabilities(choice, participants, fitted.notes);
  tell_evidence(choice, request, fitted);
  return adapting(choice, std::move(fitted));
}

CohortModels::CohortModels(EmissionChoice choice, const CohortViews& cohort, hmm::Chain chain)
    : choice_(std::move(choice)), cohort_(cohort), chain_(std::move(chain)) {
  const ScoreType type = cohort.recorded.front().type;
  require_adaptive(choice_, type);
  settle_dependence();
  // Mixtures of unlabelled features would not know which state is which: they start from the others' labels.
  if (learns_from_labels(choice_) || is_mixture(choice_, type)) {
    emissions_ = leave_one_out_emissions(choice_, cohort.recorded);
  }
  const bool measures = learns_from_labels(choice_) && measures_evidence(choice_, type);
  if (!measures || !gain_of(emissions_.front())) return;
  for (const ScoredParticipant& one : cohort.recorded) {
    differences_.push_back(evidence_of(unit_emission(emissions_.front()), one));
  }
}

// One model of dependence for everybody, for which there are enough trials whoever is left out.
void CohortModels::settle_dependence() {
  if (!choice_.dependence) return;
  repeats_ = dependence_moments_of(choice_, cohort_.recorded);
  double all = 0;
  double most = 0;
  for (const emission::DependenceMoments& one : repeats_) {
    all += one.trials;
    most = std::max(most, one.trials);
  }
  choice_.dependence = settled_dependence(choice_, cohort_.recorded, all - most, notes_);
}

std::optional<double> CohortModels::scale_without(std::size_t participant) const {
  const Emission& emission = emissions_[participant];
  const auto gain = gain_of(emission);
  std::vector<emission::EvidenceMoments> others;
  for (std::size_t k = 0; k < cohort_.recorded.size(); ++k) {
    if (k == participant) continue;
    others.push_back(gain ? times(differences_[k], *gain) : evidence_of(emission, cohort_.recorded[k]));
  }
  return emission::evidence_scale(others);
}

void CohortModels::fit_dependence_without(std::size_t participant, Model& model) const {
  const DependenceChoice choice = choice_.dependence.value_or(DependenceChoice::none);
  if (choice == DependenceChoice::none) return;
  emission::DependenceMoments others;
  for (std::size_t k = 0; k < repeats_.size(); ++k) {
    if (k != participant) others += repeats_[k];
  }
  fit_dependence(choice, others, chain_.states(), model);
}

FittedModel CohortModels::fit(std::size_t participant, const Interruption& interruption) const {
  FittedModel fitted{.model = {}, .chain = chain_};
  if (!learns_from_labels(choice_)) {
    EmissionChoice choice = choice_;
    if (!emissions_.empty()) choice.given = emissions_[participant];
    fitted = fit_without_labels(choice, cohort_.switching.subspan(participant, 1), chain_, interruption);
    note_transductive(fitted);
  } else {
    fitted.model = model_for(cohort_.recorded.front(), emissions_[participant], cohort_.recorded.size() - 1,
                             "fitted to the labels of the others");
    fitted.model.temperature = choice_.temperature;
    if (choice_.given && choice_.dependence != DependenceChoice::none) {
      fitted.model.dependence = choice_.given_dependence;
      check_dependence(choice_, fitted.model, cohort_.recorded[participant]);
    }
    if (choice_.calibrate) {
      fitted.model.temperature =
          temperature_for(fitted.model.emission, without(cohort_.switching, participant), chain_, fitted.notes);
    }
    if (measures_evidence(choice_, cohort_.recorded.front().type)) {
      count_evidence(choice_, scale_without(participant), fitted);
    }
    fit_dependence_without(participant, fitted.model);
  }
  for (Note& note : fitted.notes) note.subject = cohort_.recorded[participant].id;
  return adapting(choice_, std::move(fitted));
}

}  // namespace heed::pipeline
