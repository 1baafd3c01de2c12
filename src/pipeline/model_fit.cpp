// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/emission/temperature.h>
#include <heed/pipeline/model_fit.h>

#include <cstddef>
#include <string>
#include <utility>

namespace heed::pipeline {
namespace {

Seconds window_of(std::span<const ScoredParticipant> participants) {
  return participants.front().trials.front().scores.window;
}

emission::LabelledTrials labelled_trials(const ScoredParticipant& participant, const Emission& emission) {
  emission::LabelledTrials trials;
  try {
    for (const ScoredTrial& trial : participant.trials) {
      trials.push_back({emission::log_likelihoods(emission, trial.scores), trial.attention});
    }
  } catch (const Error& error) {
    throw error.within("participant " + participant.id);
  }
  return trials;
}

double temperature_for(const Emission& emission, std::span<const ScoredParticipant> participants,
                       const hmm::Chain& chain, Notes& notes) {
  std::vector<emission::LabelledTrials> labelled;
  for (const ScoredParticipant& participant : participants) labelled.push_back(labelled_trials(participant, emission));
  const double temperature = emission::fit_temperature(chain, labelled);
  constexpr double near = 1.01;
  if (temperature > emission::highest_temperature / near) {
    notes.emplace_back("calibration found no use in the scores: the temperature is at the upper end of its range");
  } else if (temperature < emission::lowest_temperature * near) {
    notes.emplace_back("calibration could not make the scores say enough: the temperature is at the lower end");
  }
  return temperature;
}

void require_label_free(const EmissionChoice& choice, const ScoredParticipant& first) {
  const auto reject = [](const char* why) { throw Error(ErrorKind::invalid_argument, why); };
  const EmissionFamily family = family_of(choice, first.type);
  if (choice.given || (family != EmissionFamily::fisher_gaussian && family != EmissionFamily::gaussian)) {
    reject("a fit without labels is for the emissions fisher-gaussian and gaussian; a mixture needs labels");
  }
  if (choice.spread != Spread::shared) reject("a fit without labels has one sigma: leave the spread at shared");
  if (choice.calibrate) reject("calibration needs labels, a fit without labels has none");
}

void note_baum_welch(const emission::BaumWelchFit& fit, Notes& notes) {
  const GaussianEmission& e = fit.emission;
  constexpr double nothing = 0.01;  // sigmas
  const double separation = (e.mu_attended - e.mu_unattended) / e.sigma_attended;
  if (separation < nothing) {
    notes.emplace_back("Baum-Welch found no higher scores of an attended speaker, so these scores decide nothing");
  }
  if (!fit.converged) {
    notes.push_back("Baum-Welch had not settled after " + std::to_string(fit.iterations) + " iterations");
  }
}

FittedModel fit_by_baum_welch(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                              const hmm::Chain& chain, Notes& notes) {
  const ScoreType type = participants.front().type;
  emission::BaumWelchFitOptions options;
  options.fisher = family_of(choice, type) == EmissionFamily::fisher_gaussian;
  options.fit_switch_probability = choice.fit_switch_probability;
  if (choice.fit_switch_probability) options.prior = emission::one_switch_at(chain);
  emission::BaumWelchFit fit = emission::fit_baum_welch(participants, chain, options, choice.each_iteration);
  note_baum_welch(fit, notes);
  return {.model = {.emission = fit.emission,
                    .window = window_of(participants),
                    .participants = participants.size(),
                    .origin = "fitted without labels, by Baum-Welch"},
          .chain = std::move(fit.chain),
          .history = std::move(fit.history),
          .converged = fit.converged};
}

FittedModel fit_memoryless(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                           const hmm::Chain& chain, Notes& notes) {
  const bool fisher = family_of(choice, participants.front().type) == EmissionFamily::fisher_gaussian;
  const emission::MemorylessFit fit = emission::fit_memoryless(participants, fisher);
  if (fit.degenerate) {
    notes.emplace_back(
        "the memoryless fit is degenerate: the two scores differ no more than equal means would make "
        "them, so both means are equal and the scores decide nothing; Baum-Welch may see more");
  }
  return {.model = {.emission = fit.emission,
                    .window = window_of(participants),
                    .participants = participants.size(),
                    .origin = "fitted without labels, memoryless"},
          .chain = chain};
}

FittedModel fit_without_labels(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                               const hmm::Chain& chain, Notes& notes) {
  require_label_free(choice, participants.front());
  return choice.fit == EmissionFit::baum_welch ? fit_by_baum_welch(choice, participants, chain, notes)
                                               : fit_memoryless(choice, participants, chain, notes);
}

std::string count_text(std::size_t participants) {
  return std::to_string(participants) + " participant" + (participants == 1 ? "" : "s");
}

// Notes of one participant's fit, with whose they are.
void add_notes(Notes& notes, const std::string& id, const Notes& own) {
  const std::string whose = "participant " + id + ": ";
  for (const std::string& note : own) notes.push_back(whose + note);
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

}  // namespace

FittedModel fit_model(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                      const hmm::Chain& chain, Notes& notes) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "no participant to fit the emission on");
  if (choice.fit != EmissionFit::labels) return fit_without_labels(choice, participants, chain, notes);
  if (choice.fit_switch_probability) {
    throw Error(ErrorKind::invalid_argument, "the switch probability is fitted by Baum-Welch only");
  }
  FittedModel fitted{.model = {.emission = fit_emission(choice, participants),
                               .window = window_of(participants),
                               .participants = participants.size(),
                               .origin = "fitted to the labels of " + count_text(participants.size()),
                               .temperature = choice.temperature},
                     .chain = chain};
  if (choice.calibrate) {
    fitted.model.temperature = temperature_for(fitted.model.emission, participants, chain, notes);
  }
  return fitted;
}

CohortModels::CohortModels(const EmissionChoice& choice, const CohortViews& cohort, hmm::Chain chain)
    : choice_(choice), cohort_(cohort), chain_(std::move(chain)) {
  if (choice.fit == EmissionFit::labels) emissions_ = leave_one_out_emissions(choice, cohort.recorded);
}

Model CohortModels::fit(std::size_t participant, Notes& notes) const {
  Notes own;
  Model model;
  if (choice_.fit != EmissionFit::labels) {
    model = fit_model(choice_, cohort_.switching.subspan(participant, 1), chain_, own).model;
  } else {
    model = {.emission = emissions_[participant],
             .window = window_of(cohort_.recorded),
             .participants = cohort_.recorded.size() - 1,
             .origin = "fitted to the labels of the others",
             .temperature = choice_.temperature};
    if (choice_.calibrate) {
      model.temperature = temperature_for(model.emission, without(cohort_.switching, participant), chain_, own);
    }
  }
  add_notes(notes, cohort_.recorded[participant].id, own);
  return model;
}

}  // namespace heed::pipeline
