// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/independence.h>
#include <heed/evaluate/calibration.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/compare.h>
#include <heed/pipeline/model_fit.h>
#include <pipeline/comparison_run.h>
#include <pipeline/track_participant.h>
#include <pipeline/trials.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::pipeline {
namespace {

using evaluate::ParticipantMetrics;

void check(std::span<const ScoredParticipant> participants, const CompareOptions& options) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "no participants to compare on");
  if (options.repeats < 1) throw Error(ErrorKind::invalid_argument, "the number of repeats must be at least 1");
  const ScoredParticipant& first = participants.front();
  for (const ScoredParticipant& participant : participants) {
    const bool labelled = std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
      return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
    });
    if (!labelled) {
      throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                           " has no attended speaker, so nothing can be measured; add the column "
                                           "'attended'");
    }
    const bool alike = participant.speakers.size() == first.speakers.size() && participant.type == first.type &&
                       participant.features == first.features &&
                       participant.trials.front().scores.window == first.trials.front().scores.window;
    if (!alike) {
      throw Error(ErrorKind::bad_data, "participants " + first.id + " and " + participant.id +
                                           " differ in speakers, features, window length or score type; compare them "
                                           "apart");
    }
  }
}

std::vector<ScoredParticipant> recut(std::span<const ScoredParticipant> participants, const CompareOptions& options) {
  std::vector<ScoredParticipant> result(participants.begin(), participants.end());
  for (ScoredParticipant& participant : result) {
    if (options.join) participant = join_trials(participant);
    if (options.trial) participant = cut_trials(participant, *options.trial);
  }
  return result;
}

CalibrationErrors errors_of(const TrackedParticipant& tracked) {
  const auto calibration = evaluate::Calibration::measure(tracked);
  return {.brier = calibration.brier(), .expected = calibration.expected_calibration_error()};
}

CalibrationErrors mean_of(std::span<const CalibrationErrors> errors) {
  std::vector<std::optional<double>> brier;
  std::vector<std::optional<double>> expected;
  for (const CalibrationErrors& one : errors) {
    brier.push_back(one.brier);
    expected.push_back(one.expected);
  }
  return {.brier = evaluate::summarise(brier).mean, .expected = evaluate::summarise(expected).mean};
}

// Everything one method gathers about one participant, over the repeats.
struct Gathered {
  std::vector<ParticipantMetrics> metrics;
  std::vector<CalibrationErrors> calibration;
  std::vector<CalibrationErrors> uncalibrated;

  void add(const TrackedParticipant& tracked) {
    metrics.push_back(evaluate::measure_participant(tracked));
    calibration.push_back(errors_of(tracked));
  }

  [[nodiscard]] ParticipantResult result(const ScoredParticipant& participant) const {
    const ParticipantMetrics mean = evaluate::average(metrics);
    const auto windows = static_cast<Index>(std::llround(mean.windows));
    return {.id = participant.id,
            .metrics = mean,
            .calibration = mean_of(calibration),
            .uncalibrated = uncalibrated.empty() ? std::nullopt : std::optional(mean_of(uncalibrated)),
            .chance_bound = evaluate::Chance::make(participant.speakers.size(), windows).bound(),
            .gain_states = std::nullopt};
  }
};

// [k]: every method as participant k gets it.
std::vector<std::vector<track::AnyTracker>> trackers_for(std::span<const ScoredParticipant> cohort,
                                                         const CompareOptions& options, const hmm::Chain& chain,
                                                         Comparison& comparison) {
  const auto methods = methods_for(cohort, options.methods, options.method, comparison.notes);
  for (const track::Method method : methods) comparison.methods.push_back({.method = method});
  std::vector<track::MethodOptions> own(cohort.size(), options.method);
  if (std::ranges::find(methods, track::Method::markov_chain) != methods.end()) {
    own = leave_one_out_gain_states(options.method, cohort, comparison.notes);
  }
  std::vector<std::vector<track::AnyTracker>> trackers(cohort.size());
  for (std::size_t k = 0; k < cohort.size(); ++k) {
    for (const track::Method method : methods) trackers[k].push_back(track::make_tracker(method, chain, own[k]));
  }
  return trackers;
}

