// SPDX-License-Identifier: MIT
#include <emission/baum_welch_rounds.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/emission/supervised.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

// Scores in the domain where they are normal; a window that lacks one keeps its NaN.
Scores transformed_scores(const ScoredTrial& trial, bool fisher) {
  Scores result = trial.scores;
  for (Index t = 0; t < result.values.rows(); ++t) {
    if (result.values.row(t).hasNaN()) continue;
    try {
      for (double& value : data::view(result.values).row(t)) value = transformed(value, fisher);
    } catch (const Error& error) {
      throw error.within((trial.name.empty() ? "" : "trial " + trial.name + ": ") + "window " + std::to_string(t + 1));
    }
  }
  return result;
}

std::vector<Scores> all_trials(std::span<const ScoredParticipant> participants, bool fisher) {
  std::vector<Scores> trials;
  for (const ScoredParticipant& participant : participants) {
    const ScoredParticipant& first = participants.front();
    if (!participant.features.empty() || participant.speakers.size() != first.speakers.size()) {
      throw Error(ErrorKind::bad_data,
                  "a fit without labels needs one score for each speaker, and the same number of speakers throughout");
    }
    try {
      for (const ScoredTrial& trial : participant.trials) trials.push_back(transformed_scores(trial, fisher));
    } catch (const Error& error) {
      throw error.within("participant " + participant.id);
    }
  }
  return trials;
}

// Calls visit(trial, t, z) for every complete window.
template <typename Visit>
void for_each_window(std::span<const Scores> trials, Visit visit) {
  for (std::size_t k = 0; k < trials.size(); ++k) {
    for (Index t = 0; t < trials[k].values.rows(); ++t) {
      if (!trials[k].values.row(t).hasNaN()) visit(k, t, data::view(trials[k].values).row(t));
    }
  }
}

Error nothing_to_fit() { return {ErrorKind::bad_data, "there is no complete window to fit the emission to"}; }

Error no_variation() { return {ErrorKind::singular, "the scores do not vary, so no emission can be fitted to them"}; }

GaussianEmission start_of(std::span<const Scores> trials, Spread spread) {
  double count = 0;
  double mean = 0;
  for_each_window(trials, [&](std::size_t, Index, std::span<const double> z) {
    for (const double value : z) mean += (value - mean) / ++count;
  });
  if (count == 0) throw nothing_to_fit();
  double squares = 0;
  for_each_window(trials, [&](std::size_t, Index, std::span<const double> z) {
    for (const double value : z) squares += (value - mean) * (value - mean);
  });
  const double deviation = std::sqrt(squares / count);
  if (!(deviation > 1e-12 * std::abs(mean))) throw no_variation();
  return {.fisher = false,
          .spread = spread,
          .mu_attended = mean + (0.25 * deviation),
          .mu_unattended = mean - (0.25 * deviation),
          .sigma_attended = deviation,
          .sigma_unattended = deviation,
          .correlation = 0};
}

// What all states of a window have in common under an exchangeable emission: the density of the scores' differences
// from their mean, which the likelihoods of log_likelihoods() leave out and a likelihood that grows cannot.
void add_common_part(const GaussianEmission& emission, const Scores& scores, LogLikelihoods& result) {
  const auto speakers = static_cast<double>(scores.values.cols());
  const double variance = emission.sigma_attended * emission.sigma_attended * (1 - emission.correlation);
  const double distance = emission.mu_attended - emission.mu_unattended;
  for (Index t = 0; t < scores.values.rows(); ++t) {
    const double mean = scores.values.row(t).mean();
    const double squares = (scores.values.row(t).array() - mean).square().sum();
    const double common = distance * mean + ((squares + distance * distance * (1 - 1 / speakers)) / 2);
    const double constant = (speakers - 1) / 2 * std::log(2 * std::numbers::pi * variance);
    result.values.row(t).array() -= (common / variance) + constant;
  }
}

// The M-step of the tied parameters, and the windows as the new ones see them.
class TiedStep {
 public:
  TiedStep(std::vector<Scores> trials, Spread spread)
      : trials_(std::move(trials)), current_(start_of(trials_, spread)), before_(current_) {}

  [[nodiscard]] std::vector<LogLikelihoods> log_likelihoods() const {
    std::vector<LogLikelihoods> result;
    for (const Scores& trial : trials_) {
      result.push_back(emission::log_likelihoods(current_, trial));
      if (current_.spread == Spread::exchangeable) add_common_part(current_, trial, result.back());
    }
    return result;
  }

  void maximise(std::span<const Posteriors> posteriors) {
    sums_ = {.speakers = static_cast<double>(posteriors.front().values.cols())};
    for_each_window(trials_, [&](std::size_t k, Index t, std::span<const double> z) {
      add_window(sums_, z, data::view(posteriors[k].values).row(t));
    });
    const auto next = tied_gaussian(sums_, {.fisher = false, .spread = current_.spread});
    if (!next) throw no_variation();
    if (next->correlation > 1 - 1e-9) {
      throw Error(ErrorKind::singular, "every speaker has the same score, so the scores cannot tell them apart");
    }
    before_ = std::exchange(current_, *next);
  }

  [[nodiscard]] const GaussianEmission& current() const noexcept { return current_; }
  [[nodiscard]] const GaussianEmission& before() const noexcept { return before_; }
  [[nodiscard]] bool columns_repeat() const { return emission::columns_repeat({&sums_, 1}); }

