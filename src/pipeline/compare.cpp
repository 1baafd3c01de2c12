// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/compare.h>
#include <pipeline/compare_notes.h>
#include <pipeline/experiment.h>
#include <pipeline/method_choice.h>
#include <pipeline/model_fit.h>
#include <pipeline/unknown_switching.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace heed::pipeline {
namespace {

using evaluate::ParticipantMetrics;

void check(const CompareRequest& request) {
  if (request.participants.empty()) throw Error(ErrorKind::bad_data, "there are no participants to compare");
  if (request.gains) (void)evaluate::make_gain_rule(2, Seconds{1}, *request.gains);
  if (request.repeats < 1) throw Error(ErrorKind::invalid_argument, "the number of repeats must be at least 1");
  const ScoredParticipant& first = request.participants.front();
  for (const ScoredParticipant& participant : request.participants) {
    if (!has_labels(participant)) {
      throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                           " has no attended speaker, so nothing can be measured; add the column "
                                           "'attended'");
    }
    const bool alike = participant.speakers.size() == first.speakers.size() && participant.type == first.type &&
                       participant.features == first.features && participant.window() == first.window() &&
                       participant.hop() == first.hop();
    if (!alike) {
      throw Error(ErrorKind::bad_data,
                  "participants " + first.id + " and " + participant.id +
                      " differ in speakers, features, window length, hop or score type; compare them separately");
    }
  }
}

ExperimentOptions experiment_options(const CompareRequest& request) {
  return {.trials = {.join = request.join, .length = request.trial},
          .switch_every = request.switch_every,
          .emission = with_model(request.emission, request.model),
          .chain = request.chain,
          .uncalibrated = request.emission.calibrate,
          .repeats = request.repeats,
          .seed = request.seed};
}

// Closer than that is the same probability.
constexpr double rounding = 1e-9;

// Without the one in use, which the comparison runs anyway.
std::vector<double> further_probabilities(const CompareRequest& request, const Comparison& comparison) {
  std::vector<double> probabilities;
  const bool has_p = comparison.switch_probability || request.chain.unknown_switch_probability;
  if (!request.switch_probabilities || !has_p) return probabilities;
  const double in_use = comparison.switch_probability.value_or(0);
  for (const double p : *request.switch_probabilities) {
    const bool is_used = std::abs(p - in_use) <= rounding * in_use;
    const bool is_too_large = p * static_cast<double>(comparison.speakers) > 1 + rounding;
    if (!is_used && !is_too_large) probabilities.push_back(p);
  }
  return probabilities;
}

// The methods, and behind them each that has a switch probability at all the others.
std::vector<TrackerChoice> trackers_of(const CompareRequest& request, const std::vector<MethodResult>& methods,
                                       const std::vector<double>& probabilities) {
  std::vector<TrackerChoice> trackers;
  for (const MethodResult& one : methods) {
    trackers.push_back({one.method, request.chain, request.method, true, request.gains});
  }
  for (const MethodResult& one : methods) {
    if (!track::needs(one.method).chain) continue;
    for (const double p : probabilities) {
      trackers.push_back({one.method, request.chain, request.method, false});
      trackers.back().chain.switch_probability = p;
      trackers.back().chain.between_switches = std::nullopt;
      trackers.back().chain.unknown_switch_probability = false;
    }
  }
  return trackers;
}

CalibrationErrors errors_of(const evaluate::Calibration& calibration) {
  return {.brier = calibration.brier(),
          .expected = calibration.expected_calibration_error(),
          .log_loss = calibration.log_loss()};
}

ParticipantResult result_of(const ScoredParticipant& participant, const TrackerOutcome& outcome, bool with_gains) {
  const auto windows = static_cast<Index>(std::llround(outcome.metrics.windows_apart));
  const auto& before = outcome.uncalibrated;
  return {.id = participant.id,
          .metrics = outcome.metrics,
          .calibration = errors_of(outcome.calibration),
          .uncalibrated = before ? std::optional(errors_of(*before)) : std::nullopt,
          .chance_bound = evaluate::Chance::make(participant.speakers.size(), windows).bound(),
          .gain_states = outcome.gain_states,
          .gains = with_gains ? std::optional(outcome.gains) : std::nullopt};
}

