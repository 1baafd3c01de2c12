// SPDX-License-Identifier: MIT
#include <emission/dependent_windows.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/dependence.h>
#include <heed/emission/supervised.h>
#include <hmm/transition_stream.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// The nearest to 1 that a fit takes; beyond it scores stand still.
constexpr double highest_autocorrelation = 0.999;

// A trial's scores in the domain where they are normal, and who was attended; rows that lack either hold NaN.
struct LabelledScores {
  Matrix z;
  std::vector<Speaker> attended;
};

LabelledScores labelled_scores(const ScoredTrial& trial, bool fisher) {
  LabelledScores result{trial.scores.values, trial.attention.attended};
  for (Index t = 0; t < result.z.rows(); ++t) {
    const bool known = result.attended[static_cast<std::size_t>(t)] != unknown_speaker;
    if (!known || result.z.row(t).hasNaN()) {
      result.z.row(t).setConstant(nan);
      continue;
    }
    for (double& value : data::view(result.z).row(t)) value = transformed(value, fisher);
  }
  return result;
}

struct ClassMeans {
  double attended = 0;
  double unattended = 0;
};

ClassMeans means_of(std::span<const LabelledScores> trials) {
  ClassMeans sums;
  double windows = 0;
  double others = 0;
  for (const LabelledScores& trial : trials) {
    for (Index t = 0; t < trial.z.rows(); ++t) {
      if (trial.z.row(t).hasNaN()) continue;
      const double attended = trial.z(t, trial.attended[static_cast<std::size_t>(t)]);
      sums.attended += attended;
      sums.unattended += trial.z.row(t).sum() - attended;
      windows += 1;
      others += static_cast<double>(trial.z.cols() - 1);
    }
  }
  return windows == 0 ? ClassMeans{} : ClassMeans{sums.attended / windows, sums.unattended / others};
}

// Every score less the mean of its class.
Matrix noise_of(const LabelledScores& trial, const ClassMeans& means) {
  Matrix noise = trial.z.array() - means.unattended;
  for (Index t = 0; t < noise.rows(); ++t) {
    if (!noise.row(t).hasNaN()) {
      noise(t, trial.attended[static_cast<std::size_t>(t)]) -= means.attended - means.unattended;
    }
  }
  return noise;
}

void add_neighbours(const Matrix& noise, DependenceMoments& sums) {
  for (Index t = 1; t < noise.rows(); ++t) {
    if (noise.row(t - 1).hasNaN() || noise.row(t).hasNaN()) continue;
    sums.products += noise.row(t - 1).dot(noise.row(t));
    sums.earlier_squares += noise.row(t - 1).squaredNorm();
    sums.later_squares += noise.row(t).squaredNorm();
  }
}

// The difference of two speakers' noise: around its mean in the trial, and that mean.
void add_trial(const Matrix& noise, DependenceMoments& sums) {
  double mean = 0;
  double count = 0;
  for (Index t = 0; t < noise.rows(); ++t) {
    if (!noise.row(t).hasNaN()) mean += (noise(t, 0) - noise(t, 1) - mean) / ++count;
  }
  if (count < 2) return;
  double before = nan;
  for (Index t = 0; t < noise.rows(); ++t) {
    const double now = noise(t, 0) - noise(t, 1) - mean;
    if (!std::isnan(now)) sums.squares += now * now;
    if (!std::isnan(now + before)) {
      sums.trial_products += before * now;
      sums.trial_earlier_squares += before * before;
      sums.trial_later_squares += now * now;
    }
    before = now;
  }
  sums.windows += count;
  sums.trials += 1;
  sums.means += mean;
  sums.mean_squares += mean * mean;
  sums.inverse_lengths += 1 / count;
}

// Below 0 there is nothing that counts too much: as independent.
double correlation(double products, double earlier, double later) {
  if (!(earlier > 0 && later > 0)) {
    throw Error(ErrorKind::bad_data,
                "no two neighbouring windows have labels and scores that vary, so it is not known how much they repeat "
                "each other; choose the dependence none");
  }
  return std::clamp(products / std::sqrt(earlier * later), 0.0, highest_autocorrelation);
}

template <typename Step>
void each_moment(DependenceMoments& a, const DependenceMoments& b, const Step& step) noexcept {
  for (const auto field :
       {&DependenceMoments::products, &DependenceMoments::earlier_squares, &DependenceMoments::later_squares,
        &DependenceMoments::trial_products, &DependenceMoments::trial_earlier_squares,
        &DependenceMoments::trial_later_squares, &DependenceMoments::squares, &DependenceMoments::windows,
        &DependenceMoments::trials, &DependenceMoments::means, &DependenceMoments::mean_squares,
        &DependenceMoments::inverse_lengths}) {
    step(a.*field, b.*field);
  }
}

}  // namespace

DependenceMoments& DependenceMoments::operator+=(const DependenceMoments& other) noexcept {
  each_moment(*this, other, [](double& a, double b) { a += b; });
  return *this;
}

DependenceMoments& DependenceMoments::operator-=(const DependenceMoments& other) noexcept {
  each_moment(*this, other, [](double& a, double b) { a -= b; });
  return *this;
}

DependenceMoments dependence_moments(const ScoredParticipant& participant, bool fisher) {
  std::vector<LabelledScores> trials;
  for (const ScoredTrial& trial : participant.trials) trials.push_back(labelled_scores(trial, fisher));
  const ClassMeans means = means_of(trials);
  DependenceMoments sums;
  for (const LabelledScores& trial : trials) {
    const Matrix noise = noise_of(trial, means);
    add_neighbours(noise, sums);
    if (noise.cols() == 2) add_trial(noise, sums);
  }
  return sums;
}

Dependence fit_autocorrelation(const DependenceMoments& sums) {
  return {.autocorrelation = correlation(sums.products, sums.earlier_squares, sums.later_squares)};
}

OffsetFit fit_offset(const GaussianEmission& emission, const DependenceMoments& sums, Index speakers) {
  if (speakers != 2) {
    throw Error(ErrorKind::unsupported, "an offset is a bias between two speakers, not " + std::to_string(speakers) +
                                            "; choose the dependence ar1, which any number can have");
  }
  if (sums.trials < fewest_offset_trials) {
    throw Error(ErrorKind::bad_data, "an offset that differs from trial to trial cannot be learnt from " +
                                         std::to_string(std::lround(sums.trials)) + " labelled trials; give at least " +
                                         std::to_string(std::lround(fewest_offset_trials)) +
                                         ", or choose the dependence ar1");
  }
  const double phi = correlation(sums.trial_products, sums.trial_earlier_squares, sums.trial_later_squares);
  const double inside = sums.squares / sums.windows;
  // How much the mean of a trial varies by its noise alone; it is missing from the spread inside.
  const double by_chance = inside * (1 + phi) / (1 - phi) * sums.inverse_lengths / sums.trials;
  const double mean = sums.means / sums.trials;
  const double between = (sums.mean_squares / sums.trials) - (mean * mean);
  OffsetFit fit{.emission = emission};
  fit.dependence = {.autocorrelation = phi, .offset_sigma = std::sqrt(std::max(between - by_chance, 1e-4 * inside))};
  const double sigma = std::sqrt((inside + by_chance) / (2 * (1 - emission.correlation)));
  fit.emission.sigma_attended = fit.emission.sigma_unattended = sigma;
  return fit;
}

}  // namespace heed::emission
