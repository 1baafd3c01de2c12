// SPDX-License-Identifier: MIT
// The E-step of Baum-Welch: what a model's next estimate is made from. Posterior of every window, expected
// number of transitions, log-evidence. Windows whose attended speaker is known can be clamped to it.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/smooth.h>

#include <vector>

namespace heed::hmm {

// Expected numbers over the T-1 steps of a sequence; they add over sequences. Missing windows count:
// attention moved through them too.
struct TransitionCounts {
  double stays = 0;
  double switches = 0;
  Matrix pairs;  // (from, to); 0 x 0 of a sticky chain, which needs only the two above: O(N) a window

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

// Storage of expectation_into. One a thread.
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

}  // namespace heed::hmm
