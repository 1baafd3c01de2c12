// SPDX-License-Identifier: MIT
// The experiment behind every comparison and study: trials are cut anew, attention is moved where nobody moved it, the
// model of a participant is fitted to the others, methods track the participant, and what they make of it is measured.
// Trackers share the draws of the switches, models and log-likelihoods.
#pragma once

#include <data/in_parallel.h>
#include <heed/data/note.h>
#include <heed/data/scored.h>
#include <heed/evaluate/calibration.h>
#include <heed/evaluate/chance.h>
#include <heed/evaluate/gains.h>
#include <heed/evaluate/switch_metric.h>
#include <heed/pipeline/model_choice.h>
#include <heed/track/method.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/trials.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

struct ExperimentOptions {
  TrialCutting trials{};
  std::optional<SwitchInterval> switch_every{};  // artificial switches; nothing: as recorded
  SwitchedTrials switched = SwitchedTrials::all;
  bool attention_stays = false;  // every switch is undone, and none made
  EmissionChoice emission{};
  ChainChoice chain{};        // how attention moves while models are learnt: for temperatures and Baum-Welch
  double accuracy_shift = 0;  // alpha: attended scores are moved by so many times (mu_attended - mu_unattended)
  double evidence = 1;        // kappa: log-likelihoods are multiplied by it, whatever temperature was fitted
  bool uncalibrated = false;  // measure probabilities without the temperature, too
  int repeats = 1;            // draws of random intervals
  std::uint64_t seed = 1;     // of those
  std::vector<std::string> members{};  // ids of those who are followed; empty: everybody. Models see everybody
  data::Threads threads{};
};

// How many draws are averaged: one, unless intervals are random.
[[nodiscard]] int draws_of(const ExperimentOptions& options) noexcept;

// A method with its chain. Gain states that are not given are chosen for each participant by the others.
struct TrackerChoice {
  track::Method method = track::Method::causal;
  ChainChoice chain{};
  track::MethodOptions options{};
  bool judges_probabilities = true;              // false: metrics of the decisions alone
  std::optional<evaluate::GainOptions> gains{};  // how posteriors become gains; nothing: those are not measured
};

// What became of one participant by one tracker, over the draws of the switches.
struct TrackerOutcome {
  evaluate::ParticipantMetrics metrics{};  // means over the draws
  evaluate::Calibration calibration{};     // all draws together
  std::optional<evaluate::Calibration> uncalibrated{};
  evaluate::GainWorth gains{};       // all draws together; of no time where it was not asked for
  std::optional<int> gain_states{};  // of the Markov chain only
  std::vector<evaluate::ParticipantMetrics> draws{};
  std::optional<SwitchPosterior> switching{};  // where p is unknown: the mean over the draws
  Notes notes{};
};

class Experiment {
 public:
  // Fits the models of the members. `interruption` is called after each, and may throw. Throws bad_data with the reason
  // where the cohort allows no such experiment. The same for any members and any number of threads.
  Experiment(std::span<const ScoredParticipant> participants, ExperimentOptions options,
             const Interruption& interruption = {});

  // With trials cut and scores shifted, but no artificial switches.
  [[nodiscard]] const std::vector<ScoredParticipant>& cohort() const noexcept { return cohort_; }
  // Of the members, in the order of the cohort.
  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return ids_; }
  // Of member k: what is doubtful about the model.
  [[nodiscard]] const Model& model(std::size_t k) const { return models_[members_[k]]; }
  [[nodiscard]] const Notes& notes(std::size_t k) const { return notes_[members_[k]]; }
  // On what was chosen for all models at once.
  [[nodiscard]] const Notes& cohort_notes() const noexcept { return cohort_notes_; }
  // Of that model's evidence; nothing where none was measured.
  [[nodiscard]] std::optional<double> evidence_scale(std::size_t k) const { return scales_[members_[k]]; }

  // [tracker] of member k. `each_draw` may throw. May be called by several threads at once.
  [[nodiscard]] std::vector<TrackerOutcome> run_one(std::size_t k, std::span<const TrackerChoice> trackers,
                                                    const Interruption& each_draw = {}) const;
  // [tracker][k]
  [[nodiscard]] std::vector<std::vector<TrackerOutcome>> run(std::span<const TrackerChoice> trackers) const;
  // Member k at the first draw of the switches.
  [[nodiscard]] TrackedParticipant track_one(std::size_t k, const TrackerChoice& tracker) const;

 private:
  [[nodiscard]] ScoredParticipant drawn(std::size_t participant, int draw) const;
  [[nodiscard]] std::vector<LogLikelihoods> log_likelihoods(const ScoredParticipant& switching,
                                                            const Model& model) const;
  [[nodiscard]] track::AnyTracker tracker_of(std::size_t participant, const TrackerChoice& choice, Notes& notes) const;
  void choose_members();
  void fit_models(const Interruption& interruption);
  void shift_attended();
  void count_decisions();
  void measure_uncalibrated(std::size_t participant, const ScoredParticipant& switching,
                            std::span<const track::AnyTracker> trackers, std::span<TrackerOutcome> outcomes) const;

  ExperimentOptions options_;
  std::vector<ScoredParticipant> cohort_;
  std::vector<std::size_t> members_;  // numbers in the cohort
  std::vector<std::string> ids_;
  std::vector<Model> models_;  // [participant]; of those who are no members perhaps none
  std::vector<Notes> notes_;   // [participant]
  Notes cohort_notes_;
  std::vector<std::optional<double>> scales_;      // [participant], of evidence
  std::vector<evaluate::DecisionCounts> decided_;  // [participant]: the windows of everybody else; none for features
};

}  // namespace heed::pipeline