std::optional<int> gain_states_of(const track::AnyTracker& tracker) {
  const auto* gain_control = std::get_if<track::MarkovChainTracker>(&tracker);
  return gain_control != nullptr ? std::optional(gain_control->states) : std::nullopt;
}

// The participant with the artificial switches of one repeat; as recorded where none are asked for.
ScoredParticipant drawn(const ScoredParticipant& participant, std::size_t number, int repeat,
                        const CompareOptions& options) {
  if (!options.switch_every) return participant;
  return with_artificial_switches(participant, *options.switch_every, {options.seed, number, repeat});
}

// Do neighbouring windows repeat each other, which the HMM takes for news? Asked of what was recorded: artificial
// switches would only lose pairs.
void check_independence(std::span<const ScoredParticipant> recorded, const CompareOptions& options,
                        Comparison& comparison) {
  const bool fisher = is_fisher(options.emission, recorded.front().type);
  comparison.lag_correlations = emission::lag_correlations(recorded, {.fisher = fisher});
  const auto warning = emission::dependence_warning(comparison.lag_correlations, options.emission.calibrate);
  if (warning) comparison.notes.push_back(*warning);
}

// All of a comparison but the participants' turns.
struct Plan {
  const CompareOptions& options;
  std::vector<ScoredParticipant> cohort;
  std::vector<Model> models;                             // [participant]
  std::vector<std::vector<track::AnyTracker>> trackers;  // [participant][method]
  std::vector<track::AnyTracker> further;                // for everybody
};

std::size_t turns_of(const Plan& plan) { return plan.cohort.size() * static_cast<std::size_t>(plan.options.repeats); }

// The models that depend on how attention moves learn from the first draw of the switches. They may take a while:
// progress is told, though no turn is done yet.
std::vector<Model> models_of(const Plan& plan, const hmm::Chain& chain, Comparison& comparison,
                             const Progress& progress) {
  std::vector<ScoredParticipant> switching;
  for (std::size_t k = 0; k < plan.cohort.size(); ++k) switching.push_back(drawn(plan.cohort[k], k, 0, plan.options));
  const CohortModels fits(plan.options.emission, {plan.cohort, switching}, chain);
  std::vector<Model> models;
  for (std::size_t k = 0; k < plan.cohort.size(); ++k) {
    models.push_back(fits.fit(k, comparison.notes));
    comparison.temperatures.push_back(models.back().temperature);
    if (progress) progress(0, turns_of(plan));
  }
  return models;
}

struct Turn {
  std::vector<ParticipantResult> methods;
  std::vector<ParticipantMetrics> further;
};

// The same methods with the emission as it was before its temperature was fitted.
void gather_uncalibrated(const Plan& plan, std::size_t number, const ScoredParticipant& switching,
                         std::span<Gathered> gathered) {
  Model model = plan.models[number];
  model.temperature = plan.options.emission.temperature;
  const auto evidence = evidence_of(switching, model);
  for (std::size_t m = 0; m < gathered.size(); ++m) {
    const track::AnyTracker& tracker = plan.trackers[number][m];
    if (!track::needs(track::method_of(tracker)).emission) continue;
    gathered[m].uncalibrated.push_back(errors_of(track_participant(switching, evidence, tracker)));
  }
}

