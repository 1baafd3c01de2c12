// SPDX-License-Identifier: MIT
// Scores of a cohort with known truth: what a correlation decoder would have said of listeners whose
// attention moves from speaker to speaker. Fisher-transformed scores are normal (the paper's Section
// III), a little correlated in time, and as separable as the accuracy asked for.
#pragma once

#include <heed/data/scored.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace heed::sim {

// Real scores (KU Leuven 2016, least squares, 1 s windows, mean over 16 listeners). The spread is one
// for attended and unattended, and the same whatever window is asked for: accuracy says the rest.
inline constexpr double unattended_mean = 0.037;  // of atanh(score)
inline constexpr double score_sigma = 0.303;      // of atanh(score)

struct ScoreCohortOptions {
  int speakers = 2;
  int participants = 13;
  int trials = 4;      // of each participant
  Seconds trial{600};  // a last partial window is dropped
  Seconds window{1};
  double accuracy = 0.58;         // P(the attended score is the largest), mean over participants; in (1/N, 1)
  double accuracy_spread = 0.03;  // standard deviation over participants
  double autocorrelation = 0.04;  // lag 1, of each speaker's noise (first order); in [0, 1)
  double offset_share = 0;        // of the noise between two speakers, what each trial adds as a bias; in [0, 1)
  SwitchInterval interval{};      // at least a window; longer than the trial: no switch
  double artefact_rate = 0;       // expected fraction of missing windows; in [0, .5]
  Seconds artefact_length{3};     // mean length of a burst of them, at least a window
  std::uint64_t seed = 1;
  friend bool operator==(const ScoreCohortOptions&, const ScoreCohortOptions&) = default;
};

// Participants "01", "02", ...; trials "1", "2", ...; speakers left and right, or speaker-1 ... speaker-N.
// The first attended speaker of a trial is drawn, each switch moves on to the next column. A window
// with a switch inside has unknown attention, and the scores of who was attended at its middle.
//
// A participant's accuracy is normal around the mean, but goes at most 95 % of the way from it to
// chance or to 1. Participant k comes from RandomStream(seed, k) alone: a larger cohort or another
// thread gives the same participant, and artefacts take windows away without changing the others.
// `between` is called after each participant; what it throws ends the simulation.
// Throws Error for options that make no sense.
std::vector<ScoredParticipant> simulate_scores(const ScoreCohortOptions& options = {},
                                               const std::function<void()>& between = {});

// d = (mu_attended - mu_unattended) / sigma at which the attended of N normal scores is the largest
// with the probability `accuracy`, in (1/N, 1). N = 2: accuracy = Phi(d / sqrt 2).
double separation_for_accuracy(int speakers, double accuracy);

}  // namespace heed::sim
