// SPDX-License-Identifier: MIT
// A mixture emission made ready for use: every covariance is factored once, then a window costs no
// allocation. Immutable, so threads may share it.
#pragma once

#include <heed/data/model.h>

#include <span>
#include <vector>

namespace heed::emission {

// log N(x; mean, covariance) of one component. The weight is not in it.
class ComponentDensity {
 public:
  // Throws singular if the covariance is not positive definite.
  ComponentDensity(const GaussianComponent& component, CovarianceShape shape);

  // x: one finite number per feature.
  [[nodiscard]] double log(std::span<const double> x) const noexcept;

 private:
  bool diagonal_;
  Eigen::VectorXd mean_;
  Matrix whitener_;   // lower triangular W with W'W the inverse covariance; one column if diagonal
  double log_scale_;  // log det W - D/2 log(2 pi)
};

class MixtureDensity {
 public:
  // Throws invalid_argument on shapes or weights that do not fit, singular naming the state.
  static MixtureDensity make(const MixtureEmission& emission);

  [[nodiscard]] Index features() const noexcept { return features_; }
  [[nodiscard]] Index states() const noexcept { return static_cast<Index>(states_.size()); }

  // log p(x | state j) into result[j]. Precondition: x has features() finite numbers, result states().
  void log_densities_into(std::span<const double> x, std::span<double> result) const noexcept;

 private:
  struct Weighted {
    double log_weight;
    ComponentDensity density;
  };
  Index features_ = 0;
  std::vector<std::vector<Weighted>> states_;
};

}  // namespace heed::emission
