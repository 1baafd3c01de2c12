// SPDX-License-Identifier: MIT
// The three parameters of a Gaussian emission followed while scores come in: sums weighted by the posterior fade with a
// half-life, and each window gives the M-step of what is left. No window is judged by what comes after it. Nothing is
// allocated after make().
#pragma once

#include <heed/core/recursion.h>
#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/emission/supervised.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/chain.h>

#include <span>
#include <vector>

namespace heed::emission {

struct AdaptiveOptions {
  Seconds half_life{600};      // of observed time: shorter follows drifts sooner and is noisier; infinite never forgets
  double prior_windows = 120;  // the start counts as so many windows, and fades like them
  double least_separation = 0.05;  // (mu_attended - mu_unattended) / sigma; see guarded()
  friend bool operator==(const AdaptiveOptions&, const AdaptiveOptions&) = default;
};

// Not thread-safe: one per listener.
class AdaptiveGaussian {
 public:
  // The correlation of an exchangeable start stays as it is. Throws invalid_argument for options that make no sense or
  // a start that is itself beyond the guard, unsupported for a start with separate sigmas.
  static AdaptiveGaussian make(const GaussianEmission& start, Index speakers, Seconds window,
                               const AdaptiveOptions& options = {});

  // posterior: P(attending j) of the window, as the filter (or, later and better, a fixed lag) has it under
  // emission(). Held, and nothing forgotten, if a score is missing or no correlation, or `posterior` no distribution.
  // Step::wrong_size unless both have a number for each speaker; nothing happens then.
  core::Step update(std::span<const double> scores, std::span<const double> posterior) noexcept;

  [[nodiscard]] const GaussianEmission& emission() const noexcept { return emission_; }
  // Windows the parameters rest on, after forgetting.
  [[nodiscard]] double windows() const noexcept { return sums_.windows; }
  // True while the latest estimate is refused: its means come too close, or the scores stand still. Past that point
  // attended and unattended would exchange roles and every posterior turn round. emission() then stays at the last
  // good one, which pulls the sums back.
  [[nodiscard]] bool guarded() const noexcept { return guarded_; }

 private:
  AdaptiveGaussian() = default;
  [[nodiscard]] bool take(std::span<const double> scores, std::span<const double> posterior) noexcept;

  GaussianEmission emission_;
  ScoreMoments sums_;
  std::vector<double> z_;
  double kept_ = 1;  // of the sums, from one window to the next
  double least_separation_ = 0;
  bool guarded_ = false;
};

struct AdaptedTrials {
  std::vector<LogLikelihoods> log_likelihoods{};  // [trial]
  GaussianEmission emission{};                    // as it stands after the last window
};

// Label-free and causal: each window's log-likelihoods by the parameters that the windows before it have left, divided
// by the temperature; then the filter's posterior, and by it the next parameters. What is learnt is kept from trial to
// trial, in their order, while belief starts anew with each. Throws as AdaptiveGaussian::make and log_likelihoods.
[[nodiscard]] AdaptedTrials adapted_log_likelihoods(const GaussianEmission& start, const hmm::Chain& chain,
                                                    std::span<const ScoredTrial> trials,
                                                    const AdaptiveOptions& options = {}, double temperature = 1);
// The same where p is unknown; what is learnt of it is kept from trial to trial, too.
[[nodiscard]] AdaptedTrials adapted_log_likelihoods(const GaussianEmission& start, const hmm::Bank& bank,
                                                    std::span<const ScoredTrial> trials,
                                                    const AdaptiveOptions& options = {}, double temperature = 1);

}  // namespace heed::emission
