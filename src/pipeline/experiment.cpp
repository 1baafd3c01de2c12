// SPDX-License-Identifier: MIT
#include <emission/transform.h>
#include <pipeline/evidence_counting.h>
#include <pipeline/experiment.h>
#include <pipeline/method_choice.h>
#include <pipeline/model_fit.h>
#include <pipeline/track_participant.h>
#include <pipeline/unknown_switching.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::pipeline {
namespace {

using evaluate::ParticipantMetrics;

std::optional<int> gain_states_of(const track::AnyTracker& tracker) {
  const auto* gains = std::get_if<track::MarkovChainTracker>(&tracker);
  return gains != nullptr ? std::optional(gains->states) : std::nullopt;
}

// Adds what one of so many draws says of p.
void add_switching(const std::optional<SwitchPosterior>& drawn, int draws, std::optional<SwitchPosterior>& mean) {
  if (!drawn) return;
  if (!mean) {
    mean = drawn;
    std::ranges::fill(mean->weights, 0.0);
  }
  for (std::size_t g = 0; g < drawn->weights.size(); ++g) mean->weights[g] += drawn->weights[g] / draws;
}

}  // namespace

int draws_of(const ExperimentOptions& options) noexcept {
  const auto& interval = options.switch_every;
  return interval && interval->shortest != interval->longest ? options.repeats : 1;
}

Experiment::Experiment(std::span<const ScoredParticipant> participants, ExperimentOptions options,
                       const Interruption& interruption)
    : options_(std::move(options)) {
  check_unknown_switching(options_.emission, options_.chain);
  for (const ScoredParticipant& one : participants) cohort_.push_back(recut(one, options_.trials));
  choose_members();
  fit_models(interruption);
  if (options_.accuracy_shift != 0) shift_attended();
  count_decisions();
}

void Experiment::choose_members() {
  const auto& wanted = options_.members;
  for (std::size_t k = 0; k < cohort_.size(); ++k) {
    if (!wanted.empty() && std::ranges::find(wanted, cohort_[k].id) == wanted.end()) continue;
    members_.push_back(k);
    ids_.push_back(cohort_[k].id);
  }
}

// Models that depend on how attention moves learn from the first draw of the switches.
void Experiment::fit_models(const Interruption& interruption) {
  std::vector<ScoredParticipant> switching;
  if (models_see_switches(options_.emission)) {
    for (std::size_t k = 0; k < cohort_.size(); ++k) switching.push_back(drawn(k, 0));
  }
  const hmm::Chain chain = make_chain(options_.chain, std::ssize(cohort_.front().speakers), cohort_.front().hop());
  const CohortModels fits(options_.emission, {cohort_, switching}, chain);
  cohort_notes_ = fits.notes();
  models_.resize(cohort_.size());
  notes_.resize(cohort_.size());
  scales_.resize(cohort_.size());
  // Scores are shifted by what the emission of each says, and the number of gain states sees everybody's.
  const bool all = options_.accuracy_shift != 0;
  data::each_in_parallel(all ? cohort_.size() : members_.size(), options_.threads, [&](std::size_t k) {
    const std::size_t participant = all ? k : members_[k];
    FittedModel fitted = fits.fit(participant, interruption);
    models_[participant] = std::move(fitted.model);
    models_[participant].temperature /= options_.evidence;
    notes_[participant] = std::move(fitted.notes);
    scales_[participant] = fitted.evidence_scale;
    if (interruption) interruption();
  });
  note_columns(options_.emission, models_, cohort_.front().type, cohort_notes_);
}

// alpha times the distance of the means, in the domain the emission is normal in; the emission follows (Section IV-I).
void Experiment::shift_attended() {
  for (std::size_t k = 0; k < cohort_.size(); ++k) {
    auto& emission = std::get<GaussianEmission>(models_[k].emission);
    const double shift = options_.accuracy_shift * (emission.mu_attended - emission.mu_unattended);
    emission.mu_attended += shift;
    for (ScoredTrial& trial : cohort_[k].trials) {
      for (Index t = 0; t < trial.scores.values.rows(); ++t) {
        const Speaker attended = trial.attention.attended[static_cast<std::size_t>(t)];
        if (attended == unknown_speaker) continue;
        double& score = trial.scores.values(t, attended);
        if (std::isnan(score)) continue;
        const double shifted = emission::transformed(score, emission.fisher) + shift;
        score = emission.fisher ? std::tanh(shifted) : shifted;
      }
    }
  }
}

void Experiment::count_decisions() {
  decided_.resize(cohort_.size());
  if (!cohort_.front().features.empty()) return;
  const evaluate::DecisionCounts all = pipeline::count_decisions(cohort_);
  for (std::size_t k = 0; k < cohort_.size(); ++k) {
    decided_[k] = all;
    decided_[k] -= evaluate::count_decisions(cohort_[k]);
  }
}

