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
#include <numbers>
#include <utility>

namespace heed::emission {
namespace {

constexpr double highest_autocorrelation = 0.999;

// What an exchangeable emission leaves out of its evidence and a likelihood that grows cannot: the density of the
// scores' differences from their mean.
double common_density(const GaussianEmission& e, double phi, std::span<const double> z,
                      std::span<const double> before) {
  const auto n = static_cast<double>(z.size());
  const double variance = e.sigma_attended * e.sigma_attended * (1 - (phi * phi)) * (1 - e.correlation);
  const double distance = e.mu_attended - e.mu_unattended;
  double mean = 0;
  double squares = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double news = z[k] - (before.empty() ? 0 : phi * before[k]);
    mean += news / n;
    squares += news * news;
  }
  squares -= n * mean * mean;
  const double kept = 1 - phi;
  const double means = distance * distance * (1 + (phi * phi) - (kept * kept / n));
  return -(distance * kept * mean / variance) - ((squares + means) / (2 * variance)) -
         ((n - 1) / 2 * std::log(2 * std::numbers::pi * variance));
}

// Sums of one E-step, from which the parameters follow.
struct Expected {
  ScoreMoments moments{};
  double pair_products = 0;  // of the noise of neighbouring windows
  double pair_squares = 0;   // sqrt of both is taken at the end: earlier and later ones
  double log_evidence = 0;
};

class AutoregressiveStep {
 public:
  AutoregressiveStep(std::vector<Matrix> trials, const hmm::Chain& chain) : trials_(std::move(trials)), chain_(chain) {
    Index longest = 1;
    for (const Matrix& trial : trials_) longest = std::max(longest, trial.rows());
    posteriors_.resize(longest, chain.states());
    stays_.resize(static_cast<std::size_t>(longest));
    arriving_.resize(static_cast<std::size_t>(chain.states()));
    departing_.resize(arriving_.size());
  }

  [[nodiscard]] Expected expect(const DependentGaussian& model) {
    Expected sums{.moments = {.speakers = static_cast<double>(model.speakers())}};
    for (const Matrix& z : trials_) {
      run(model, z, sums);
      add(model.emission(), z, sums);
    }
    return sums;
  }

 private:
  // Leaves posteriors_ and stays_.
  void run(const DependentGaussian& model, const Matrix& z, Expected& sums) {
    hmm::TransitionStream stream(chain_, std::max<Index>(z.rows() - 1, 0));
    DependentWindows windows(model);
    const GaussianEmission& emission = model.emission();
    Index before = -1;
    for (Index t = 0; t < z.rows(); ++t) {
      if (z.row(t).hasNaN()) {
        stream.hold();
        continue;
      }
      const Index hops = stream.hops();
      const auto earlier = data::view(z).row(std::max<Index>(before, 0));
      stream.step(windows.evidence(data::view(z).row(t), earlier, hops, 0, {arriving_, departing_}));
      sums.log_evidence += stream.log_evidence();
      if (emission.spread == Spread::exchangeable) {
        const double phi = std::pow(model.dependence().autocorrelation, static_cast<double>(hops));
        sums.log_evidence += hops == 0 ? common_density(emission, 0, data::view(z).row(t), {})
                                       : common_density(emission, phi, data::view(z).row(t), earlier);
      }
      before = t;
    }
    stream.look_back_on_last(data::view(posteriors_).middle_rows(0, z.rows()),
                             std::span(stays_).first(static_cast<std::size_t>(z.rows())));
  }

  // E[sum_k n_k(t-1) n_k(t)] needs no more of the pair than whether attention stayed:
  // sum_k (a_k - D [k = i]) (b_k - D [k = j]) = sum a b - D b_i - D a_j + D^2 [i = j].
  void add(const GaussianEmission& e, const Matrix& z, Expected& sums) {
    const double distance = e.mu_attended - e.mu_unattended;
    for (Index t = 0; t < z.rows(); ++t) {
      if (z.row(t).hasNaN()) continue;
      add_window(sums.moments, data::view(z).row(t), data::view(posteriors_).row(t));
      const double stayed = stays_[static_cast<std::size_t>(t)];
      if (std::isnan(stayed)) continue;
      const Eigen::ArrayXd earlier = z.row(t - 1).array() - e.mu_unattended;
      const Eigen::ArrayXd later = z.row(t).array() - e.mu_unattended;
      const Eigen::ArrayXd from = posteriors_.row(t - 1).array();
      const Eigen::ArrayXd to = posteriors_.row(t).array();
      sums.pair_products += (earlier * later).sum() - (distance * ((later * from).sum() + (earlier * to).sum())) +
                            (distance * distance * stayed);
      const auto squares = [&](const Eigen::ArrayXd& noise, const Eigen::ArrayXd& posterior) {
        return noise.square().sum() - (2 * distance * (noise * posterior).sum()) + (distance * distance);
      };
      sums.pair_squares += (squares(earlier, from) + squares(later, to)) / 2;
    }
  }

  std::vector<Matrix> trials_;
  hmm::Chain chain_;
  Matrix posteriors_;
  std::vector<double> stays_;
  std::vector<double> arriving_;
  std::vector<double> departing_;
};

std::vector<Matrix> transformed_trials(std::span<const ScoredParticipant> participants, bool fisher) {
  std::vector<Matrix> trials;
  for (const ScoredParticipant& participant : participants) {
    for (const ScoredTrial& trial : participant.trials) {
      Matrix& z = trials.emplace_back(trial.scores.values);
      for (double& value : std::span(z.data(), static_cast<std::size_t>(z.size()))) {
        if (!std::isnan(value)) value = transformed(value, fisher);
      }
    }
  }
  return trials;
}

}  // namespace

DependentFit fit_without_labels(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                const GaussianEmission& start, const DependentFitOptions& options,
                                const std::function<void()>& each_iteration) {
  AutoregressiveStep step(transformed_trials(participants, options.fisher), chain);
  DependentFit fit{.emission = start};
  const auto model_of = [&](GaussianEmission emission, const Dependence& dependence) {
    emission.fisher = false;  // the scores are transformed already
    return DependentGaussian::make(emission, dependence, chain.states());
  };
  Expected expected = step.expect(model_of(fit.emission, fit.dependence));
  fit.history.push_back(expected.log_evidence);
  for (Index k = 0; k < options.max_iterations && !fit.converged; ++k) {
    if (each_iteration) each_iteration();
    const auto next = tied_gaussian(expected.moments, {.fisher = options.fisher, .spread = options.spread});
    if (!next) throw Error(ErrorKind::singular, "the scores do not vary, so no emission can be fitted to them");
    const double phi = std::clamp(expected.pair_products / expected.pair_squares, 0.0, highest_autocorrelation);
    const Dependence dependence{.autocorrelation = phi};
    Expected after = step.expect(model_of(*next, dependence));
    const double gain = after.log_evidence - expected.log_evidence;
    fit.converged = std::abs(gain) <= options.relative_gain * std::max(1.0, std::abs(expected.log_evidence));
    if (!(gain >= 0)) break;  // the means do not know of phi, so that the last steps may go astray
    fit.emission = *next;
    fit.dependence = dependence;
    fit.history.push_back(after.log_evidence);
    expected = after;
  }
  return fit;
}

}  // namespace heed::emission
