// SPDX-License-Identifier: MIT
// Baum-Welch: the chain (and, through the caller, the emission) that make many sequences most probable, with or without
// labels; and its E-step. A sticky chain stays sticky.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/smooth.h>

#include <functional>
#include <span>
#include <vector>

namespace heed::hmm {

// The E-step: what a model's next estimate is made from. Posterior of every window, expected number of transitions,
// log-evidence. Windows whose attended speaker is known can be clamped to it.

// Expected numbers over the T-1 steps of a sequence; they add over sequences. Missing windows count:
// attention moved through them too.
struct TransitionCounts {
  double stays = 0;
  double switches = 0;
  Matrix pairs;  // (from, to); 0 x 0 of a sticky chain, which needs only the two above: O(N) per window

  TransitionCounts& operator+=(const TransitionCounts& other);
};

struct Expectation {
  Posteriors posteriors;  // P(attending j | all windows and labels); row 0 is the new initial distribution
  TransitionCounts transitions;
};

// labels: a speaker a window, unknown_speaker = free; no entries at all: every window is free.
// Throws invalid_argument on shapes or labels that do not fit, bad_data where the chain cannot reach a label.
Expectation expectation(const Chain& chain, const LogLikelihoods& log_likelihoods, const AttentionTrack& labels = {});

// The log-likelihoods with every other state impossible in a labelled window. A label outweighs a missing or
// impossible score: that window then says nothing but its label. Throws as expectation().
LogLikelihoods clamp(LogLikelihoods log_likelihoods, const AttentionTrack& labels);

// Storage of expectation_into. One per thread.
class ExpectationWorkspace {
 public:
  ExpectationWorkspace() = default;
  ExpectationWorkspace(Index windows, Index states) { prepare(windows, states); }
  // Grows where needed; never shrinks. The only call that allocates.
  void prepare(Index windows, Index states);

  [[nodiscard]] Index held() const noexcept { return smooth_.held(); }
  // Of the last run.
  [[nodiscard]] TransitionCounts transitions() const;

 private:
  friend double expectation_into(const Chain& chain, MatrixView log_likelihood, ExpectationWorkspace& workspace,
                                 MutableMatrixView posterior) noexcept;
  friend double expectation_plainly(const Chain& chain, MatrixView log_likelihood, ExpectationWorkspace& workspace,
                                    MutableMatrixView posterior) noexcept;
  SmoothWorkspace smooth_;
  std::vector<double> pairs_;
  Index pair_states_ = 0;  // 0 after a sticky chain
  double stays_ = 0;
  double switches_ = 0;
};

// Writes the posterior (as large as log_likelihood, not overlapping it) and returns the log-evidence.
// Never allocates. Shapes that do not fit, or a workspace not prepared for them: NaN, nothing written.
double expectation_into(const Chain& chain, MatrixView log_likelihood, ExpectationWorkspace& workspace,
                        MutableMatrixView posterior) noexcept;

// The whole: each iteration is an E-step over all sequences and an M-step.

struct TrainingSequence {
  LogLikelihoods log_likelihoods;
  AttentionTrack labels{};  // clamped windows; unknown_speaker = free; empty: all free
};

// What is known of switching before the data, as so many steps seen: the Beta(1 + switches, 1 + stays)
// prior on the probability (N-1)p of leaving. Few switches in short data want one.
struct SwitchPrior {
  double switches = 0;
  double stays = 0;
  friend bool operator==(const SwitchPrior&, const SwitchPrior&) = default;
};

struct BaumWelchOptions {
  bool estimate_transition = true;
  bool estimate_initial = false;  // few sequences say little about it: uniform is safer
  SwitchPrior prior{};            // sticky chains only
  double relative_gain = 1e-9;    // stop once an iteration gains less of |log-evidence| (taken as 1 at least)
  Index max_iterations = 300;
  friend bool operator==(const BaumWelchOptions&, const BaumWelchOptions&) = default;
};

// The caller's M-step: the posteriors of all sequences in, the same windows' log-likelihoods under the new
// emission out. They must be comparable between iterations: drop no term that the parameters change.
using EmissionStep = std::function<std::vector<LogLikelihoods>(std::span<const Posteriors>)>;

struct BaumWelchResult {
  Chain chain;
  std::vector<Posteriors> posteriors;  // of every sequence, under `chain`
  std::vector<double> history;         // log-evidence of all sequences (plus the log prior) before each M-step and at
                                       // the end; never goes down
  Index iterations = 0;                // M-steps taken
  bool converged = false;              // false too if the caller's M-step lowered the evidence: the best is kept
};

// Throws invalid_argument on shapes, labels or options that do not fit, bad_data without a single window.
// An empty `emission` leaves the log-likelihoods as they are.
BaumWelchResult baum_welch(const Chain& start, std::vector<TrainingSequence> sequences,
                           const BaumWelchOptions& options = {}, const EmissionStep& emission = {});

}  // namespace heed::hmm