// With the artificial switches of one draw; as recorded where none are asked for.
ScoredParticipant Experiment::drawn(std::size_t participant, int draw) const {
  const SwitchDraw number{options_.seed, participant, draw};
  if (options_.attention_stays) return without_switches(cohort_[participant], number);
  if (!options_.switch_every) return cohort_[participant];
  return with_artificial_switches(cohort_[participant], *options_.switch_every, number, options_.switched);
}

// By the model as it is, or while it adapts to what was heard so far.
std::vector<LogLikelihoods> Experiment::log_likelihoods(const ScoredParticipant& switching, const Model& model) const {
  if (options_.emission.fit != EmissionFit::adaptive) return log_likelihoods_of(switching, model);
  if (const auto bank = make_bank(options_.chain, std::ssize(switching.speakers), switching.hop())) {
    return adapted_log_likelihoods_of(switching, model, *bank, options_.emission.adaptation);
  }
  const auto chain = make_chain(options_.chain, std::ssize(switching.speakers), switching.hop());
  return adapted_log_likelihoods_of(switching, model, chain, options_.emission.adaptation);
}

track::AnyTracker Experiment::tracker_of(std::size_t participant, const TrackerChoice& choice, Notes& notes) const {
  track::MethodOptions options = choice.options;
  if (choice.method == track::Method::markov_chain) {
    options = with_gain_states(options, decided_[participant], notes);
    for (Note& note : notes) note.subject = cohort_[participant].id;
  }
  const Index speakers = std::ssize(cohort_.front().speakers);
  const auto dependent = emission::dependent_model(models_[participant], speakers);
  if (const auto bank = make_bank(choice.chain, speakers, cohort_.front().hop())) {
    return track::make_tracker(choice.method, *bank, options, dependent);
  }
  const auto chain = make_chain(choice.chain, speakers, cohort_.front().hop());
  return track::make_tracker(choice.method, chain, options, dependent);
}

// The same trackers with the emission as it was before its temperature was fitted.
void Experiment::measure_uncalibrated(std::size_t participant, const ScoredParticipant& switching,
                                      std::span<const track::AnyTracker> trackers,
                                      std::span<TrackerOutcome> outcomes) const {
  Model model = models_[participant];
  model.temperature = options_.emission.temperature;
  const auto evidence = log_likelihoods(switching, model);
  for (std::size_t m = 0; m < trackers.size(); ++m) {
    if (!outcomes[m].uncalibrated) continue;
    const auto tracked = track_participant(switching, evidence, trackers[m]);
    *outcomes[m].uncalibrated += evaluate::Calibration::measure(tracked);
  }
}

std::vector<TrackerOutcome> Experiment::run_one(std::size_t k, std::span<const TrackerChoice> trackers,
                                                const Interruption& each_draw) const {
  const std::size_t participant = members_[k];
  std::vector<TrackerOutcome> outcomes(trackers.size());
  std::vector<track::AnyTracker> made;
  for (std::size_t m = 0; m < trackers.size(); ++m) {
    made.push_back(tracker_of(participant, trackers[m], outcomes[m].notes));
    outcomes[m].gain_states = gain_states_of(made[m]);
    const bool tempered = trackers[m].judges_probabilities && track::needs(trackers[m].method).emission;
    if (options_.uncalibrated && tempered) outcomes[m].uncalibrated.emplace();
  }
  for (int draw = 0; draw < draws_of(options_); ++draw) {
    const ScoredParticipant switching = drawn(participant, draw);
    const auto evidence = log_likelihoods(switching, models_[participant]);
    for (std::size_t m = 0; m < made.size(); ++m) {
      const TrackedParticipant tracked = track_participant(switching, evidence, made[m]);
      outcomes[m].draws.push_back(evaluate::measure_participant(tracked));
      add_switching(tracked.switching, draws_of(options_), outcomes[m].switching);
      if (trackers[m].judges_probabilities) outcomes[m].calibration += evaluate::Calibration::measure(tracked);
      if (const auto& gains = trackers[m].gains) outcomes[m].gains += evaluate::GainWorth::measure(tracked, *gains);
    }
    if (options_.uncalibrated) measure_uncalibrated(participant, switching, made, outcomes);
    if (each_draw) each_draw();
  }
  for (TrackerOutcome& one : outcomes) one.metrics = evaluate::average(one.draws);
  return outcomes;
}

std::vector<std::vector<TrackerOutcome>> Experiment::run(std::span<const TrackerChoice> trackers) const {
  std::vector<std::vector<TrackerOutcome>> outcomes(trackers.size(), std::vector<TrackerOutcome>(members_.size()));
  data::each_in_parallel(members_.size(), options_.threads, [&](std::size_t k) {
    auto of_one = run_one(k, trackers);
    for (std::size_t m = 0; m < trackers.size(); ++m) outcomes[m][k] = std::move(of_one[m]);
  });
  return outcomes;
}

TrackedParticipant Experiment::track_one(std::size_t k, const TrackerChoice& tracker) const {
  const std::size_t participant = members_[k];
  Notes notes;
  const ScoredParticipant switching = drawn(participant, 0);
  return track_participant(switching, log_likelihoods(switching, models_[participant]),
                           tracker_of(participant, tracker, notes));
}

}  // namespace heed::pipeline
