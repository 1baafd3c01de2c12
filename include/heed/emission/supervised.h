// SPDX-License-Identifier: MIT
// Emissions from labelled windows: Gaussian families, and mixtures of features of any dimension (docs/mathematics.md,
// Emissions and Mixtures). A participant is summed up once in moments that add, so leaving one out costs nothing.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heed::emission {

using data::ScoreMoments;

struct FitOptions {
  bool fisher = true;              // atanh first: for correlations. Never for LDA scores
  std::optional<Spread> spread{};  // nothing: shared, which is the paper's, or exchangeable where the columns repeat
  friend bool operator==(const FitOptions&, const FitOptions&) = default;
};

// Throws bad_data on a correlation beyond +-1 where fisher is asked for.
[[nodiscard]] ScoreMoments moments(const ScoredParticipant& participant, bool fisher);

// One window more, of which the attended speaker is known in probability. Both have ScoreMoments::speakers numbers.
void add_window(ScoreMoments& sums, std::span<const double> z, std::span<const double> posterior) noexcept;

// The moments of both together. Throws invalid_argument where they are of different numbers of speakers.
[[nodiscard]] ScoreMoments sum(const ScoreMoments& a, const ScoreMoments& b);

// All moments times a factor: what a half-life leaves of them.
void scale(ScoreMoments& sums, double factor) noexcept;

// Each mu is the mean of the participants' means; each variance the mean of their variances around
// those mu. Participants without a labelled window do not count. Throws bad_data if none has one,
// singular if the scores do not vary.
[[nodiscard]] GaussianEmission fit_gaussian(std::span<const ScoreMoments> participants, const FitOptions& options = {});

// Whether the columns are one score told several times, as s and -s are: their correlation inside a class is below
// -0.9/(N-1). The spread `shared` would count such evidence more than once, `exchangeable` counts it right.
[[nodiscard]] bool columns_repeat(std::span<const ScoreMoments> participants) noexcept;

// What a user is told where that made a fit take `exchangeable`.
inline constexpr std::string_view columns_repeat_words =
    "the columns are one score told several times, as s and -s are, so the emission has a correlation between them "
    "(spread exchangeable), and their evidence counts once";

// Of one participant with one sigma for all, without throwing: the M-step of the three tied parameters (four with
// `exchangeable`). Nothing if there is no window, or the scores do not vary.
[[nodiscard]] std::optional<GaussianEmission> tied_gaussian(const ScoreMoments& sums,
                                                            const FitOptions& options) noexcept;

// Gaussian mixtures, one for each state, by expectation-maximisation.

// No direction of a component gets less than this share of the state's variance, so that none collapses onto a
// few windows. A state's own covariance below it (of standardised features) is an error: nothing can be told apart.
inline constexpr double covariance_floor = 1e-6;

struct MixtureOptions {
  Index components = 2;  // of each state; 1 is a plain Gaussian, in closed form
  CovarianceShape covariance = CovarianceShape::full;
  std::uint64_t seed = 1;       // of the start; the same seed gives the same mixture
  double relative_gain = 1e-9;  // stop once an iteration gains less of |log-likelihood|, of features of variance 1
  Index max_iterations = 500;
  friend bool operator==(const MixtureOptions&, const MixtureOptions&) = default;
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
