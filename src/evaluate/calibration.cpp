// SPDX-License-Identifier: MIT
#include <heed/core/decision.h>
#include <heed/data/error.h>
#include <heed/evaluate/calibration.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace heed::evaluate {
namespace {

void check_shape(const Posteriors& posteriors, const AttentionTrack& attention) {
  if (std::ssize(attention.attended) != posteriors.values.rows()) {
    throw Error(ErrorKind::bad_data, std::to_string(posteriors.values.rows()) + " posteriors, but " +
                                         std::to_string(attention.attended.size()) +
                                         " labels of attention; give one label (or n/a) per window");
  }
  for (std::size_t t = 0; t < attention.attended.size(); ++t) {
    const Speaker label = attention.attended[t];
    if (label < unknown_speaker || label >= posteriors.values.cols()) {
      throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) + ": attended " + std::to_string(label) +
                                           " is none of the " + std::to_string(posteriors.values.cols()) + " speakers");
    }
  }
}

void check_row(std::span<const double> row, Index t) {
  double total = 0;
  bool probabilities = true;
  for (const double p : row) {
    probabilities = probabilities && p >= 0;
    total += p;
  }
  if (!probabilities || !(std::abs(total - 1) <= 0.02)) {
    throw Error(ErrorKind::bad_data,
                "window " + std::to_string(t + 1) +
                    ": the posteriors are not a distribution; they must not be negative and must sum to 1");
  }
}

// sum_j (p_j - 1_j)^2 / 2
double brier_of(std::span<const double> row, std::size_t attended) {
  double sum = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double error = row[j] - (j == attended ? 1 : 0);
    sum += error * error;
  }
  return sum / 2;
}

}  // namespace

Calibration Calibration::measure(const Posteriors& posteriors, const AttentionTrack& attention) {
  check_shape(posteriors, attention);
  Calibration calibration;
  core::DecisionRule<double> rule;
  const MatrixView rows = data::view(posteriors.values);
  for (Index t = 0; t < rows.rows; ++t) {
    const auto row = rows.row(t);
    check_row(row, t);
    const std::size_t decided = rule.decide(row);
    const Speaker label = attention.attended[static_cast<std::size_t>(t)];
    if (label == unknown_speaker) continue;
    const auto attended = static_cast<std::size_t>(label);
    const double confidence = std::min(1.0, row[decided]);
    Bin& bin = calibration.bins_[std::min(bins - 1, static_cast<std::size_t>(confidence * double{bins}))];
    bin.count += 1;
    bin.correct += decided == attended ? 1 : 0;
    bin.confidence += confidence;
    calibration.squares_ += brier_of(row, attended);
    calibration.losses_ -= std::log(std::clamp(row[attended], smallest_posterior, 1.0));
  }
  return calibration;
}

Calibration Calibration::measure(const TrackedParticipant& participant) {
  Calibration calibration;
  for (const TrackedTrial& trial : participant.trials) {
    try {
      calibration += measure(trial.posteriors, trial.attention);
    } catch (const Error& error) {
      throw error.within("participant " + participant.id + ", trial " + trial.name);
    }
  }
  return calibration;
}

Calibration& Calibration::operator+=(const Calibration& other) noexcept {
  for (std::size_t k = 0; k < bins; ++k) {
    bins_[k].count += other.bins_[k].count;
    bins_[k].correct += other.bins_[k].correct;
    bins_[k].confidence += other.bins_[k].confidence;
  }
  squares_ += other.squares_;
  losses_ += other.losses_;
  return *this;
}

Index Calibration::windows() const noexcept {
  Index count = 0;
  for (const Bin& bin : bins_) count += bin.count;
  return count;
}

std::optional<double> Calibration::brier() const noexcept {
  const Index count = windows();
  return count > 0 ? std::optional(squares_ / static_cast<double>(count)) : std::nullopt;
}

std::optional<double> Calibration::log_loss() const noexcept {
  const Index count = windows();
  return count > 0 ? std::optional(losses_ / static_cast<double>(count)) : std::nullopt;
}

std::optional<double> Calibration::expected_calibration_error() const noexcept {
  const Index count = windows();
  if (count == 0) return std::nullopt;
  double error = 0;
  for (const Bin& bin : bins_) error += std::abs(static_cast<double>(bin.correct) - bin.confidence);
  return error / static_cast<double>(count);
}

std::optional<double> Calibration::over_confidence() const noexcept {
  const Index count = windows();
  if (count == 0) return std::nullopt;
  double excess = 0;
  for (const Bin& bin : bins_) excess += bin.confidence - static_cast<double>(bin.correct);
  return excess / static_cast<double>(count);
}

std::array<ReliabilityBin, Calibration::bins> Calibration::reliability() const noexcept {
  std::array<ReliabilityBin, bins> curve{};
  for (std::size_t k = 0; k < bins; ++k) {
    curve[k].lower = static_cast<double>(k) / double{bins};
    curve[k].upper = static_cast<double>(k + 1) / double{bins};
    curve[k].count = bins_[k].count;
    if (bins_[k].count == 0) continue;
    const auto count = static_cast<double>(bins_[k].count);
    curve[k].confidence = bins_[k].confidence / count;
    curve[k].accuracy = static_cast<double>(bins_[k].correct) / count;
  }
  return curve;
}

}  // namespace heed::evaluate
