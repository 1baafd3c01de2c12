// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/emission/transform.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace heed::emission {
namespace {

double log_normal(double x, double mu, double sigma) noexcept {
  const double standardised = (x - mu) / sigma;
  constexpr double half_log_two_pi = 0.91893853320467274178;
  return -(standardised * standardised / 2) - std::log(sigma) - half_log_two_pi;
}

void gaussian_window(const GaussianEmission& e, std::span<double> z) noexcept {
  if (e.spread == Spread::exchangeable) {
    const double slope =
        (e.mu_attended - e.mu_unattended) / (e.sigma_attended * e.sigma_attended * (1 - e.correlation));
    for (double& value : z) value *= slope;
    return;
  }
  double nobody = 0;  // log-density if no speaker were attended
  for (const double value : z) nobody += log_normal(value, e.mu_unattended, e.sigma_unattended);
  for (double& value : z) {
    value = nobody + log_normal(value, e.mu_attended, e.sigma_attended) -
            log_normal(value, e.mu_unattended, e.sigma_unattended);
  }
}

void fill_window(const GaussianEmission& emission, std::span<const double> scores, std::span<double> result) {
  std::ranges::transform(scores, result.begin(), [&](double score) { return transformed(score, emission.fisher); });
  gaussian_window(emission, result);
}

void fill_window(const SoftmaxEmission& emission, std::span<const double> scores, std::span<double> result) {
  for (std::size_t j = 0; j < scores.size(); ++j) {
    result[j] =
        transformed(scores[j], false) - (emission.class_priors.empty() ? 0 : std::log(emission.class_priors[j]));
  }
}

void fill_window(const GivenLogLikelihoods&, std::span<const double> scores, std::span<double> result) {
  std::ranges::copy(scores, result.begin());
}

template <typename Kind>
void fill(const Kind& emission, MatrixView scores, MutableMatrixView result) {
  for (Index t = 0; t < scores.rows; ++t) {
    const auto row = scores.row(t);
    if (std::ranges::any_of(row, [](double x) { return std::isnan(x); })) {
      std::ranges::fill(result.row(t), std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    try {
      fill_window(emission, row, result.row(t));
    } catch (const Error& error) {
      throw error.within("window " + std::to_string(t + 1));
    }
  }
}

void check_one(const GaussianEmission& e, Index speakers) {
  const bool finite = std::isfinite(e.mu_attended) && std::isfinite(e.mu_unattended) &&
                      std::isfinite(e.sigma_attended) && std::isfinite(e.sigma_unattended);
  if (!finite) throw Error(ErrorKind::invalid_argument, "mu and sigma of the emission must be finite numbers");
  if (!(e.sigma_attended > 0) || !(e.sigma_unattended > 0)) {
    throw Error(ErrorKind::invalid_argument, "sigma of the emission must be greater than 0");
  }
  const double lowest = -1 / static_cast<double>(speakers - 1);
  if (!(e.correlation >= lowest - 1e-12 && e.correlation < 1)) {
    throw Error(ErrorKind::invalid_argument, "the correlation between " + std::to_string(speakers) +
                                                 " speakers' scores must lie in [" + std::to_string(lowest) + ", 1)");
  }
}

void check_one(const SoftmaxEmission& e, Index speakers) {
  if (e.class_priors.empty()) return;
  const double total = std::accumulate(e.class_priors.begin(), e.class_priors.end(), 0.0);
  const bool positive = std::ranges::all_of(e.class_priors, [](double prior) { return prior > 0; });
  if (std::cmp_not_equal(e.class_priors.size(), speakers) || !positive || std::abs(total - 1) > 1e-6) {
    throw Error(ErrorKind::invalid_argument, "class priors must be " + std::to_string(speakers) +
                                                 " positive numbers that sum to one, one a speaker");
  }
}

void check_one(const GivenLogLikelihoods&, Index) {}

}  // namespace

void check(const Emission& emission, Index speakers) {
  if (speakers < 2) throw Error(ErrorKind::invalid_argument, "attention needs at least two speakers");
  std::visit([&](const auto& e) { check_one(e, speakers); }, emission);
}

void log_likelihoods_into(const Emission& emission, MatrixView scores, MutableMatrixView result) {
  check(emission, scores.columns);
  std::visit([&](const auto& e) { fill(e, scores, result); }, emission);
}

LogLikelihoods log_likelihoods(const Emission& emission, const Scores& scores) {
  LogLikelihoods result{Matrix(scores.values.rows(), scores.values.cols()), scores.window};
  log_likelihoods_into(emission, data::view(scores.values), data::view(result.values));
  return result;
}

}  // namespace heed::emission