// Over draws, of the mean over participants; [participant][draw].
std::optional<double> spread_of(const std::vector<std::vector<ParticipantMetrics>>& draws,
                                std::optional<double> ParticipantMetrics::*measure) {
  std::vector<std::optional<double>> means;
  for (std::size_t draw = 0; draw < draws.front().size(); ++draw) {
    std::vector<std::optional<double>> values;
    for (const auto& participant : draws) values.push_back(participant[draw].*measure);
    means.push_back(evaluate::summarise(values).mean);
  }
  return evaluate::summarise(means).sd;
}

// [tracker][participant]; results of the methods go where they belong.
std::vector<std::vector<ParticipantMetrics>> run(const Experiment& experiment, std::span<const TrackerChoice> trackers,
                                                 const Interruption& each_draw, Comparison& comparison) {
  const std::size_t methods = comparison.methods.size();
  std::vector<std::vector<ParticipantMetrics>> metrics(trackers.size());
  std::vector<std::vector<std::vector<ParticipantMetrics>>> draws(methods);  // [method][participant][draw]
  for (std::size_t k = 0; k < experiment.ids().size(); ++k) {
    auto outcomes = experiment.run_one(k, trackers, each_draw);
    for (std::size_t m = 0; m < trackers.size(); ++m) {
      metrics[m].push_back(outcomes[m].metrics);
      if (m >= methods) continue;
      comparison.methods[m].participants.push_back(
          result_of(experiment.cohort()[k], outcomes[m], trackers[m].gains.has_value()));
      // Every method with a chain has heard the same of p.
      if (outcomes[m].switching && comparison.switching.size() == k) {
        comparison.switching.push_back(*outcomes[m].switching);
      }
      std::ranges::copy(outcomes[m].notes, std::back_inserter(comparison.notes));
      draws[m].push_back(std::move(outcomes[m].draws));
    }
  }
  for (std::size_t m = 0; m < methods; ++m) {
    comparison.methods[m].spread = {spread_of(draws[m], &ParticipantMetrics::accuracy),
                                    spread_of(draws[m], &ParticipantMetrics::switch_time)};
  }
  return metrics;
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
  method.whole_accuracy = evaluate::summarise(column(method, &ParticipantMetrics::whole_accuracy));
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
  if (&method == &first || method.participants.size() < 2) return;
  method.accuracy_test = evaluate::wilcoxon_signed_rank(accuracy, column(first, &ParticipantMetrics::accuracy));
  method.switch_time_test =
      evaluate::wilcoxon_signed_rank(switch_time, column(first, &ParticipantMetrics::switch_time));
}

// `metrics` begin with the first of the further probabilities of the first method that has one.
void draw_curves(Comparison& comparison, const std::vector<double>& probabilities,
                 std::span<const std::vector<ParticipantMetrics>> metrics) {
  auto next = metrics.begin();
  for (MethodResult& method : comparison.methods) {
    if (!track::needs(method.method).chain) continue;
    for (const double p : probabilities) {
      method.curve.push_back({p, evaluate::summarise(*next, &ParticipantMetrics::accuracy),
                              evaluate::summarise(*next, &ParticipantMetrics::switch_time)});
      ++next;
    }
    if (!comparison.switch_probability) continue;
    method.curve.push_back({*comparison.switch_probability, method.accuracy, method.switch_time});
    std::ranges::sort(method.curve, {}, &TradeOffPoint::switch_probability);
  }
}

// What the models of a cohort have in common, besides notes on them.
struct ModelWords {
  std::vector<Model> models{};
  Repetition repetition{};  // asked of what was recorded: artificial switches would only lose pairs
};

