// SPDX-License-Identifier: MIT
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/adaptive.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/filter.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace heed::emission {
namespace {

// The moments of so many windows drawn from the emission.
ScoreMoments expected_moments(const GaussianEmission& e, double speakers, double windows) {
  const double others = speakers - 1;
  const double variance = e.sigma_attended * e.sigma_attended;
  const double centre = e.mu_attended + (others * e.mu_unattended);
  ScoreMoments sums{.windows = 1,
                    .speakers = speakers,
                    .attended = e.mu_attended,
                    .attended_squares = variance + (e.mu_attended * e.mu_attended),
                    .unattended = others * e.mu_unattended,
                    .unattended_squares = others * (variance + (e.mu_unattended * e.mu_unattended)),
                    .window_sum = centre,
                    .window_sum_squares = (speakers * variance) + (centre * centre)};
  scale(sums, windows);
  return sums;
}

double separation(const GaussianEmission& e) noexcept { return (e.mu_attended - e.mu_unattended) / e.sigma_attended; }

bool is_distribution(std::span<const double> p) noexcept {
  double total = 0;
  for (const double probability : p) {
    if (!(probability >= 0)) return false;
    total += probability;
  }
  return std::abs(total - 1) <= 1e-6;
}

void check_options(const GaussianEmission& start, Seconds window, const AdaptiveOptions& options) {
  const auto reject = [](const char* message) { throw Error(ErrorKind::invalid_argument, message); };
  if (start.spread == Spread::separate) {
    throw Error(ErrorKind::unsupported,
                "adaptation follows emissions with one sigma for attended and unattended; fit the shared spread");
  }
  if (!(options.half_life.value > 0) || !(window.value > 0) || !std::isfinite(window.value)) {
    reject("the half-life of adaptation and the window must be longer than 0 s");
  }
  if (!(options.prior_windows >= 0) || !std::isfinite(options.prior_windows)) {
    reject("the start of adaptation must count as at least 0 windows");
  }
  if (!(options.least_separation >= 0) || !(separation(start) > options.least_separation)) {
    reject("adaptation must start with mu_attended above mu_unattended by more than the least separation");
  }
}

}  // namespace

AdaptiveGaussian AdaptiveGaussian::make(const GaussianEmission& start, Index speakers, Seconds window,
                                        const AdaptiveOptions& options) {
  check(start, speakers);
  check_options(start, window, options);
  AdaptiveGaussian result;
  result.emission_ = start;
  result.sums_ = expected_moments(start, static_cast<double>(speakers), options.prior_windows);
  result.z_.resize(static_cast<std::size_t>(speakers));
  result.kept_ = std::exp2(-window.value / options.half_life.value);
  result.least_separation_ = options.least_separation;
  return result;
}

bool AdaptiveGaussian::take(std::span<const double> scores, std::span<const double> posterior) noexcept {
  const bool fits = is_distribution(posterior) &&
                    std::ranges::all_of(scores, [&](double x) { return is_score(x, emission_.fisher); });
  if (!fits) return false;
  std::ranges::transform(scores, z_.begin(), [&](double x) { return transformed_score(x, emission_.fisher); });
  scale(sums_, kept_);
  add_window(sums_, z_, posterior);
  return true;
}

core::Step AdaptiveGaussian::update(std::span<const double> scores, std::span<const double> posterior) noexcept {
  if (scores.size() != z_.size() || posterior.size() != z_.size()) return core::Step::wrong_size;
  if (!take(scores, posterior)) return core::Step::held;
  const auto estimate = tied_gaussian(sums_, {.fisher = emission_.fisher, .spread = Spread::shared});
  guarded_ = !estimate || !(separation(*estimate) > least_separation_);
  if (guarded_) return core::Step::updated;
  const GaussianEmission before = emission_;
  emission_ = *estimate;
  emission_.spread = before.spread;
  emission_.correlation = before.correlation;
  return core::Step::updated;
}

namespace {

// `stream`: hmm::Stream or hmm::BankStream.
template <typename Stream>
AdaptedTrials adapted(AdaptiveGaussian adaptive, Stream stream, std::span<const ScoredTrial> trials,
                      double temperature) {
  AdaptedTrials result;
  for (const ScoredTrial& trial : trials) {
    const MatrixView scores = data::view(trial.scores.values);
    LogLikelihoods made{Matrix(scores.rows, stream.states()), trial.scores.window, trial.scores.hop};
    const MutableMatrixView out = data::view(made.values);
    stream.reset();
    for (Index t = 0; t < scores.rows; ++t) {
      log_likelihoods_into(adaptive.emission(), scores.middle_rows(t, 1), out.middle_rows(t, 1), t);
      made.values.row(t) /= temperature;
      stream.step(out.row(t));
      adaptive.update(scores.row(t), stream.belief());
    }
    result.log_likelihoods.push_back(std::move(made));
  }
  result.emission = adaptive.emission();
  return result;
}

}  // namespace

AdaptedTrials adapted_log_likelihoods(const GaussianEmission& start, const hmm::Chain& chain,
                                      std::span<const ScoredTrial> trials, const AdaptiveOptions& options,
                                      double temperature) {
  if (trials.empty()) return {.emission = start};
  return adapted(AdaptiveGaussian::make(start, chain.states(), trials.front().scores.hop, options), hmm::Stream(chain),
                 trials, temperature);
}

AdaptedTrials adapted_log_likelihoods(const GaussianEmission& start, const hmm::Bank& bank,
                                      std::span<const ScoredTrial> trials, const AdaptiveOptions& options,
                                      double temperature) {
  if (trials.empty()) return {.emission = start};
  return adapted(AdaptiveGaussian::make(start, bank.states(), trials.front().scores.hop, options),
                 hmm::BankStream(bank), trials, temperature);
}

}  // namespace heed::emission
