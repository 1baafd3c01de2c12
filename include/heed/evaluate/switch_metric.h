// SPDX-License-Identifier: MIT
// The metric of the paper's Section IV-B for one trial: when was each switch of attention noticed, and
// how often are the decisions right once it was. Windows are counted from 0 within the trial.
// Labels may be unknown (`n/a`): such a window is not counted, and a switch lies where a label differs
// from the last known one.
#pragma once

#include <heed/data/series.h>

#include <optional>
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

// Throws Error if there is not one label a decision, a decision is no speaker, or the window is not positive.
TrialMetrics measure_trial(const Path& decisions, const AttentionTrack& attention);

}  // namespace heed::evaluate
