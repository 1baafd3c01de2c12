// SPDX-License-Identifier: MIT
#include "decode/adaptive/decoder_update.h"

#include "decode/dense/dense.h"

#include <cmath>
#include <utility>

namespace heed::decode {
namespace {

// Of a decoder with power 1 on the listener's EEG: |d|^2 times the mean variance, which is 1 for white EEG. A decoder
// beyond this bound leans on what the EEG does not have; the one before it stays.
constexpr double largest_gain = 1000;

}  // namespace

DecoderUpdate::DecoderUpdate(const AdaptiveStart& start, const AdaptiveShape& shape, const AdaptationOptions& options,
                             std::shared_ptr<DecoderUpdate> leader)
    : leader_(std::move(leader)),
      covariance_samples_(options.covariance_windows * static_cast<double>(shape.window_samples)),
      population_samples_(options.population_windows * static_cast<double>(shape.window_samples)),
      ridge_(options.ridge),
      gram_(shape.channels, leader_ ? 1 : shape.lags.count()),
      block_(shape.channels, shape.lags.count(), options.block) {
  const Index n = shape.lags.count() * shape.channels;
  sums_.cross = Eigen::VectorXd::Zero(n);
  factor_.lower.resize(n, n);
  right_.resize(n);
  solution_.weights.resize(n);
  solution_.pattern.resize(n);
  lean_on(start);
}

void DecoderUpdate::lean_on(const AdaptiveStart& start) {
  population_cross_ = start.cross;
  population_covariance_ = start.covariance;
  const Index n = start.covariance.rows();
  const Index channels = start.covariance.cols();
  if (channels == n) return;
  population_covariance_ = Matrix::Zero(n, n);
  population_covariance_.leftCols(channels) = start.covariance;
  for (Index row = channels; row < n; ++row) {
    population_covariance_.row(row).segment(channels, row - channels + 1) =
        population_covariance_.row(row - channels).head(row - channels + 1);
  }
}

void DecoderUpdate::ask(const BlockOfWindows& block, const SampleSums& sums, bool with_population) {
  if (!leader_) block_ = block;  // of the same size: copied into what is there
  sums_ = sums;
  with_population_ = with_population;
  stage_.store(Stage::waiting, std::memory_order_release);
}

void DecoderUpdate::compute() noexcept {
  Stage expected = Stage::waiting;
  if (!stage_.compare_exchange_strong(expected, Stage::computing, std::memory_order_acq_rel)) return;
  if (!leader_) gram_.take(block_);
  solve();
  stage_.store(Stage::done, std::memory_order_release);
  stage_.notify_all();
}

bool DecoderUpdate::take(DecoderSolution& solution) noexcept {
  compute();
  stage_.wait(Stage::computing, std::memory_order_acquire);
  if (stage_.load(std::memory_order_acquire) != Stage::done) return false;
  stage_.store(Stage::idle, std::memory_order_release);
  if (solved_) solution = solution_;
  return solved_;
}

void DecoderUpdate::make_factor(double lent_samples) noexcept {
  Matrix& covariance = factor_.lower;
  (leader_ ? leader_->gram_ : gram_).write_lower(covariance);
  const Index n = covariance.rows();
  const double per_sample = 1 / (sums_.eeg_samples + lent_samples);
  for (Index row = 0; row < n; ++row) {
    auto lower = covariance.row(row).head(row + 1);
    if (lent_samples > 0) lower += lent_samples * population_covariance_.row(row).head(row + 1);
    lower *= per_sample;
  }
  factor_.mean_variance = covariance.diagonal().sum() / static_cast<double>(n);
  factor_.ridge = ridge_ * factor_.mean_variance;
  factor_.lent_samples = lent_samples;
  covariance.diagonal().array() += factor_.ridge;
  factor_.there = factorise(covariance);
}

const DecoderUpdate::Factor& DecoderUpdate::factor_with(double lent_samples) noexcept {
  if (leader_) {
    leader_->compute();
    if (leader_->factor_.there && leader_->factor_.lent_samples == lent_samples) return leader_->factor_;
  }
  make_factor(lent_samples);
  return factor_;
}

void DecoderUpdate::solve() noexcept {
  solved_ = false;
  factor_.there = false;
  const double lent_eeg = with_population_ ? covariance_samples_ : 0;
  const double lent_cross = with_population_ ? population_samples_ : 0;
  if (!(sums_.eeg_samples + lent_eeg > 0) || !(sums_.cross_samples + lent_cross > 0)) return;
  const Factor& factor = factor_with(lent_eeg);
  if (!factor.there) return;

  right_ = sums_.cross;
  if (lent_cross > 0) right_ += lent_cross * population_cross_;
  right_ /= sums_.cross_samples + lent_cross;
  Eigen::VectorXd& weights = solution_.weights;
  weights = right_;
  solve_factorised(factor.lower, {weights.data(), static_cast<std::size_t>(weights.size())});
  const double power = weights.dot(right_) - factor.ridge * weights.squaredNorm();
  if (!(power > 0)) return;
  solution_.pattern = (right_ - factor.ridge * weights) / std::sqrt(power);  // as (R + ridge I) d = r
  weights /= std::sqrt(power);
  solved_ = weights.squaredNorm() * factor.mean_variance <= largest_gain;  // false of a NaN, too
}

}  // namespace heed::decode
