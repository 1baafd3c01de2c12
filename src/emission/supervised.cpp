// SPDX-License-Identifier: MIT
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/supervised.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace heed::emission {
namespace {

void add_trial(ScoreMoments& sums, const ScoredTrial& trial, bool use_fisher) {
  const Matrix& values = trial.scores.values;
  std::vector<double> z(static_cast<std::size_t>(values.cols()));
  std::vector<double> certain(z.size());
  for (Index t = 0; t < values.rows(); ++t) {
    const Speaker attended = trial.attention.attended[static_cast<std::size_t>(t)];
    const auto row = data::view(values).row(t);
    const bool complete = std::ranges::all_of(row, [](double x) { return std::isfinite(x); });
    if (attended == unknown_speaker || !complete) continue;
    try {
      std::ranges::transform(row, z.begin(), [&](double x) { return transformed(x, use_fisher); });
    } catch (const Error& error) {
      throw error.within((trial.name.empty() ? "" : "trial " + trial.name + ": ") + "window " + std::to_string(t + 1));
    }
    std::ranges::fill(certain, 0.0);
    certain[static_cast<std::size_t>(attended)] = 1;
    add_window(sums, z, certain);
  }
}

// Sum of (z - mu)^2 from the sums of z and z^2 over n values.
double squares_around(double mu, double sum, double squares, double n) {
  return std::max(0.0, squares - (2 * mu * sum) + (n * mu * mu));
}

struct Variances {
  double attended = 0;
  double unattended = 0;
  double all = 0;
  double covariance = 0;  // of two speakers of a window
};

Variances variances_around(const GaussianEmission& mean, const ScoreMoments& m) {
  const double others = m.speakers - 1;
  const double attended = squares_around(mean.mu_attended, m.attended, m.attended_squares, m.windows);
  const double unattended = squares_around(mean.mu_unattended, m.unattended, m.unattended_squares, m.windows * others);
  const double centre = mean.mu_attended + (others * mean.mu_unattended);
  const double together = squares_around(centre, m.window_sum, m.window_sum_squares, m.windows);
  return {attended / m.windows, unattended / (m.windows * others), (attended + unattended) / (m.windows * m.speakers),
          (together - attended - unattended) / (m.windows * m.speakers * others)};
}

double correlation_of(const Variances& mean, double speakers) {
  return std::max(mean.covariance / mean.all, -1 / (speakers - 1));
}

// Of scores that are all the same, rounding leaves a little of the squares.
bool varies(double sigma, const GaussianEmission& mean) noexcept {
  return sigma > 1e-6 * std::max(std::abs(mean.mu_attended), std::abs(mean.mu_unattended));
}

void set_spread(GaussianEmission& emission, const Variances& mean, double speakers) {
  const bool separate = emission.spread == Spread::separate;
  emission.sigma_attended = std::sqrt(separate ? mean.attended : mean.all);
  emission.sigma_unattended = std::sqrt(separate ? mean.unattended : mean.all);
  if (!varies(emission.sigma_attended, emission) || !varies(emission.sigma_unattended, emission)) {
    throw Error(ErrorKind::singular, "the labelled scores do not vary, so no emission can be fitted to them");
  }
  if (emission.spread != Spread::exchangeable) return;
  emission.correlation = correlation_of(mean, speakers);
  if (emission.correlation > 1 - 1e-9) {
    throw Error(ErrorKind::singular, "every speaker has the same score, so the scores cannot tell them apart");
  }
}

// What an emission is made from.
struct Fit {
  GaussianEmission emission{};  // its means alone
  Variances variances{};        // means over participants
  double speakers = 0;
  double participants = 0;  // with a labelled window
};

Fit means_and_variances(std::span<const ScoreMoments> participants) noexcept {
  Fit fit;
  for (const ScoreMoments& m : participants) {
    if (m.windows == 0) continue;
    fit.participants += 1;
    fit.speakers = m.speakers;
    fit.emission.mu_attended += m.attended / m.windows;
    fit.emission.mu_unattended += m.unattended / (m.windows * (m.speakers - 1));
  }
  fit.emission.mu_attended /= fit.participants;
  fit.emission.mu_unattended /= fit.participants;
  for (const ScoreMoments& m : participants) {
    if (m.windows == 0) continue;
    const Variances one = variances_around(fit.emission, m);
    fit.variances.attended += one.attended / fit.participants;
    fit.variances.unattended += one.unattended / fit.participants;
    fit.variances.all += one.all / fit.participants;
    fit.variances.covariance += one.covariance / fit.participants;
  }
  return fit;
}

bool columns_repeat(const Variances& variances, double speakers) noexcept {
  constexpr double share = 0.9;  // of the lowest correlation that N columns can have
  return variances.covariance < -share / (speakers - 1) * variances.all;
}

Spread spread_of(const FitOptions& options, const Variances& variances, double speakers) noexcept {
  return options.spread.value_or(columns_repeat(variances, speakers) ? Spread::exchangeable : Spread::shared);
}

}  // namespace

void add_window(ScoreMoments& sums, std::span<const double> z, std::span<const double> posterior) noexcept {
  double window_sum = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    window_sum += z[j];
    const double square = z[j] * z[j];
    sums.attended += posterior[j] * z[j];
    sums.attended_squares += posterior[j] * square;
    sums.unattended += (1 - posterior[j]) * z[j];
    sums.unattended_squares += (1 - posterior[j]) * square;
  }
  sums.windows += 1;
  sums.window_sum += window_sum;
  sums.window_sum_squares += window_sum * window_sum;
}

