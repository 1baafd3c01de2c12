// SPDX-License-Identifier: MIT
#include <emission/mixture_density.h>
#include <emission/mixture_steps.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/emission/supervised.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::emission {
namespace {

Matrix covariance_of(const Matrix& residuals, const Eigen::VectorXd& weights) {
  return residuals.transpose() * weights.asDiagonal() * residuals / weights.sum();
}

}  // namespace

Standardised::Standardised(const Matrix& raw) : points(raw), mean(raw.colwise().mean().transpose()) {
  points.rowwise() -= mean.transpose();
  deviation = (points.array().square().colwise().mean()).sqrt().transpose();
  for (Index d = 0; d < deviation.size(); ++d) {
    if (!(deviation(d) > 1e-12 * std::abs(mean(d))) || !std::isfinite(deviation(d))) {
      throw Error(ErrorKind::singular, "feature " + std::to_string(d + 1) + " does not vary; leave it out");
    }
  }
  points.array().rowwise() /= deviation.transpose().array();
}

GaussianComponent Standardised::standardised(const GaussianComponent& component) const {
  const Eigen::VectorXd scale = deviation.cwiseInverse();
  return {.weight = component.weight,
          .mean = ((component.mean - mean).array() * scale.array()).matrix(),
          .covariance = scale.asDiagonal() * component.covariance * scale.asDiagonal()};
}

GaussianComponent Standardised::restored(const GaussianComponent& component) const {
  const Matrix covariance = deviation.asDiagonal() * component.covariance * deviation.asDiagonal();
  return {.weight = component.weight,
          .mean = (component.mean.array() * deviation.array()).matrix() + mean,
          .covariance = (covariance + covariance.transpose()) / 2};
}

Matrix floored(const Matrix& covariance, CovarianceShape shape) {
  if (shape == CovarianceShape::diagonal) {
    return covariance.diagonal().cwiseMax(covariance_floor).asDiagonal();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(covariance);
  if (axes.eigenvalues()(0) >= covariance_floor) return covariance;
  return axes.eigenvectors() * axes.eigenvalues().cwiseMax(covariance_floor).asDiagonal() *
         axes.eigenvectors().transpose();
}

double share_out(const Matrix& points, const MixtureComponents& components, CovarianceShape shape, Matrix& shares) {
  double total = 0;
  std::vector<ComponentDensity> densities;
  for (const GaussianComponent& one : components) densities.emplace_back(one, shape);
  for (Index i = 0; i < points.rows(); ++i) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      shares(i, static_cast<Index>(c)) = std::log(components[c].weight) + densities[c].log(data::view(points).row(i));
    }
    const double largest = shares.row(i).maxCoeff();
    shares.row(i) = (shares.row(i).array() - largest).exp();
    const double sum = shares.row(i).sum();
    shares.row(i) /= sum;
    total += largest + std::log(sum);
  }
  return total;
}

MixtureComponents maximised(const Shares& shares, MixtureComponents components, CovarianceShape shape) {
  const Matrix& points = shares.points;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const Eigen::VectorXd share = shares.values.col(static_cast<Index>(c));
    const double belonging = share.sum();
    components[c].weight = std::min(belonging / shares.total, 1.0);  // rounding must not exceed it
    if (!(belonging > 1e-100)) continue;
    components[c].mean = points.transpose() * share / belonging;
    const Matrix residuals = points.rowwise() - components[c].mean.transpose();
    components[c].covariance = floored(covariance_of(residuals, share), shape);
  }
  return components;
}

std::vector<Index> seeded_clusters(const Matrix& points, Index clusters, std::uint64_t seed) {
  RandomStream random(seed);
  const Index n = points.rows();
  std::vector<Index> nearest(static_cast<std::size_t>(n), 0);
  Eigen::VectorXd distance = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  auto centre = static_cast<Index>(random.integer(0, n - 1));
  for (Index c = 0; c < clusters; ++c) {
    for (Index i = 0; i < n; ++i) {
      const double squared = (points.row(i) - points.row(centre)).squaredNorm();
      if (!(squared < distance(i))) continue;
      distance(i) = squared;
      nearest[static_cast<std::size_t>(i)] = c;
    }
    double left = random.uniform() * distance.sum();
    for (centre = 0; centre < n - 1 && left >= distance(centre); ++centre) left -= distance(centre);
  }
  return nearest;
}

std::vector<std::string> feature_names(const ScoredParticipant& participant) {
  return participant.features.empty() ? participant.speakers : participant.features;
}

void require_alike(std::span<const ScoredParticipant> participants) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "there is no participant to fit the mixture to");
  const ScoredParticipant& first = participants.front();
  for (const ScoredParticipant& participant : participants) {
    if (participant.speakers == first.speakers && feature_names(participant) == feature_names(first)) continue;
    throw Error(ErrorKind::bad_data, "participants " + first.id + " and " + participant.id +
                                         " differ in states or features; use the same columns in the same order");
  }
}

}  // namespace heed::emission
