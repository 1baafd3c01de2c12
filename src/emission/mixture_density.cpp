// SPDX-License-Identifier: MIT
#include <emission/mixture_density.h>
#include <heed/data/error.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace heed::emission {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

Error not_positive() {
  return {ErrorKind::singular,
          "a covariance of the mixture is not positive definite; fit it to more windows, or with "
          "diagonal covariances"};
}

// log(e^a + e^b) of numbers that are not both -inf, or of whatever is finite.
double log_add(double a, double b) noexcept {
  const double larger = std::max(a, b);
  if (larger == minus_infinity) return larger;
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

void check_component(const GaussianComponent& component, Index features) {
  const bool shaped = component.mean.size() == features && component.covariance.rows() == features &&
                      component.covariance.cols() == features;
  if (!shaped || !component.mean.allFinite() || !component.covariance.allFinite()) {
    throw Error(ErrorKind::invalid_argument, "every component of the mixture needs " + std::to_string(features) +
                                                 " finite means and a covariance of that size");
  }
  if (!(component.weight >= 0 && component.weight <= 1)) {
    throw Error(ErrorKind::invalid_argument, "the weights of the mixture must lie in [0, 1]");
  }
}

void check_state(const std::vector<GaussianComponent>& components, Index features) {
  double total = 0;
  for (const GaussianComponent& component : components) {
    check_component(component, features);
    total += component.weight;
  }
  if (!(std::abs(total - 1) <= 1e-6)) {
    throw Error(ErrorKind::invalid_argument, "the weights of each state's mixture must sum to one");
  }
}

}  // namespace

ComponentDensity::ComponentDensity(const GaussianComponent& component, CovarianceShape shape)
    : diagonal_(shape == CovarianceShape::diagonal), mean_(component.mean) {
  if (diagonal_) {
    if (!(component.covariance.diagonal().array() > 0).all()) throw not_positive();
    whitener_ = component.covariance.diagonal().array().rsqrt().matrix();
    log_scale_ = whitener_.array().log().sum();
  } else {
    const Eigen::LLT<Matrix> factor(component.covariance);
    if (factor.info() != Eigen::Success) throw not_positive();
    whitener_ = factor.matrixL().solve(Matrix::Identity(mean_.size(), mean_.size()));
    log_scale_ = whitener_.diagonal().array().log().sum();
  }
  log_scale_ -= static_cast<double>(mean_.size()) / 2 * std::log(2 * std::numbers::pi);
  if (!std::isfinite(log_scale_)) throw not_positive();
}

double ComponentDensity::log(std::span<const double> x) const noexcept {
  double squares = 0;
  for (Index i = 0; i < mean_.size(); ++i) {
    double white = 0;
    if (diagonal_) {
      white = whitener_(i, 0) * (x[static_cast<std::size_t>(i)] - mean_(i));
    } else {
      for (Index j = 0; j <= i; ++j) white += whitener_(i, j) * (x[static_cast<std::size_t>(j)] - mean_(j));
    }
    squares += white * white;
  }
  return log_scale_ - (squares / 2);
}

MixtureDensity MixtureDensity::make(const MixtureEmission& emission) {
  MixtureDensity result;
  const auto& mixtures = emission.mixtures;
  if (mixtures.empty() || mixtures.front().empty() || mixtures.front().front().mean.size() == 0) {
    throw Error(ErrorKind::invalid_argument, "a mixture needs states, components and features");
  }
  result.features_ = mixtures.front().front().mean.size();
  for (std::size_t s = 0; s < mixtures.size(); ++s) {
    check_state(mixtures[s], result.features_);
    std::vector<Weighted> state;
    try {
      for (const GaussianComponent& component : mixtures[s]) {
        state.push_back({std::log(component.weight), ComponentDensity(component, emission.shape)});
      }
    } catch (const Error& error) {
      throw error.within("state " + (s < emission.states.size() ? emission.states[s] : std::to_string(s + 1)));
    }
    result.states_.push_back(std::move(state));
  }
  return result;
}

void MixtureDensity::log_densities_into(std::span<const double> x, std::span<double> result) const noexcept {
  for (std::size_t s = 0; s < states_.size(); ++s) {
    double sum = minus_infinity;
    for (const Weighted& one : states_[s]) {
      if (one.log_weight > minus_infinity) sum = log_add(sum, one.log_weight + one.density.log(x));
    }
    result[s] = sum;
  }
}

}  // namespace heed::emission