// One participant: all trackers share each draw of the switches and its log-likelihoods.
Turn run_participant(const Plan& plan, std::size_t number, const std::function<void()>& tick) {
  const ScoredParticipant& participant = plan.cohort[number];
  const auto& trackers = plan.trackers[number];
  std::vector<Gathered> gathered(trackers.size());
  std::vector<std::vector<ParticipantMetrics>> further(plan.further.size());
  for (int repeat = 0; repeat < plan.options.repeats; ++repeat) {
    const ScoredParticipant switching = drawn(participant, number, repeat, plan.options);
    const auto evidence = evidence_of(switching, plan.models[number]);
    for (std::size_t m = 0; m < trackers.size(); ++m) {
      gathered[m].add(track_participant(switching, evidence, trackers[m]));
    }
    if (plan.options.emission.calibrate) gather_uncalibrated(plan, number, switching, gathered);
    for (std::size_t m = 0; m < further.size(); ++m) {
      const auto tracked = track_participant(switching, evidence, plan.further[m]);
      further[m].push_back(evaluate::measure_participant(tracked));
    }
    tick();
  }
  Turn turn;
  for (std::size_t m = 0; m < trackers.size(); ++m) {
    turn.methods.push_back(gathered[m].result(participant));
    turn.methods.back().gain_states = gain_states_of(trackers[m]);
  }
  for (const auto& repeats : further) turn.further.push_back(evaluate::average(repeats));
  return turn;
}

std::vector<std::optional<double>> column(const MethodResult& method,
                                          std::optional<double> ParticipantMetrics::*measure) {
  std::vector<std::optional<double>> values;
  for (const ParticipantResult& participant : method.participants) values.push_back(participant.metrics.*measure);
  return values;
}

void summarise(MethodResult& method, const MethodResult& first) {
  const auto accuracy = column(method, &ParticipantMetrics::accuracy);
  const auto switch_time = column(method, &ParticipantMetrics::switch_time);
  method.accuracy = evaluate::summarise(accuracy);
  method.switch_time = evaluate::summarise(switch_time);
  std::vector<CalibrationErrors> calibration;
  std::vector<CalibrationErrors> uncalibrated;
  for (const ParticipantResult& participant : method.participants) {
    method.missed += participant.metrics.missed;
    method.switches += participant.metrics.switches;
    calibration.push_back(participant.calibration);
    if (participant.uncalibrated) uncalibrated.push_back(*participant.uncalibrated);
  }
  method.calibration = mean_of(calibration);
  if (!uncalibrated.empty()) method.uncalibrated = mean_of(uncalibrated);
  if (&method == &first) return;
  method.accuracy_test = evaluate::wilcoxon_signed_rank(accuracy, column(first, &ParticipantMetrics::accuracy));
  method.switch_time_test =
      evaluate::wilcoxon_signed_rank(switch_time, column(first, &ParticipantMetrics::switch_time));
}

}  // namespace

ComparisonRun run_comparison(std::span<const ScoredParticipant> participants, const CompareOptions& options,
                             const FurtherTrackers& further_trackers, const Progress& progress) {
  check(participants, options);
  Plan plan{.options = options, .cohort = recut(participants, options), .models = {}, .trackers = {}, .further = {}};
  ComparisonRun run;
  Comparison& comparison = run.comparison;
  comparison.speakers = plan.cohort.front().speakers.size();
  comparison.window = plan.cohort.front().trials.front().scores.window;
  comparison.chance = 1 / static_cast<double>(comparison.speakers);
  const hmm::Chain chain = make_chain(options.chain, static_cast<Index>(comparison.speakers), comparison.window);
  plan.models = models_of(plan, chain, comparison, progress);
  plan.trackers = trackers_for(plan.cohort, options, chain, comparison);
  if (further_trackers) plan.further = further_trackers(comparison);
  check_independence(participants, options, comparison);

  std::size_t done = 0;
  const std::size_t total = turns_of(plan);
  const auto tick = [&] {
    ++done;
    if (progress) progress(done, total);
  };
  run.further.resize(plan.further.size());
  for (std::size_t p = 0; p < plan.cohort.size(); ++p) {
    const Turn turn = run_participant(plan, p, tick);
    for (std::size_t m = 0; m < turn.methods.size(); ++m) comparison.methods[m].participants.push_back(turn.methods[m]);
    for (std::size_t m = 0; m < turn.further.size(); ++m) run.further[m].push_back(turn.further[m]);
  }
  for (MethodResult& method : comparison.methods) summarise(method, comparison.methods.front());
  return run;
}

Comparison compare(std::span<const ScoredParticipant> participants, const CompareOptions& options,
                   const Progress& progress) {
  return run_comparison(participants, options, {}, progress).comparison;
}

}  // namespace heed::pipeline
