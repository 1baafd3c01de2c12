// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/track/rivals.h>
#include <track/sliding_em.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::track {
namespace {

constexpr double smallest_marker = 1e-4;  // log 0 is no number

double log_marker(double score) { return std::log(std::max(std::abs(score), smallest_marker)); }

// Whole windows that fit, but for rounding.
std::size_t windows_in(Seconds span, Seconds window) {
  return static_cast<std::size_t>(std::floor((span / window) + 1e-9));
}

void check_options(Seconds window, const StateSpaceOptions& options) {
  const auto positive = [](const MarkerPrior& prior) {
    return prior.shape > 0.5 && prior.rate > 0 && prior.precision > 0 && std::isfinite(prior.mean);
  };
  const bool sound = window.value > 0 && std::isfinite(window.value) && options.ahead.value >= 0 &&
                     options.behind.value >= 0 && options.em_steps >= 1 && options.newton_steps >= 1 &&
                     options.drift > 0 && options.drift_shape > 0 && options.drift_scale > 0;
  if (!sound || !positive(options.attended) || !positive(options.unattended)) {
    throw Error(ErrorKind::invalid_argument,
                "the state-space model needs positive spans, steps, variances and prior parameters");
  }
}

}  // namespace

StateSpaceFilter StateSpaceFilter::make(Seconds window, const StateSpaceOptions& options, std::size_t trials) {
  check_options(window, options);
  if (trials < 1 || trials > most_trials) {
    throw Error(ErrorKind::invalid_argument, "the state-space model takes 1 to " + std::to_string(most_trials) +
                                                 " trials side by side, not " + std::to_string(trials));
  }
  const std::size_t ahead = windows_in(options.ahead, window);
  const std::size_t size = ahead + windows_in(options.behind, window) + 1;
  if (size < 2) {
    throw Error(ErrorKind::invalid_argument, "windows of " + data::shown(window.value) +
                                                 " s are too long for the state-space model, which slides over " +
                                                 data::shown((options.ahead + options.behind).value) +
                                                 " s; give scores of shorter windows");
  }
  return {options, size, ahead, trials};
}

// What nobody uses of a register of trials is a trial without scores.
StateSpaceFilter::StateSpaceFilter(const StateSpaceOptions& options, std::size_t size, std::size_t ahead,
                                   std::size_t trials)
    : options_(options), size_(size), ahead_(ahead), trials_(trials == 1 ? 1 : most_trials) {
  numbers_.resize(SlidingWindows{nullptr, size_, trials_}.room());
  const SlidingWindows windows{numbers_.data(), size_, trials_};
  std::fill_n(windows.of(Known::drift, 1), size_ * trials_, options.drift);
  const auto start = [&](Markers quantity, double value) { std::fill_n(windows.of(quantity), most_trials, value); };
  start(Markers::attended_mean, options.attended.mean);
  start(Markers::attended_precision, options.attended.precision);
  start(Markers::unattended_mean, options.unattended.mean);
  start(Markers::unattended_precision, options.unattended.precision);
}

double StateSpaceFilter::step(double first, double second) noexcept {
  double probability = 0;
  step({&first, 1}, {&second, 1}, {&probability, 1});
  return probability;
}

// Windows join the end. Once the stretch is full its first sample becomes the state before it, and the newcomer starts
// from the estimates of its neighbour.
void StateSpaceFilter::step(std::span<const double> first, std::span<const double> second,
                            std::span<double> probabilities) noexcept {
  const SlidingWindows windows{numbers_.data(), size_, trials_};
  if (filled_ == size_) {
    for (int quantity = 0; quantity < static_cast<int>(Known::kept); ++quantity) {
      double* const numbers = windows.of(static_cast<Known>(quantity));
      std::copy_n(numbers + trials_, size_ * trials_, numbers);
    }
    std::fill_n(windows.of(Known::seen), trials_, 0.0);  // of the state before
  } else {
    ++filled_;
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    const bool seen = !std::isnan(first[k]) && !std::isnan(second[k]);
    windows.of(Known::seen, filled_)[k] = seen ? 1 : 0;
    windows.of(Known::first, filled_)[k] = seen ? log_marker(first[k]) : 0;
    windows.of(Known::second, filled_)[k] = seen ? log_marker(second[k]) : 0;
  }
  std::ranges::fill(probabilities, 0.5);
  if (filled_ < size_) return;
  settle(windows, options_);
  const double* const z = windows.of(Known::z, size_ - ahead_);
  for (std::size_t k = 0; k < probabilities.size(); ++k) probabilities[k] = logistic(z[k]);
}

namespace {

// With all probabilities still to come.
Posteriors room_for(const Scores& scores) {
  const Matrix& values = scores.values;
  const auto held = (values.col(0).array().isNaN() || values.col(1).array().isNaN()).count();
  return {.values = Matrix(values.rows(), 2),
          .window = scores.window,
          .hop = scores.hop,
          .log_evidence = no_evidence,
          .held = held};
}

// How many trials go side by side from the first on: windows must be of one length.
std::size_t together(std::span<const Evidence> trials) {
  const auto other = std::ranges::find_if(
      trials, [&](const Evidence& one) { return one.scores.hop.value != trials.front().scores.hop.value; });
  return std::min(static_cast<std::size_t>(other - trials.begin()), StateSpaceFilter::most_trials);
}

// Those that are shorter go on as missing.
void track_together(StateSpaceFilter model, std::span<const Evidence> trials, std::vector<Tracked>& tracked) {
  std::vector<Posteriors> posteriors;
  Index longest = 0;
  for (const Evidence& one : trials) {
    posteriors.push_back(room_for(one.scores));
    longest = std::max(longest, one.scores.values.rows());
  }
  std::vector<double> first(trials.size());
  std::vector<double> second(trials.size());
  std::vector<double> probabilities(trials.size());
  for (Index t = 0; t < longest; ++t) {
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const Matrix& scores = trials[k].scores.values;
      first[k] = t < scores.rows() ? scores(t, 0) : std::nan("");
      second[k] = t < scores.rows() ? scores(t, 1) : std::nan("");
    }
    model.step(first, second, probabilities);
    for (std::size_t k = 0; k < trials.size(); ++k) {
      if (t < posteriors[k].values.rows()) posteriors[k].values.row(t) << probabilities[k], 1 - probabilities[k];
    }
  }
  for (Posteriors& one : posteriors) {
    Path decisions = decide(one);
    tracked.push_back({std::move(one), std::move(decisions)});
  }
}

}  // namespace

void StateSpaceTracker::check(const Scores& scores) {
  const Matrix& values = scores.values;
  if (values.cols() != 2) {
    throw Error(ErrorKind::unsupported, "the state-space model is for two speakers, not " +
                                            std::to_string(values.cols()) + "; choose another method");
  }
  for (Index t = 0; t < values.rows(); ++t) {
    if (std::abs(values(t, 0)) > 1 || std::abs(values(t, 1)) > 1) {
      throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) +
                                           ": a score lies beyond +-1; the state-space model takes correlations");
    }
  }
}

Tracked StateSpaceTracker::track(const Evidence& evidence) const { return std::move(track({&evidence, 1}).front()); }

std::vector<Tracked> StateSpaceTracker::track(std::span<const Evidence> trials) const {
  for (const Evidence& one : trials) check(one.scores);
  std::vector<Tracked> tracked;
  while (!trials.empty()) {
    const std::size_t count = together(trials);
    track_together(StateSpaceFilter::make(trials.front().scores.hop, options, count), trials.first(count), tracked);
    trials = trials.subspan(count);
  }
  return tracked;
}

}  // namespace heed::track