ScoreMoments sum(const ScoreMoments& a, const ScoreMoments& b) {
  if (a.speakers != b.speakers) {
    throw Error(ErrorKind::invalid_argument, "scores of different numbers of speakers cannot be added");
  }
  return {.windows = a.windows + b.windows,
          .speakers = a.speakers,
          .attended = a.attended + b.attended,
          .attended_squares = a.attended_squares + b.attended_squares,
          .unattended = a.unattended + b.unattended,
          .unattended_squares = a.unattended_squares + b.unattended_squares,
          .window_sum = a.window_sum + b.window_sum,
          .window_sum_squares = a.window_sum_squares + b.window_sum_squares};
}

void scale(ScoreMoments& sums, double factor) noexcept {
  for (double* sum : {&sums.windows, &sums.attended, &sums.attended_squares, &sums.unattended, &sums.unattended_squares,
                      &sums.window_sum, &sums.window_sum_squares}) {
    *sum *= factor;
  }
}

std::optional<GaussianEmission> tied_gaussian(const ScoreMoments& sums, const FitOptions& options) noexcept {
  if (!(sums.windows > 0)) return std::nullopt;
  GaussianEmission result{.fisher = options.fisher};
  result.mu_attended = sums.attended / sums.windows;
  result.mu_unattended = sums.unattended / (sums.windows * (sums.speakers - 1));
  const Variances variances = variances_around(result, sums);
  const double sigma = std::sqrt(variances.all);
  if (!varies(sigma, result) || !std::isfinite(sigma)) return std::nullopt;
  result.sigma_attended = result.sigma_unattended = sigma;
  result.spread = spread_of(options, variances, sums.speakers);
  if (result.spread == Spread::exchangeable) result.correlation = correlation_of(variances, sums.speakers);
  return result;
}

ScoreMoments moments(const ScoredParticipant& participant, bool use_fisher) {
  ScoreMoments sums;
  sums.speakers = static_cast<double>(participant.speakers.size());
  for (const ScoredTrial& trial : participant.trials) add_trial(sums, trial, use_fisher);
  return sums;
}

GaussianEmission fit_gaussian(std::span<const ScoreMoments> participants, const FitOptions& options) {
  Fit fit = means_and_variances(participants);
  if (fit.participants == 0) {
    throw Error(ErrorKind::bad_data,
                "there is no labelled window to fit the emission to; the column 'attended' must name a speaker");
  }
  fit.emission.fisher = options.fisher;
  fit.emission.spread = spread_of(options, fit.variances, fit.speakers);
  set_spread(fit.emission, fit.variances, fit.speakers);
  return fit.emission;
}

bool columns_repeat(std::span<const ScoreMoments> participants) noexcept {
  const Fit fit = means_and_variances(participants);
  return fit.participants > 0 && columns_repeat(fit.variances, fit.speakers);
}

}  // namespace heed::emission
