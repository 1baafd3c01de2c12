// SPDX-License-Identifier: MIT
#include <data/large_pages.h>
#include <data/text.h>
#include <emission/mixture_density.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
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
    // The difference first: where attended and unattended scores are alike it is 0, and the window an exact tie.
    value = nobody + (log_normal(value, e.mu_attended, e.sigma_attended) -
                      log_normal(value, e.mu_unattended, e.sigma_unattended));
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

void fill_window(const HardDecisionEmission& emission, std::span<const double> scores, std::span<double> result) {
  const auto largest = std::ranges::max_element(scores);
  const auto decided = static_cast<std::size_t>(largest - scores.begin());
  const bool tie = std::ranges::count(scores, *largest) > 1;
  const double wrong = std::log((1 - emission.accuracy) / static_cast<double>(scores.size() - 1));
  std::ranges::fill(result, tie ? std::numeric_limits<double>::quiet_NaN() : wrong);
  if (!tie) result[decided] = std::log(emission.accuracy);
}

void fill_window(const ProbabilityEmission& emission, std::span<const double> scores, std::span<double> result) {
  const double total = std::accumulate(scores.begin(), scores.end(), 0.0);
  const bool probabilities = std::ranges::all_of(scores, [](double p) { return p >= 0 && p <= 1; });
  if (!probabilities || !(std::abs(total - 1) <= 0.02)) {
    throw Error(ErrorKind::bad_data, "the scores must be probabilities that sum to one, but they sum to " +
                                         data::shown(total) + "; for classifier logits choose the softmax emission");
  }
  for (std::size_t j = 0; j < scores.size(); ++j) {
    result[j] = std::log(scores[j]) - (emission.class_priors.empty() ? 0 : std::log(emission.class_priors[j]));
  }
}

void fill_window(const MixtureDensity& density, std::span<const double> features, std::span<double> result) {
  for (const double feature : features) (void)transformed(feature, false);  // refuses infinite ones
  density.log_densities_into(features, result);
}

template <typename Kind>
void fill(const Kind& emission, MatrixView scores, MutableMatrixView result, Index windows_before) {
  for (Index t = 0; t < scores.rows; ++t) {
    const auto row = scores.row(t);
    if (std::ranges::any_of(row, [](double x) { return std::isnan(x); })) {
      std::ranges::fill(result.row(t), std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    try {
      fill_window(emission, row, result.row(t));
    } catch (const Error& error) {
      throw error.within("window " + std::to_string(windows_before + t + 1));
    }
  }
}

void fill(const MixtureEmission& emission, MatrixView features, MutableMatrixView result, Index windows_before) {
  fill(MixtureDensity::make(emission), features, result, windows_before);
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
                                                 " speakers' scores must lie in [" + data::shown(lowest) + ", 1)");
  }
}

void check_priors(std::span<const double> priors, Index speakers) {
  if (priors.empty()) return;
  const double total = std::accumulate(priors.begin(), priors.end(), 0.0);
  const bool positive = std::ranges::all_of(priors, [](double prior) { return prior > 0; });
  if (std::cmp_not_equal(priors.size(), speakers) || !positive || std::abs(total - 1) > 1e-6) {
    throw Error(ErrorKind::invalid_argument, "class priors must be " + std::to_string(speakers) +
                                                 " positive numbers that sum to one, one for each speaker");
  }
}

void check_one(const SoftmaxEmission& e, Index speakers) { check_priors(e.class_priors, speakers); }
void check_one(const ProbabilityEmission& e, Index speakers) { check_priors(e.class_priors, speakers); }

void check_one(const HardDecisionEmission& e, Index speakers) {
  const double chance = 1 / static_cast<double>(speakers);
  if (e.accuracy > chance && e.accuracy < 1) return;
  throw Error(ErrorKind::invalid_argument,
              "the accuracy of hard decisions is " + data::shown(e.accuracy) + "; between " + std::to_string(speakers) +
                  " speakers it must lie above chance, 1/N = " + data::shown(chance) + ", and below 1");
}

void check_one(const MixtureEmission& e, Index states) {
  if (std::cmp_equal(e.mixtures.size(), states)) return;
  throw Error(ErrorKind::invalid_argument,
              "the mixture has " + std::to_string(e.mixtures.size()) + " states, not " + std::to_string(states));
}

void check_one(const GivenLogLikelihoods&, Index) {}

void check_width(const Emission& emission, Index columns) {
  const auto* mixture = std::get_if<MixtureEmission>(&emission);
  if (mixture == nullptr || mixture->mixtures.front().empty()) return;
  const Index features = mixture->mixtures.front().front().mean.size();
  if (features == columns) return;
  throw Error(ErrorKind::bad_data, "there are " + std::to_string(columns) +
                                       " features, but the mixture was fitted to " + std::to_string(features) +
                                       "; give the same columns, or fit again");
}

}  // namespace

void check(const Emission& emission, Index speakers) {
  if (speakers < 2) throw Error(ErrorKind::invalid_argument, "attention needs at least two speakers");
  std::visit([&](const auto& e) { check_one(e, speakers); }, emission);
}

Index states_of(const Emission& emission, Index columns) noexcept {
  const auto* mixture = std::get_if<MixtureEmission>(&emission);
  return mixture == nullptr ? columns : static_cast<Index>(mixture->mixtures.size());
}

void log_likelihoods_into(const Emission& emission, MatrixView scores, MutableMatrixView result, Index windows_before) {
  check(emission, states_of(emission, scores.columns));
  check_width(emission, scores.columns);
  if (result.rows != scores.rows || result.columns != states_of(emission, scores.columns)) {
    throw Error(ErrorKind::invalid_argument, "the log-likelihoods need one row per window and one column per state");
  }
  std::visit([&](const auto& e) { fill(e, scores, result, windows_before); }, emission);
}

LogLikelihoods log_likelihoods(const Emission& emission, const Scores& scores) {
  LogLikelihoods result{Matrix(scores.values.rows(), states_of(emission, scores.values.cols())), scores.window,
                        scores.hop};
  data::prefer_large_pages(result.values.data(), static_cast<std::size_t>(result.values.size()) * sizeof(double));
  log_likelihoods_into(emission, data::view(scores.values), data::view(result.values));
  return result;
}

LogLikelihoods tempered(LogLikelihoods log_likelihoods, double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) {
    throw Error(ErrorKind::invalid_argument, "the temperature of an emission must be positive and finite");
  }
  if (temperature != 1) log_likelihoods.values /= temperature;
  return log_likelihoods;
}

}  // namespace heed::emission
