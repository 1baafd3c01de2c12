// SPDX-License-Identifier: MIT
// The published methods that the hidden Markov models are compared with: two gain controls and the state-space model.
#pragma once

#include <heed/track/tracker.h>

#include <cstddef>
#include <span>
#include <vector>

namespace heed::track {

// Gain controls move the speakers' gains a step with each window. Posteriors are the gains; they start equal, and those
// of more than two speakers walk on the simplex (docs/mathematics.md).

inline constexpr int default_gain_states = 17;  // where nothing is known of the decoder's accuracy
inline constexpr int most_gain_states = 101;    // a longer chain follows no switch within minutes

struct GainStates {
  int states = default_gain_states;
  bool capped = false;  // the rule gave no chain, or a longer one than most_gain_states
};

// K by the rule of the MESD, from P(the attended speaker's score > a competitor's) on other listeners.
// Throws invalid_argument outside [0, 1].
[[nodiscard]] GainStates gain_states_for(double pairwise_accuracy);

// The Markov-chain gain control (Geirnaert et al. 2020): one step towards the speaker with the largest score of each
// window. It weighs no evidence, so it needs no emission. Ties of a window's scores and missing windows hold the gains.
struct MarkovChainTracker {
  int states = default_gain_states;  // more waver less and follow later; at least 2 (invalid_argument)
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<MarkovChainTracker>);

inline constexpr double default_gain_step = 0.4;

// Probabilistic gain control, our reading of Heintz et al. 2024: the same walk with steps as large as the window is
// sure. Each window's probabilities are those of `raw`. A missing window holds the gains.
struct ProbabilisticGainTracker {
  double step = default_gain_step;  // gain moved by a window that is sure; larger follows sooner and wavers more.
                                    // Positive (invalid_argument)
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<ProbabilisticGainTracker>);

// The state-space model of attention (Miran et al. 2018) with its published priors, for correlations of two speakers:
// log-odds z that drift, log-normal markers |r|, everything re-estimated by EM on a window that slides along
// (docs/mathematics.md has the updates). Kept as it was published: it is a rival, not a recommendation.

// Of the attended and of the unattended speaker.
struct MarkerPrior {
  double shape = 0;      // alpha0 and
  double rate = 0;       // beta0 of the precision's gamma distribution
  double mean = 0;       // mu0 of the log-marker
  double precision = 0;  // rho at the start
  friend bool operator==(const MarkerPrior&, const MarkerPrior&) = default;
};

struct StateSpaceOptions {
  bool compatible = false;  // true: the last smoothed variance is 0, as in the published demo, not the filtered one
  Seconds ahead{1.5};       // the estimate is about so long ago ...
  Seconds behind{13.5};     // ... and sees so much before that
  int em_steps = 20;
  int newton_steps = 10;       // at most, of each state
  double drift = 0.3;          // eta, variance of z's steps, at the start
  double drift_shape = 2.008;  // a0, b0 of its inverse-gamma prior
  double drift_scale = 0.2016;
  MarkerPrior attended{641.13, 375.81, -0.3994, 1.7060};
  MarkerPrior unattended{4043.4, 6279.1, -1.5103, 0.64395};
  friend bool operator==(const StateSpaceOptions&, const StateSpaceOptions&) = default;
};

// One window at a time, of one trial or of several side by side, which takes hardly longer. A missing window is
// predicted over and left out of the sums.
class StateSpaceFilter {
 public:
  static constexpr std::size_t most_trials = 8;

  // `window`: length of the scores' windows; 1 ... most_trials trials. Throws invalid_argument where fewer than two fit
  // into ahead + behind, or options make no model. Allocates all there will be.
  static StateSpaceFilter make(Seconds window, const StateSpaceOptions& options = {}, std::size_t trials = 1);

  // P(attending the first speaker `ahead` ago | windows so far); 1/2 until size() windows have come.
  // The scores are correlations; NaN for a missing window. Never allocates.
  double step(double first, double second) noexcept;
  // The same of each trial, in the same bits as if it were alone. Precondition: as many as there are trials.
  void step(std::span<const double> first, std::span<const double> second, std::span<double> probabilities) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  StateSpaceFilter(const StateSpaceOptions& options, std::size_t size, std::size_t ahead, std::size_t trials);

  StateSpaceOptions options_;
  std::size_t size_;
  std::size_t ahead_;
  std::size_t trials_;
  std::size_t filled_ = 0;
  std::vector<double> numbers_;  // of the windows it slides over (track/sliding_em.h)
};

// Row k holds the estimate that is there at window k, so nothing is seen ahead; the first rows are 1/2.
struct StateSpaceTracker {
  StateSpaceOptions options{};
  // Throws unsupported unless there are two speakers, bad_data for scores that are no correlations. So do the others.
  static void check(const Scores& scores);
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  // Several trials, in the same bits as one after the other.
  [[nodiscard]] std::vector<Tracked> track(std::span<const Evidence> trials) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<StateSpaceTracker>);

}  // namespace heed::track