ModelWords tell_models(const CompareRequest& request, const Experiment& experiment, const EmissionChoice& emission,
                       Comparison& comparison) {
  std::vector<Model> models;
  for (std::size_t k = 0; k < experiment.ids().size(); ++k) {
    models.push_back(experiment.model(k));
    comparison.temperatures.push_back(models.back().temperature);
    comparison.dependences.push_back(models.back().dependence);
    comparison.evidence_scales.push_back(experiment.evidence_scale(k));
    std::ranges::copy(experiment.notes(k), std::back_inserter(comparison.notes));
  }
  std::ranges::copy(experiment.cohort_notes(), std::back_inserter(comparison.notes));
  const ScoredParticipant& first = experiment.cohort().front();
  note_scale(emission, {models, comparison.evidence_scales}, first, comparison.notes);
  const auto scale = evaluate::summarise(comparison.evidence_scales).mean;
  Repetition repetition = repetition_of(emission, models, request.participants);
  comparison.lag_correlations = repetition.lag_correlations;
  if (scale) comparison.evidence_words = emission::scale_words(*scale, repetition.neighbours);
  return {std::move(models), std::move(repetition)};
}

// Windows taken for independent, beside models that know better: the same draws of the switches.
void run_independent(const Experiment& experiment, const CompareRequest& request, const Interruption& each_draw,
                     Comparison& comparison) {
  std::vector<TrackerChoice> trackers;
  std::vector<MethodResult*> concerned;
  for (MethodResult& one : comparison.methods) {
    if (!track::needs(one.method).chain) continue;
    trackers.push_back({one.method, request.chain, request.method});
    concerned.push_back(&one);
  }
  for (std::size_t k = 0; k < experiment.ids().size(); ++k) {
    const auto outcomes = experiment.run_one(k, trackers, each_draw);
    for (std::size_t m = 0; m < outcomes.size(); ++m) {
      concerned[m]->independent.push_back(result_of(experiment.cohort()[k], outcomes[m], false));
    }
  }
}

// The labelled trials of a single listener as a cohort: leaving one out is then leaving a trial out. Nothing where
// there are several listeners, or nothing has to be fitted to others.
std::optional<std::vector<ScoredParticipant>> trials_apart(const CompareRequest& request) {
  if (request.participants.size() != 1) return std::nullopt;
  const ScoredParticipant& listener = request.participants.front();
  const EmissionChoice choice = with_model(request.emission, request.model);
  const bool tempers = choice.calibrate || choice.evidence == EvidenceCounting::scaled;
  const bool fits =
      (tempers || !known_emission(choice, listener.type)) && learning_by(choice) != Learning::transductive;
  if (!fits) return std::nullopt;
  std::vector<ScoredParticipant> cohort;
  for (std::size_t k = 0; k < listener.trials.size(); ++k) {
    ScoredParticipant one = listener;
    one.trials = {listener.trials[k]};
    const std::string& name = listener.trials[k].name;
    one.id += "/" + (name.empty() ? std::to_string(k + 1) : name);
    if (has_labels(one)) cohort.push_back(std::move(one));
  }
  if (cohort.size() < 2) {
    throw Error(ErrorKind::bad_data,
                "participant " + listener.id +
                    " is alone and has one labelled trial, so there is nothing to fit the emission to but what it is "
                    "judged on; give other listeners or trials, or the emission's parameters or model");
  }
  return cohort;
}

Comparison compare_trials(const CompareRequest& request, std::span<const ScoredParticipant> trials) {
  CompareRequest again = request;
  again.participants = trials;
  Comparison comparison = compare(again);
  comparison.by_trial = true;
  for (MethodResult& method : comparison.methods) {
    method.accuracy_test.reset();
    method.switch_time_test.reset();
  }
  comparison.notes.insert(comparison.notes.begin(),
                          {.subject = request.participants.front().id,
                           .kind = NoteKind::chosen,
                           .text = "is alone, so each trial is judged by an emission fitted to the other trials; means "
                                   "and SD are over trials, and nothing is said of other listeners"});
  return comparison;
}

}  // namespace

