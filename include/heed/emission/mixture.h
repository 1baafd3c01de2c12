// SPDX-License-Identifier: MIT
// Gaussian mixtures of features of any dimension, one for each state, fitted to labelled windows by
// expectation-maximisation (docs/mathematics.md, Mixtures).
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/model.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heed::emission {

// No direction of a component gets less than this share of the state's variance, so that none collapses onto a
// few windows. A state's own covariance below it (of standardised features) is an error: nothing can be told apart.
inline constexpr double covariance_floor = 1e-6;

struct MixtureOptions {
  Index components = 2;  // of each state; 1 is a plain Gaussian, in closed form
  CovarianceShape covariance = CovarianceShape::full;
  std::uint64_t seed = 1;       // of the start; the same seed gives the same mixture
  double relative_gain = 1e-9;  // stop once an iteration gains less of |log-likelihood|, of features of variance 1
  Index max_iterations = 500;
};

struct MixtureFit {
  std::vector<GaussianComponent> components{};
  std::vector<double> history{};  // log-likelihood of all points before each M-step and at the end; never goes down
  bool converged = false;
};

// One state. points: windows x features. Throws bad_data for fewer points than components, singular for features
// that do not vary or depend on each other, invalid_argument for options or numbers that make no sense.
[[nodiscard]] MixtureFit fit_mixture(const Matrix& points, const MixtureOptions& options = {});

// Every state, from the labelled, complete windows of all participants; each window counts alike. Throws bad_data
// for a state that is never attended and where participants differ in features; errors name the state.
[[nodiscard]] MixtureEmission fit_mixtures(std::span<const ScoredParticipant> participants,
                                           const MixtureOptions& options = {});

}  // namespace heed::emission
