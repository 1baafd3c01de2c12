// SPDX-License-Identifier: MIT
#include "decode/adaptive/label_queue.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace heed::decode {
namespace {

// Attention seldom leaves all talkers, and comes back to any of them.
hmm::Chain chain_with_nobody(Index talkers, const AdaptationOptions& options) {
  const double p = options.switch_probability;
  const double e = options.nobody_probability;
  const auto n = static_cast<double>(talkers);
  Matrix transition = Matrix::Constant(talkers + 1, talkers + 1, p);
  transition.diagonal().setConstant(1 - (n - 1) * p - e);
  transition.col(talkers).setConstant(e);
  transition.row(talkers).setConstant(e / n);
  transition(talkers, talkers) = 1 - e;
  std::vector<double> initial(static_cast<std::size_t>(talkers), 0.9 / n);
  initial.push_back(0.1);
  return hmm::Chain::make(transition).with_initial(initial);
}

// The estimates of the means may come no closer than this share of the start's distance: past it attended and
// unattended would exchange roles.
constexpr double least_distance = 0.25;

}  // namespace

LabelQueue::LabelQueue(Index talkers, Index dimensions, const AdaptationOptions& options, bool with_nobody)
    : talkers_(talkers),
      with_nobody_stream_(chain_with_nobody(talkers, options), options.lag),
      talkers_stream_(hmm::Chain::sticky(talkers, options.switch_probability), options.lag),
      with_nobody_(with_nobody),
      windows_(static_cast<std::size_t>(options.lag + 1)),
      evidence_(static_cast<std::size_t>(talkers + 1)),
      posterior_(static_cast<std::size_t>(talkers + 1)) {
  for (LabelledWindow& window : windows_) {
    window.z.resize(static_cast<std::size_t>(talkers));
    window.label.resize(static_cast<std::size_t>(talkers));
    window.cross = Matrix::Zero(dimensions, talkers);
  }
}

LabelledWindow& LabelQueue::next() noexcept { return windows_[static_cast<std::size_t>(newest_) % windows_.size()]; }

void LabelQueue::push(std::span<const double> log_likelihoods) noexcept {
  std::ranges::copy(log_likelihoods, evidence_.begin());
  evidence_.back() = 0;
  const std::size_t states = evidence_.size() - (with_nobody_ ? 0 : 1);
  (void)stream().step(std::span(evidence_).first(states));
  ++newest_;
  ++size_;
}

const LabelledWindow& LabelQueue::pop() noexcept {
  LabelledWindow& window = windows_[static_cast<std::size_t>(newest_ - size_) % windows_.size()];
  --size_;
  if (window.told) return window;
  if (window.uniform) {
    std::ranges::fill(window.label, 1 / static_cast<double>(talkers_));
    return window;
  }
  const std::size_t states = posterior_.size() - (with_nobody_ ? 0 : 1);
  (void)stream().look_back(size_, std::span(posterior_).first(states));
  std::copy_n(posterior_.begin(), talkers_, window.label.begin());
  return window;
}

void LabelQueue::restart() noexcept { stream().reset(); }

void LabelQueue::give_up_nobody() noexcept {
  size_ = 0;
  with_nobody_ = false;
  talkers_stream_.reset();
}

LearntEmission::LearntEmission(const GaussianEmission& start, double start_windows)
    : start_(start), emission_(start), start_windows_(start_windows) {}

void LearntEmission::fade(double kept) noexcept {
  for (double* sum :
       {&sums_.attended, &sums_.attended_weight, &sums_.unattended, &sums_.unattended_weight, &sums_.squares}) {
    *sum *= kept;
  }
}

void LearntEmission::learn(std::span<const double> z, std::span<const double> label) noexcept {
  for (std::size_t j = 0; j < z.size(); ++j) {
    sums_.attended += label[j] * z[j];
    sums_.attended_weight += label[j];
    sums_.unattended += (1 - label[j]) * z[j];
    sums_.unattended_weight += 1 - label[j];
    sums_.squares += z[j] * z[j];
  }
  estimate();
}

void LearntEmission::restart(const GaussianEmission& start) noexcept {
  sums_ = {};
  start_ = emission_ = start;
}

void LearntEmission::lean_on(const GaussianEmission& start) noexcept {
  start_ = emission_ = start;
  estimate();
}

std::vector<double> LearntEmission::sums() const {
  return {sums_.attended, sums_.attended_weight, sums_.unattended, sums_.unattended_weight, sums_.squares};
}

void LearntEmission::resume(std::span<const double> sums) noexcept {
  sums_ = {sums[0], sums[1], sums[2], sums[3], sums[4]};
  estimate();
}

void LearntEmission::estimate() noexcept {
  const Sums& s = sums_;
  const double known = start_windows_;
  const double a = (s.attended + known * start_.mu_attended) / (s.attended_weight + known);
  const double u = (s.unattended + known * start_.mu_unattended) / (s.unattended_weight + known);
  const double squares = s.squares - 2 * a * s.attended + a * a * s.attended_weight - 2 * u * s.unattended +
                         u * u * s.unattended_weight + 2 * known * start_.sigma_attended * start_.sigma_attended;
  const double variance = squares / (s.attended_weight + s.unattended_weight + 2 * known);
  if (!(variance > 0) || !std::isfinite(variance)) return;
  emission_.mu_unattended = u;
  emission_.mu_attended = std::max(a, u + least_distance * (start_.mu_attended - start_.mu_unattended));
  emission_.sigma_attended = emission_.sigma_unattended = std::sqrt(variance);
}

}  // namespace heed::decode
