// SPDX-License-Identifier: MIT
// What fits of mixtures are made of, whoever says to which state a window belongs: labels or posteriors. One round of
// expectation-maximisation, on features of mean 0 and variance 1.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed::emission {

using MixtureComponents = std::vector<GaussianComponent>;

// Features of mean 0 and variance 1: the floor of covariances then means the same for all.
struct Standardised {
  Matrix points;
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;

  // Throws singular for a feature that does not vary.
  explicit Standardised(const Matrix& raw);

  // Into the standardised features, and back to the units of the file, symmetric to the last bit.
  [[nodiscard]] GaussianComponent standardised(const GaussianComponent& component) const;
  [[nodiscard]] GaussianComponent restored(const GaussianComponent& component) const;
};

// The largest likelihood among covariances of which no direction has less than the floor: raising the short axes of
// the free maximum, and nothing else, reaches it. So EM still never goes down.
[[nodiscard]] Matrix floored(const Matrix& covariance, CovarianceShape shape);

// How much of each point belongs to each component, into shares (points x components, rows sum to one). Returns the
// log-likelihood of all points.
double share_out(const Matrix& points, const MixtureComponents& components, CovarianceShape shape, Matrix& shares);

// How much of each point belongs to each component, as a part of what belongs to the state.
struct Shares {
  const Matrix& points;
  const Matrix& values;  // points x components
  double total = 0;      // of the state, above 0: as many as there are points where all belong to it
};

// The components that suit their shares best. One that nothing belongs to stays where it was, with weight 0.
[[nodiscard]] MixtureComponents maximised(const Shares& shares, MixtureComponents components, CovarianceShape shape);

// k-means++ (Arthur and Vassilvitskii 2007): each next centre is drawn far from those before it.
// Returns the nearest centre of every point.
[[nodiscard]] std::vector<Index> seeded_clusters(const Matrix& points, Index clusters, std::uint64_t seed);

// Names of the columns that a mixture sees.
[[nodiscard]] std::vector<std::string> feature_names(const ScoredParticipant& participant);

// Throws bad_data for no participant, and where they differ in states or features.
void require_alike(std::span<const ScoredParticipant> participants);

}  // namespace heed::emission
