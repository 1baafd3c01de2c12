// SPDX-License-Identifier: MIT
// One participant's row of the comparison table: windows and switches of all trials pooled. What does
// not exist (no switch, no label) is nothing, never zero.
#pragma once

#include <heed/data/scored.h>
#include <heed/evaluate/summary.h>
#include <heed/evaluate/switch_metric.h>

#include <optional>
#include <span>

namespace heed::evaluate {

// Rates within [0, 1], times in seconds.
struct ParticipantMetrics {
  std::optional<double> accuracy;                // over steady windows: the paper's accuracy
  std::optional<double> whole_accuracy;          // over all labelled windows
  std::optional<double> switch_time;             // mean of |d - a| tau, misses included
  std::optional<double> median_switch_time;      // of the same
  std::optional<double> signed_switch_time;      // mean of (d - a) tau
  std::optional<double> first_hit_time;          // mean, by the other published definition
  std::optional<double> decided_time;            // switch_time + tau: a decision exists at the end of its window
  std::optional<double> latency_inclusive_time;  // decided_time + look-ahead
  std::optional<double> miss_rate;               // missed / switches
  std::optional<double> false_switch_rate;       // a minute of labelled time
  // Whole numbers of one run; after average(), means over the repeats.
  double windows = 0;         // labelled: those of whole_accuracy
  double windows_apart = 0;   // as many of these as share no sample: all unless windows overlap; of the chance bound
  double steady_windows = 0;  // those of accuracy
  double switches = 0;
  double missed = 0;
  double false_switches = 0;
};

// look_ahead: how much of the future a row has seen. If that is all of it (infinite), a latency does
// not exist. Throws Error if the trials' windows differ in length or look_ahead is negative or NaN.
ParticipantMetrics pool(std::span<const TrialMetrics> trials, Seconds look_ahead = {});

// measure_trial of every trial, pooled; an Error names the trial.
ParticipantMetrics measure_participant(const TrackedParticipant& participant);

// Repeats of one participant (e.g. draws of random switches): every measure averaged over the repeats
// in which it exists, every count over all of them.
ParticipantMetrics average(std::span<const ParticipantMetrics> repeats);

// summarise(cohort, &ParticipantMetrics::accuracy): one cell of the table.
Summary summarise(std::span<const ParticipantMetrics> participants, std::optional<double> ParticipantMetrics::*measure);

}  // namespace heed::evaluate
