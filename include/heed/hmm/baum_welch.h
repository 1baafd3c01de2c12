// SPDX-License-Identifier: MIT
// Baum-Welch: the chain (and, through the caller, the emission) that make many sequences most probable,
// with or without labels. Each iteration is an E-step over all sequences and an M-step; a sticky
// chain stays sticky.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <functional>
#include <span>
#include <vector>

namespace heed::hmm {

struct TrainingSequence {
  LogLikelihoods log_likelihoods;
  AttentionTrack labels{};  // clamped windows; unknown_speaker = free; empty: all free
};

// What is known of switching before the data, as so many steps seen: the Beta(1 + switches, 1 + stays)
// prior on the probability (N-1)p of leaving. Few switches in short data want one.
struct SwitchPrior {
  double switches = 0;
  double stays = 0;
};

struct BaumWelchOptions {
  bool estimate_transition = true;
  bool estimate_initial = false;  // few sequences say little about it: uniform is safer
  SwitchPrior prior{};            // sticky chains only
  double relative_gain = 1e-9;    // stop once an iteration gains less of |log-evidence| (taken as 1 at least)
  Index max_iterations = 300;
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
