// SPDX-License-Identifier: MIT
#include <emission/mixture_steps.h>
#include <heed/data/error.h>
#include <heed/emission/supervised.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

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

// Every cluster a component, all with the covariance within clusters: none begins collapsed.
MixtureComponents start_of(const Matrix& points, const MixtureOptions& options) {
  const auto nearest = seeded_clusters(points, options.components, options.seed);
  Matrix shares = Matrix::Zero(points.rows(), options.components);
  for (Index i = 0; i < points.rows(); ++i) shares(i, nearest[static_cast<std::size_t>(i)]) = 1;
  MixtureComponents components(static_cast<std::size_t>(options.components),
                               {.weight = 0,
                                .mean = Eigen::VectorXd::Zero(points.cols()),
                                .covariance = Matrix::Identity(points.cols(), points.cols())});
  components =
      maximised({points, shares, static_cast<double>(points.rows())}, std::move(components), options.covariance);
  Matrix within = Matrix::Zero(points.cols(), points.cols());
  for (const GaussianComponent& one : components) within += one.weight * one.covariance;
  for (GaussianComponent& one : components) one.covariance = floored(within, options.covariance);
  return components;
}

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

}  // namespace

MixtureFit fit_mixture(const Matrix& points, const MixtureOptions& options) {
  require_options(points, options);
  const Standardised standard(points);
  require_independent(standard.points, options.covariance);
  const auto windows = static_cast<double>(points.rows());
  Matrix shares(points.rows(), options.components);
  MixtureComponents components = start_of(standard.points, options);
  MixtureFit fit{.components = {},
                 .history = {share_out(standard.points, components, options.covariance, shares)},
                 .converged = false};
  for (Index iteration = 0; !fit.converged && iteration < options.max_iterations; ++iteration) {
    MixtureComponents next = maximised({standard.points, shares, windows}, components, options.covariance);
    const double before = fit.history.back();
    const double after = share_out(standard.points, next, options.covariance, shares);
    fit.converged = std::abs(after - before) <= options.relative_gain * std::max(1.0, std::abs(before));
    if (!(after >= before)) break;  // rounding at the peak
    fit.history.push_back(after);
    components = std::move(next);
  }
  // The log-likelihood in the file's own units; when to stop does not depend on them.
  const double units = windows * standard.deviation.array().log().sum();
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
