// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/switch_metric.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace heed::evaluate {
namespace {

using Metrics = ParticipantMetrics;

constexpr std::array measures{&Metrics::accuracy,           &Metrics::whole_accuracy,         &Metrics::switch_time,
                              &Metrics::median_switch_time, &Metrics::signed_switch_time,     &Metrics::first_hit_time,
                              &Metrics::decided_time,       &Metrics::latency_inclusive_time, &Metrics::miss_rate,
                              &Metrics::false_switch_rate};
constexpr std::array counts{&Metrics::windows,  &Metrics::windows_apart, &Metrics::steady_windows,
                            &Metrics::switches, &Metrics::missed,        &Metrics::false_switches};

std::optional<double> ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

double median(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void check(std::span<const TrialMetrics> trials, Seconds look_ahead) {
  if (!(look_ahead.value >= 0)) {
    throw Error(ErrorKind::invalid_argument,
                "look-ahead of " + data::shown(look_ahead.value) + " s; give at least 0 s");
  }
  for (std::size_t k = 1; k < trials.size(); ++k) {
    if (trials[k].window != trials[0].window || trials[k].hop != trials[0].hop) {
      throw Error(ErrorKind::bad_data, "trial " + std::to_string(k + 1) + " has " +
                                           data::shown_windows(trials[k].window, trials[k].hop) + ", trial 1 " +
                                           data::shown_windows(trials[0].window, trials[0].hop) +
                                           "; evaluate each window length separately");
    }
  }
}

void pool_switches(std::span<const TrialMetrics> trials, Seconds look_ahead, Metrics& metrics) {
  std::vector<double> times;
  double time = 0;
  double signed_time = 0;
  double first_hit_time = 0;
  for (const TrialMetrics& trial : trials) {
    for (const SwitchOutcome& outcome : trial.switches) {
      times.push_back(outcome.time.value);
      time += outcome.time.value;
      signed_time += outcome.signed_time.value;
      first_hit_time += outcome.first_hit_time.value;
      metrics.missed += outcome.missed() ? 1 : 0;
    }
  }
  if (times.empty()) return;
  metrics.switches = static_cast<double>(times.size());
  metrics.switch_time = time / metrics.switches;
  metrics.signed_switch_time = signed_time / metrics.switches;
  metrics.first_hit_time = first_hit_time / metrics.switches;
  metrics.miss_rate = metrics.missed / metrics.switches;
  metrics.median_switch_time = median(std::move(times));
  metrics.decided_time = *metrics.switch_time + trials.front().window.value;
  if (std::isfinite(look_ahead.value)) metrics.latency_inclusive_time = *metrics.decided_time + look_ahead.value;
}

}  // namespace

ParticipantMetrics pool(std::span<const TrialMetrics> trials, Seconds look_ahead) {
  check(trials, look_ahead);
  Metrics metrics;
  double steady_correct = 0;
  double labelled_correct = 0;
  Seconds labelled;
  for (const TrialMetrics& trial : trials) {
    metrics.windows += static_cast<double>(trial.labelled_windows);
    metrics.windows_apart += static_cast<double>(trial.labelled_windows) * (trial.hop / trial.window);
    metrics.steady_windows += static_cast<double>(trial.steady_windows);
    metrics.false_switches += static_cast<double>(trial.false_switches);
    steady_correct += static_cast<double>(trial.steady_correct);
    labelled_correct += static_cast<double>(trial.labelled_correct);
    labelled = labelled + trial.labelled;
  }
  metrics.accuracy = ratio(steady_correct, metrics.steady_windows);
  metrics.whole_accuracy = ratio(labelled_correct, metrics.windows);
  metrics.false_switch_rate = ratio(metrics.false_switches, labelled / Seconds{60});
  pool_switches(trials, look_ahead, metrics);
  return metrics;
}

ParticipantMetrics measure_participant(const TrackedParticipant& participant) {
  std::vector<TrialMetrics> trials;
  trials.reserve(participant.trials.size());
  for (const TrackedTrial& trial : participant.trials) {
    try {
      trials.push_back(measure_trial(trial.decisions, trial.attention));
    } catch (const Error& error) {
      throw error.within("participant " + participant.id + ", trial " + trial.name);
    }
  }
  return pool(trials, participant.look_ahead);
}

ParticipantMetrics average(std::span<const ParticipantMetrics> repeats) {
  Metrics metrics;
  for (const auto measure : measures) metrics.*measure = summarise(repeats, measure).mean;
  for (const auto count : counts) {
    for (const Metrics& repeat : repeats) metrics.*count += repeat.*count / static_cast<double>(repeats.size());
  }
  return metrics;
}

Summary summarise(std::span<const ParticipantMetrics> participants,
                  std::optional<double> ParticipantMetrics::*measure) {
  std::vector<std::optional<double>> values;
  values.reserve(participants.size());
  for (const Metrics& participant : participants) values.push_back(participant.*measure);
  return summarise(values);
}

}  // namespace heed::evaluate