 private:
  std::vector<Scores> trials_;
  ScoreMoments sums_{};
  GaussianEmission current_;  // in the transformed domain: fisher is false
  GaussianEmission before_;
};

// Only a fit can tell whether columns repeat each other: they do inside the classes, which it has to find first.
BaumWelchFit fit_usual_spread(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                              BaumWelchFitOptions options, const std::function<void()>& each_iteration) {
  options.spread = Spread::shared;
  BaumWelchFit shared = fit_baum_welch(participants, chain, options, each_iteration);
  if (!shared.columns_repeat) return shared;
  options.spread = Spread::exchangeable;
  return fit_baum_welch(participants, chain, options, each_iteration);
}

// E|x| of x ~ N(d, deviation^2); grows with d.
double mean_magnitude(double d, double deviation) noexcept {
  const double standardised = d / deviation;
  return (deviation * std::sqrt(2 / std::numbers::pi) * std::exp(-standardised * standardised / 2)) +
         (d * std::erf(standardised / std::numbers::sqrt2));
}

// The difference of the means that makes |z1 - z2| as large as it is; 0 if none does. E|x| >= d, so it lies in
// [0, magnitude], and halving finds it to the last bit.
double difference_of_means(double magnitude, double deviation) noexcept {
  if (!(magnitude > mean_magnitude(0, deviation))) return 0;
  double low = 0;
  double high = magnitude;
  for (;;) {
    const double middle = (low + high) / 2;
    if (!(middle > low && middle < high)) return middle;
    (mean_magnitude(middle, deviation) < magnitude ? low : high) = middle;
  }
}

}  // namespace

hmm::SwitchPrior one_switch_at(const hmm::Chain& chain) {
  if (chain.as_sticky() == nullptr) {
    throw Error(ErrorKind::invalid_argument, "the switch prior is for sticky chains; omit it for a general chain");
  }
  const double leave = static_cast<double>(chain.states() - 1) * chain.as_sticky()->move();
  return {.switches = 1, .stays = (1 - leave) / leave};
}

BaumWelchFit fit_baum_welch(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                            const BaumWelchFitOptions& options, const std::function<void()>& each_iteration) {
  if (!options.spread) return fit_usual_spread(participants, chain, options, each_iteration);
  if (participants.empty()) throw nothing_to_fit();
  if (options.fit_switch_probability && chain.as_sticky() == nullptr) {
    throw Error(ErrorKind::invalid_argument, "one switch probability can be fitted to a sticky chain only");
  }
  if (options.spread == Spread::separate) {
    throw Error(ErrorKind::invalid_argument, "Baum-Welch fits one sigma for all: choose shared or exchangeable");
  }
  TiedStep step(all_trials(participants, options.fisher), *options.spread);
  hmm::BaumWelchResult result = go_through_rounds(chain, step, options, each_iteration);
  BaumWelchFit fit{.emission = keeps_last_round(result) ? step.current() : step.before(),
                   .chain = std::move(result.chain),
                   .history = std::move(result.history),
                   .iterations = result.iterations,
                   .converged = result.converged,
                   .columns_repeat = step.columns_repeat()};
  fit.emission.fisher = options.fisher;
  if (chain.states() == 2 && fit.emission.mu_attended < fit.emission.mu_unattended) {
    std::swap(fit.emission.mu_attended, fit.emission.mu_unattended);
  }
  return fit;
}

MemorylessFit fit_memoryless(std::span<const ScoredParticipant> participants, bool fisher) {
  const std::vector<Scores> trials = all_trials(participants, fisher);
  double windows = 0;
  double mean = 0;
  double magnitude = 0;
  double squares = 0;  // of the sum of both scores around its mean (Welford)
  double apart = 0;    // mean square of their difference
  for_each_window(trials, [&](std::size_t, Index, std::span<const double> z) {
    if (z.size() != 2) {
      throw Error(ErrorKind::unsupported,
                  "the memoryless fit is for two speakers; with " + std::to_string(z.size()) + " use Baum-Welch");
    }
    const double sum = z[0] + z[1];
    const double step = sum - mean;
    mean += step / ++windows;
    squares += step * (sum - mean);
    magnitude += (std::abs(z[0] - z[1]) - magnitude) / windows;
    apart += (((z[0] - z[1]) * (z[0] - z[1])) - apart) / windows;
  });
  if (windows == 0) throw nothing_to_fit();
  const double deviation = std::sqrt(squares / windows);
  // Correlated below -0.9, the sum varies less than a nineteenth as much as the difference, whose magnitude varies
  // still less.
  if (deviation * deviation < (apart - (magnitude * magnitude)) / 19) {
    throw Error(ErrorKind::singular,
                "the two columns are one score and its negative, so the memoryless fit, which takes their spread from "
                "their sum, cannot see it; fit by Baum-Welch or to labels");
  }
  if (!(deviation > 1e-12 * std::abs(mean))) throw no_variation();
  const double difference = difference_of_means(magnitude, deviation);
  const double sigma = deviation / std::numbers::sqrt2;
  return {.emission = {.fisher = fisher,
                       .spread = Spread::shared,
                       .mu_attended = (mean + difference) / 2,
                       .mu_unattended = (mean - difference) / 2,
                       .sigma_attended = sigma,
                       .sigma_unattended = sigma,
                       .correlation = 0},
          .degenerate = difference == 0};
}

}  // namespace heed::emission
