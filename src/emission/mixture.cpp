// SPDX-License-Identifier: MIT
#include <emission/mixture_density.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/emission/supervised.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

using Components = std::vector<GaussianComponent>;

Matrix covariance_of(const Matrix& residuals, const Eigen::VectorXd& weights) {
  return residuals.transpose() * weights.asDiagonal() * residuals / weights.sum();
}

// The largest likelihood among covariances of which no direction has less than the floor: raising the short axes of
// the free maximum, and nothing else, reaches it. So EM still never goes down.
Matrix floored(const Matrix& covariance, CovarianceShape shape) {
  if (shape == CovarianceShape::diagonal) {
    return covariance.diagonal().cwiseMax(covariance_floor).asDiagonal();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(covariance);
  if (axes.eigenvalues()(0) >= covariance_floor) return covariance;
  return axes.eigenvectors() * axes.eigenvalues().cwiseMax(covariance_floor).asDiagonal() *
         axes.eigenvectors().transpose();
}

// Features of mean 0 and variance 1: the floor then means the same for all.
struct Standardised {
  Matrix points;
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;

  explicit Standardised(const Matrix& raw) : points(raw), mean(raw.colwise().mean().transpose()) {
    points.rowwise() -= mean.transpose();
    deviation = (points.array().square().colwise().mean()).sqrt().transpose();
    for (Index d = 0; d < deviation.size(); ++d) {
      if (!(deviation(d) > 1e-12 * std::abs(mean(d))) || !std::isfinite(deviation(d))) {
        throw Error(ErrorKind::singular, "feature " + std::to_string(d + 1) + " does not vary; leave it out");
      }
    }
    points.array().rowwise() /= deviation.transpose().array();
  }

  // Back to the units of the file; symmetric to the last bit.
  [[nodiscard]] GaussianComponent restored(const GaussianComponent& component) const {
    const Matrix covariance = deviation.asDiagonal() * component.covariance * deviation.asDiagonal();
    return {.weight = component.weight,
            .mean = (component.mean.array() * deviation.array()).matrix() + mean,
            .covariance = (covariance + covariance.transpose()) / 2};
  }
};

void require_independent(const Matrix& points, CovarianceShape shape) {
  if (shape == CovarianceShape::diagonal) return;
  const Matrix covariance = points.transpose() * points / static_cast<double>(points.rows());
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(covariance, Eigen::EigenvaluesOnly);
  if (axes.eigenvalues()(0) >= covariance_floor) return;
  throw Error(ErrorKind::singular, "the covariance of " + std::to_string(points.cols()) + " features over " +
                                       std::to_string(points.rows()) +
                                       " windows is singular: some features depend on others, or there are too few "
                                       "windows; leave features out, or use diagonal covariances");
}

void require_options(const Matrix& points, const MixtureOptions& options) {
  const auto reject = [](ErrorKind kind, const std::string& message) { throw Error(kind, message); };
  if (options.components < 1) reject(ErrorKind::invalid_argument, "a mixture needs at least one component");
  if (!(options.relative_gain >= 0) || options.max_iterations < 0) {
    reject(ErrorKind::invalid_argument, "relative_gain and max_iterations of a mixture must not be negative");
  }
  if (points.cols() < 1) reject(ErrorKind::invalid_argument, "a mixture needs at least one feature");
  if (!points.allFinite()) reject(ErrorKind::bad_data, "the features must be finite numbers");
  // Fewer, and a component would sit on points that leave its covariance without a direction.
  const bool diagonal = options.covariance == CovarianceShape::diagonal;
  const Index each = options.components == 1 ? 1 : (diagonal ? 2 : points.cols() + 1);
  if (points.rows() < options.components * each) {
    reject(ErrorKind::bad_data, std::to_string(points.rows()) + " labelled windows for a mixture of " +
                                    std::to_string(options.components) + " components, which needs at least " +
                                    std::to_string(options.components * each) +
                                    "; give more windows or fewer components");
  }
}

// k-means++ (Arthur and Vassilvitskii 2007): each next centre is drawn far from those before it.
// Returns the nearest centre of every point.
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

class Expectation {
 public:
  Expectation(const Matrix& points, const MixtureOptions& options)
      : points_(points), options_(options), shares_(points.rows(), options.components) {}

  // Every cluster a component, all with the covariance within clusters: none begins collapsed.
  Components start() {
    const auto nearest = seeded_clusters(points_, options_.components, options_.seed);
    shares_.setZero();
    for (Index i = 0; i < points_.rows(); ++i) shares_(i, nearest[static_cast<std::size_t>(i)]) = 1;
    Components components(static_cast<std::size_t>(options_.components),
                          {.weight = 0,
                           .mean = Eigen::VectorXd::Zero(points_.cols()),
                           .covariance = Matrix::Identity(points_.cols(), points_.cols())});
    components = maximise(components);
    Matrix within = Matrix::Zero(points_.cols(), points_.cols());
    for (const GaussianComponent& one : components) within += one.weight * one.covariance;
    for (GaussianComponent& one : components) one.covariance = floored(within, options_.covariance);
    return components;
  }

  // How much of each point belongs to each component. Returns the log-likelihood.
  double expect(const Components& components) {
    double total = 0;
    std::vector<ComponentDensity> densities;
    for (const GaussianComponent& one : components) densities.emplace_back(one, options_.covariance);
    for (Index i = 0; i < points_.rows(); ++i) {
      for (std::size_t c = 0; c < components.size(); ++c) {
        shares_(i, static_cast<Index>(c)) =
            std::log(components[c].weight) + densities[c].log(data::view(points_).row(i));
      }
      const double largest = shares_.row(i).maxCoeff();
      shares_.row(i) = (shares_.row(i).array() - largest).exp();
      const double sum = shares_.row(i).sum();
      shares_.row(i) /= sum;
      total += largest + std::log(sum);
    }
    return total;
  }

  // A component that nothing belongs to stays where it was, with weight 0.
  [[nodiscard]] Components maximise(Components components) const {
    for (std::size_t c = 0; c < components.size(); ++c) {
      const Eigen::VectorXd share = shares_.col(static_cast<Index>(c));
      const double points = share.sum();
      components[c].weight = points / static_cast<double>(points_.rows());
      if (!(points > 1e-100)) continue;
      components[c].mean = points_.transpose() * share / points;
      const Matrix residuals = points_.rowwise() - components[c].mean.transpose();
      components[c].covariance = floored(covariance_of(residuals, share), options_.covariance);
    }
    return components;
  }

 private:
  const Matrix& points_;
  const MixtureOptions& options_;
  Matrix shares_;  // points x components
};

bool is_labelled(const ScoredTrial& trial, Index t, std::size_t state) {
  const Speaker attended = trial.attention.attended[static_cast<std::size_t>(t)];
  return std::cmp_equal(attended, state) && !trial.scores.values.row(t).hasNaN();
}

// windows x features: all labelled, complete windows of one state.
Matrix points_of(std::span<const ScoredParticipant> participants, std::size_t state, Index features) {
  std::vector<double> values;
  for (const ScoredParticipant& participant : participants) {
    for (const ScoredTrial& trial : participant.trials) {
      for (Index t = 0; t < trial.scores.values.rows(); ++t) {
        if (!is_labelled(trial, t, state)) continue;
        const auto row = data::view(trial.scores.values).row(t);
        values.insert(values.end(), row.begin(), row.end());
      }
    }
  }
  return Eigen::Map<const Matrix>(values.data(), std::ssize(values) / features, features);
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

}  // namespace

MixtureFit fit_mixture(const Matrix& points, const MixtureOptions& options) {
  require_options(points, options);
  const Standardised standard(points);
  require_independent(standard.points, options.covariance);
  Expectation step(standard.points, options);
  Components components = step.start();
  MixtureFit fit{.components = {}, .history = {step.expect(components)}, .converged = false};
  for (Index iteration = 0; !fit.converged && iteration < options.max_iterations; ++iteration) {
    Components next = step.maximise(components);
    const double before = fit.history.back();
    const double after = step.expect(next);
    fit.converged = std::abs(after - before) <= options.relative_gain * std::max(1.0, std::abs(before));
    if (!(after >= before)) break;  // rounding at the peak
    fit.history.push_back(after);
    components = std::move(next);
  }
  // The log-likelihood in the file's own units; when to stop does not depend on them.
  const double units = static_cast<double>(points.rows()) * standard.deviation.array().log().sum();
  for (double& value : fit.history) value -= units;
  for (const GaussianComponent& one : components) fit.components.push_back(standard.restored(one));
  return fit;
}

MixtureEmission fit_mixtures(std::span<const ScoredParticipant> participants, const MixtureOptions& options) {
  require_alike(participants);
  const ScoredParticipant& first = participants.front();
  MixtureEmission emission{
      .shape = options.covariance, .states = first.speakers, .features = feature_names(first), .mixtures = {}};
  for (std::size_t state = 0; state < emission.states.size(); ++state) {
    const Matrix points = points_of(participants, state, std::ssize(emission.features));
    if (points.rows() == 0) {
      throw Error(ErrorKind::bad_data,
                  "state " + emission.states[state] +
                      " is never attended in a complete, labelled window, so nothing is known about its features; give "
                      "windows in which it is attended, or leave the state out");
    }
    try {
      emission.mixtures.push_back(fit_mixture(points, options).components);
    } catch (const Error& error) {
      throw error.within("state " + emission.states[state]);
    }
  }
  return emission;
}

}  // namespace heed::emission
