// SPDX-License-Identifier: MIT
// The metric of the paper's Section IV-B, for a trial and for a participant: when was each switch of attention
// noticed, and how often are the decisions right once it was. Windows are counted from 0 within the trial. Labels may
// be unknown (`n/a`): such a window is not counted, and a switch lies where a label differs from the last known one.
#pragma once

#include <heed/data/scored.h>
#include <heed/data/series.h>
#include <heed/evaluate/summary.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::evaluate {

// A true switch at window a, after the switch (or trial start) a-, before the next switch (or trial end) b.
//
// If decision[a] is new already, d is where that run of the new state began, but not before a-; the
// listener's switch was foreseen (a smoother does that). Otherwise d is the first window of [a, b)
// decided new. Windows without a label inside these ranges still have decisions and take part.
struct SwitchOutcome {
  Index at = 0;                        // a, the first window labelled with the new state
  Index end = 0;                       // b
  Speaker attended = unknown_speaker;  // the new state
  std::optional<Index> detected;       // d; nothing: missed, no window of [a, b) was decided new
  Seconds signed_time;                 // (d - a) tau, negative if foreseen; missed: (b - a) tau
  Seconds time;                        // |d - a| tau; missed: (b - a) tau
  // The other published definition: first window of [a, b) decided new, never negative; missed: (b - a) tau.
  Seconds first_hit_time;

  [[nodiscard]] bool missed() const noexcept { return !detected; }
};

// What a trial adds to its participant. Counts of labelled windows only; all of them add over trials.
struct TrialMetrics {
  std::vector<SwitchOutcome> switches;
  // The steady part: from max(a, d) of a switch to the next one; from a if missed; all of the first block.
  Index steady_windows = 0;
  Index steady_correct = 0;
  Index labelled_windows = 0;
  Index labelled_correct = 0;
  // Changes of decision (decision[t] != decision[t-1], window t labelled) at which no true switch was
  // detected: t is the d of none. A wrong turn and the return from it are two; finding the right speaker
  // in the first block, after a wrong start, is one.
  Index false_switches = 0;
  Seconds window{1};     // what a decision waited for
  Seconds hop = window;  // tau, from one decision to the next
  Seconds labelled{0};   // labelled_windows tau
};

// Throws Error if there is not one label per decision, a decision is no speaker, or the window is not positive.
TrialMetrics measure_trial(const Path& decisions, const AttentionTrack& attention);

// One participant's row of the comparison table: windows and switches of all trials pooled. What does
// not exist (no switch, no label) is nothing, never zero. Rates within [0, 1], times in seconds.
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