MethodFigures figures_of(std::span<const ParticipantResult> participants) {
  const auto mean = [&](auto measure) {
    std::vector<std::optional<double>> values;
    for (const ParticipantResult& one : participants) values.push_back(measure(one));
    return evaluate::summarise(values).mean;
  };
  MethodFigures figures{
      .accuracy = mean([](const auto& one) { return one.metrics.accuracy; }),
      .whole_accuracy = mean([](const auto& one) { return one.metrics.whole_accuracy; }),
      .switch_time = mean([](const auto& one) { return one.metrics.switch_time; }),
      .false_switch_rate = mean([](const auto& one) { return one.metrics.false_switch_rate; }),
      .log_loss = mean([](const auto& one) { return one.calibration.log_loss; }),
      .calibration_error = mean([](const auto& one) { return one.calibration.expected; }),
  };
  for (const ParticipantResult& one : participants) {
    figures.missed += one.metrics.missed;
    figures.switches += one.metrics.switches;
  }
  return figures;
}

std::vector<double> paper_switch_probabilities() {
  std::vector<double> probabilities;
  for (int k = 0; k <= 12; ++k) probabilities.push_back(std::pow(10.0, -4 + (0.25 * k)));
  return probabilities;
}

Comparison compare(const CompareRequest& request) {
  check(request);
  if (const auto trials = trials_apart(request)) return compare_trials(request, *trials);
  const ScoredParticipant& first = request.participants.front();
  Comparison comparison{.speakers = first.speakers.size(),
                        .window = first.window(),
                        .hop = first.hop(),
                        .chance = 1 / static_cast<double>(first.speakers.size())};
  const hmm::Chain chain = make_chain(request.chain, std::ssize(first.speakers), comparison.hop);
  if (const auto bank = make_bank(request.chain, std::ssize(first.speakers), comparison.hop)) {
    note_left_out(*bank, comparison.notes);
    note_unknown_switching(request.emission, request.chain, comparison.notes);
  } else if (!request.chain.transition) {
    comparison.switch_probability = chain.as_sticky()->move();
  }
  note_model(request.model, first, comparison.notes);

  // Models may take a while: progress is told, though no turn is done yet.
  std::size_t done = 0;
  std::size_t total = 0;
  const Interruption tell = [&] {
    if (request.progress) request.progress(done, total);
  };
  const ExperimentOptions options = experiment_options(request);
  comparison.draws = draws_of(options);
  if (request.gains) comparison.gain_map = evaluate::map_word(*request.gains);
  total = request.participants.size() * static_cast<std::size_t>(comparison.draws);
  const Experiment experiment(request.participants, options, tell);
  comparison.learning = learning_by(options.emission);
  note_learning(comparison);
  const ModelWords words = tell_models(request, experiment, options.emission, comparison);
  note_offset(request, comparison);
  for (const track::Method method :
       methods_for(experiment.cohort(), request.methods, request.method, comparison.notes)) {
    comparison.methods.push_back({.method = method});
  }
  const auto probabilities = further_probabilities(request, comparison);
  const auto trackers = trackers_of(request, comparison.methods, probabilities);
  const auto each_draw = [&] {
    ++done;
    tell();
  };
  std::optional<Experiment> independent;
  if (has_dependence(comparison)) {
    ExperimentOptions without = options;
    without.emission.dependence = DependenceChoice::none;
    independent.emplace(request.participants, without, tell);
    total *= 2;
  }
  const auto metrics = run(experiment, trackers, each_draw, comparison);
  if (independent) run_independent(*independent, request, each_draw, comparison);
  note_repetition(words.repetition, options.emission, words.models, request.chain.unknown_switch_probability,
                  comparison.notes);
  for (MethodResult& method : comparison.methods) summarise(method, comparison.methods.front());
  note_misses(request, comparison);
  note_slower(words.models, comparison);
  if (request.switch_probabilities) {
    draw_curves(comparison, probabilities, std::span(metrics).subspan(comparison.methods.size()));
  }
  return comparison;
}

}  // namespace heed::pipeline
