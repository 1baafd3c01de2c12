// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/track/state_space.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::track {
namespace {

constexpr double smallest_marker = 1e-4;  // log 0 is no number

double logistic(double z) noexcept { return 1 / (1 + std::exp(-z)); }

// Whole windows that fit, but for rounding.
std::size_t windows_in(Seconds span, Seconds window) {
  return static_cast<std::size_t>(std::floor((span / window) + 1e-9));
}

void check(Seconds window, const StateSpaceOptions& options) {
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

StateSpaceFilter StateSpaceFilter::make(Seconds window, const StateSpaceOptions& options) {
  check(window, options);
  const std::size_t ahead = windows_in(options.ahead, window);
  const std::size_t size = ahead + windows_in(options.behind, window) + 1;
  if (size < 2) {
    throw Error(ErrorKind::invalid_argument, "windows of " + data::shown(window.value) +
                                                 " s are too long for the state-space model, which slides over " +
                                                 data::shown((options.ahead + options.behind).value) +
                                                 " s; give scores of shorter windows");
  }
  return {options, size, ahead};
}

StateSpaceFilter::StateSpaceFilter(const StateSpaceOptions& options, std::size_t size, std::size_t ahead)
    : options_(options),
      ahead_(ahead),
      attended_{options.attended.mean, options.attended.precision},
      unattended_{options.unattended.mean, options.unattended.precision},
      windows_(size) {
  for (Window& window : windows_) window.drift = options.drift;
}

double StateSpaceFilter::step(double first, double second) noexcept {
  slide(first, second);
  if (filled_ < windows_.size()) return 0.5;
  for (int step = 0; step < options_.em_steps; ++step) {
    assign();
    refit(attended_, options_.attended, true);
    refit(unattended_, options_.unattended, false);
    filter();
    smooth();
    update_drift();
  }
  return logistic(windows_[windows_.size() - 1 - ahead_].z);
}

// The window joins the end. Once the stretch is full its first sample becomes the state before it, and the
// newcomer starts from the estimates of its neighbour.
void StateSpaceFilter::slide(double first, double second) noexcept {
  if (filled_ == windows_.size()) {
    start_ = windows_.front();
    const Window neighbour = windows_.back();
    std::shift_left(windows_.begin(), windows_.end(), 1);
    windows_.back() = neighbour;
    --filled_;
  }
  Window& last = windows_[filled_];
  last.logistic_z = logistic(last.filtered_z);
  last.seen = !std::isnan(first) && !std::isnan(second);
  last.first = last.seen ? std::log(std::max(std::abs(first), smallest_marker)) : 0;
  last.second = last.seen ? std::log(std::max(std::abs(second), smallest_marker)) : 0;
  ++filled_;
}

// The E-step of who is attended. Densities' common factors cancel in the log-likelihood ratio.
void StateSpaceFilter::assign() noexcept {
  const auto log_density = [](const Marker& marker, double x) {
    return -marker.precision / 2 * (x - marker.mean) * (x - marker.mean);
  };
  for (Window& w : windows_) {
    if (!w.seen) continue;
    const double ratio = log_density(attended_, w.first) + log_density(unattended_, w.second) -
                         log_density(unattended_, w.first) - log_density(attended_, w.second);
    w.responsibility = logistic(w.z + ratio);
  }
}

// The prior counts as often as there are windows, missing ones included; with none missing the numerator of the
// precision is the published 2 K_W alpha0.
void StateSpaceFilter::refit(Marker& marker, const MarkerPrior& prior, bool attended) noexcept {
  const auto weight = [&](const Window& w) { return attended ? w.responsibility : 1 - w.responsibility; };
  const auto size = static_cast<double>(windows_.size());
  double seen = 0;
  double sum = 0;
  for (const Window& w : windows_) {
    if (!w.seen) continue;
    seen += 1;
    sum += (weight(w) * w.first) + ((1 - weight(w)) * w.second);
  }
  marker.mean = (sum + (size * prior.mean)) / (seen + size);
  double squares = 0;
  for (const Window& w : windows_) {
    if (!w.seen) continue;
    const double first = w.first - marker.mean;
    const double second = w.second - marker.mean;
    squares += (weight(w) * first * first) + ((1 - weight(w)) * second * second);
  }
  const double off = marker.mean - prior.mean;
  marker.precision = ((size * (2 * prior.shape - 1)) + seen) / (squares + (size * (2 * prior.rate + (off * off))));
}

// The z at which the posterior of a window's state is largest, by Halley's steps, and the logistic of it. The state
// that the last EM step found is near, its logistic known, and an error becomes its cube: as a rule one exponential
// does. The root lies within [predicted - variance (1 - e), predicted + variance e], and so do all steps.
void StateSpaceFilter::observe(Window& window) const noexcept {
  constexpr double small = 1e-5;  // its cube is rounding
  const double variance = window.predicted_variance;
  const double highest = window.predicted_z + (variance * window.responsibility);
  const double lowest = highest - variance;
  double z = window.filtered_z;
  double s = window.logistic_z;
  for (int step = 0;; ++step) {
    const double slope = s * (1 - s);
    const double curvature = slope * (1 - (2 * s));
    const double off = z - highest + (variance * s);
    const double rise = 1 + (variance * slope);
    const double next =
        std::clamp(z - (off * rise / ((rise * rise) - (off * variance * curvature / 2))), lowest, highest);
    const double move = next - z;
    z = next;
    if (std::abs(move) < small) {
      s += move * (slope + (move / 2 * curvature));
      break;
    }
    s = logistic(z);
    if (step == options_.newton_steps) break;
  }
  window.filtered_z = z;
  window.logistic_z = s;
}

// start_ enters with what it was smoothed to.
void StateSpaceFilter::filter() noexcept {
  start_.filtered_z = start_.z;
  start_.filtered_variance = start_.variance;
  for (std::size_t k = 0; k < windows_.size(); ++k) {
    Window& w = windows_[k];
    w.predicted_z = before(k).filtered_z;
    w.predicted_variance = before(k).filtered_variance + w.drift;
    if (!w.seen) {
      w.filtered_z = w.predicted_z;
      w.filtered_variance = w.predicted_variance;
      continue;
    }
    observe(w);
    w.filtered_variance = w.predicted_variance / (1 + (w.predicted_variance * w.logistic_z * (1 - w.logistic_z)));
  }
}

void StateSpaceFilter::smooth() noexcept {
  Window& last = windows_.back();
  last.z = last.filtered_z;
  last.variance = options_.compatible ? 0 : last.filtered_variance;
  for (std::size_t k = windows_.size(); k-- > 0;) {
    const Window& next = windows_[k];
    Window& w = before(k);
    w.gain = w.filtered_variance / next.predicted_variance;
    w.z = w.filtered_z + (w.gain * (next.z - next.predicted_z));
    w.variance = w.filtered_variance + (w.gain * w.gain * (next.variance - next.predicted_variance));
  }
}

void StateSpaceFilter::update_drift() noexcept {
  for (std::size_t k = 0; k < windows_.size(); ++k) {
    Window& w = windows_[k];
    const Window& previous = before(k);
    const double step = w.z - previous.z;
    const double moved = (step * step) + w.variance + previous.variance - (2 * w.variance * previous.gain);
    w.drift = (moved + (2 * options_.drift_scale)) / (1 + (2 * (options_.drift_shape + 1)));
  }
}

Tracked StateSpaceTracker::track(const Evidence& evidence) const {
  const Matrix& scores = evidence.scores.values;
  if (scores.cols() != 2) {
    throw Error(ErrorKind::unsupported, "the state-space model is for two speakers, not " +
                                            std::to_string(scores.cols()) + "; choose another method");
  }
  StateSpaceFilter model = StateSpaceFilter::make(evidence.scores.hop, options);
  Posteriors posteriors{.values = Matrix(scores.rows(), 2),
                        .window = evidence.scores.window,
                        .hop = evidence.scores.hop,
                        .log_evidence = no_evidence,
                        .held = 0};
  for (Index t = 0; t < scores.rows(); ++t) {
    const double first = scores(t, 0);
    const double second = scores(t, 1);
    if (std::abs(first) > 1 || std::abs(second) > 1) {
      throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) +
                                           ": a score lies beyond +-1; the state-space model takes correlations");
    }
    if (std::isnan(first) || std::isnan(second)) ++posteriors.held;
    const double probability = model.step(first, second);
    posteriors.values(t, 0) = probability;
    posteriors.values(t, 1) = 1 - probability;
  }
  Path decisions = decide(posteriors);
  return {std::move(posteriors), std::move(decisions)};
}

}  // namespace heed::track
