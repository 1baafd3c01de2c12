// SPDX-License-Identifier: MIT
// From a window's scores to log-likelihoods on a device, for the Gaussian emissions (docs/mathematics.md, Emissions):
// up to a constant that all speakers share, each of them is log b_j = linear z_j + quadratic z_j^2 with z =
// atanh(score), or the score itself. No allocation, no lock, nothing to fail once it is made.
#pragma once

#include <heed/core/elementary.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace heed::core {

// What a fit finds (`heed track --save-model`).
template <std::floating_point Real>
struct GaussianParameters {
  bool fisher = true;  // atanh first: for correlations
  Real mu_attended = 0;
  Real mu_unattended = 0;
  Real sigma_attended = 1;
  Real sigma_unattended = 1;  // equal to sigma_attended unless the spreads are separate
  Real correlation = 0;       // between speakers
  Real temperature = 1;       // log-likelihoods are divided by it
};

template <std::floating_point Real>
class ScoreEvidence {
 public:
  // Nothing unless both are finite.
  static constexpr std::optional<ScoreEvidence> make(bool fisher, Real linear, Real quadratic) noexcept {
    if (!is_finite(linear) || !is_finite(quadratic)) return std::nullopt;
    return ScoreEvidence(fisher, linear, quadratic);
  }

  // Nothing unless sigmas and temperature are positive, the correlation is from -1 to below 1, and 0 where sigmas
  // differ, and all of it is finite.
  static constexpr std::optional<ScoreEvidence> make(const GaussianParameters<Real>& gaussian) noexcept {
    const Real attended = gaussian.sigma_attended * gaussian.sigma_attended;
    const Real unattended = gaussian.sigma_unattended * gaussian.sigma_unattended;
    if (!(gaussian.sigma_attended > 0 && gaussian.sigma_unattended > 0 && gaussian.temperature > 0)) return {};
    if (!(gaussian.correlation >= -1 && gaussian.correlation < 1)) return {};
    if (attended != unattended && gaussian.correlation != 0) return {};
    const Real independent = (1 - gaussian.correlation) * gaussian.temperature;
    // Equal sigmas first: their difference is then exactly nothing.
    const Real quadratic = attended == unattended ? 0 : ((1 / unattended) - (1 / attended)) / 2;
    const Real linear = attended == unattended
                            ? (gaussian.mu_attended - gaussian.mu_unattended) / attended
                            : (gaussian.mu_attended / attended) - (gaussian.mu_unattended / unattended);
    return make(gaussian.fisher, linear / independent, quadratic / independent);
  }

  // One score and one log-likelihood for each speaker; the spans may be the same. A window with a score that is not
  // finite, or beyond +-1 where it ought to be a correlation, is held: all NaN, as filters take it.
  [[nodiscard]] Step log_likelihoods(std::span<const Real> scores, std::span<Real> result) const noexcept {
    if (scores.size() != result.size()) return Step::wrong_size;
    const auto is_score = [this](Real score) { return is_finite(score) && (!fisher_ || (score >= -1 && score <= 1)); };
    if (!std::ranges::all_of(scores, is_score)) {
      std::ranges::fill(result, std::numeric_limits<Real>::quiet_NaN());
      return Step::held;
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const Real z = fisher_ ? inverse_hyperbolic_tangent(std::clamp(scores[j], -limit, limit)) : scores[j];
      result[j] = (linear_ + (quadratic_ * z)) * z;
    }
    return Step::updated;
  }

  [[nodiscard]] constexpr bool fisher() const noexcept { return fisher_; }
  [[nodiscard]] constexpr Real linear() const noexcept { return linear_; }
  [[nodiscard]] constexpr Real quadratic() const noexcept { return quadratic_; }

 private:
  static constexpr Real limit = static_cast<Real>(1 - 1e-7);  // so that a perfect correlation stays finite

  static constexpr bool is_finite(Real value) noexcept {
    return value >= std::numeric_limits<Real>::lowest() && value <= std::numeric_limits<Real>::max();
  }
  constexpr ScoreEvidence(bool fisher, Real linear, Real quadratic) noexcept
      : fisher_(fisher), linear_(linear), quadratic_(quadratic) {}

  bool fisher_;
  Real linear_;
  Real quadratic_;
};

}  // namespace heed::core
