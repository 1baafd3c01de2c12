// SPDX-License-Identifier: MIT
// The three parameters of a Gaussian emission followed while scores come in, for live use: sums weighted by
// the posterior fade with a half-life, and each window gives the M-step of what is left. Nothing is allocated
// after make().
#pragma once

#include <heed/core/recursion.h>
#include <heed/data/model.h>
#include <heed/emission/supervised.h>

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
  // Throws invalid_argument for options that make no sense or a start that is itself beyond the guard, unsupported
  // for a start whose sigma is not shared.
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

}  // namespace heed::emission
