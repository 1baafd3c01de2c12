// SPDX-License-Identifier: MIT
// Do posteriors mean what they say? Brier score, log-loss, expected calibration error and the
// reliability curve, over labelled windows. Calibrations of trials add: pool a participant's, then
// average the measures over participants.
#pragma once

#include <heed/data/scored.h>
#include <heed/data/series.h>

#include <array>
#include <cstddef>
#include <optional>

namespace heed::evaluate {

// One point of the reliability curve: windows whose largest posterior lies in [lower, upper).
struct ReliabilityBin {
  double lower = 0;
  double upper = 0;  // the last bin holds 1 too
  Index count = 0;
  std::optional<double> confidence;  // mean of the largest posterior; nothing in an empty bin
  std::optional<double> accuracy;    // how often its speaker was attended
};

class Calibration {
 public:
  static constexpr std::size_t bins = 10;
  // Log-loss takes a smaller posterior for this one: a wrong one-hot row costs 34.5 nats, not infinity.
  static constexpr double smallest_posterior = 1e-15;
  // Worth a word to the user, as a mean over participants. A causal tracker is sure of the old speaker for a while
  // after each switch, which alone makes some hundredths.
  static constexpr double doubtful_over_confidence = 0.15;

  // A trial. The decided speaker is heed's decision rule on the rows, a tie holding the one before.
  // Throws Error if there is not one label per row, a label names no column, or a row is no distribution
  // (to within .02, the rounding of a file with two decimals).
  static Calibration measure(const Posteriors& posteriors, const AttentionTrack& attention);
  // All trials of a participant; an Error names the trial.
  static Calibration measure(const TrackedParticipant& participant);

  Calibration& operator+=(const Calibration& other) noexcept;

  [[nodiscard]] Index windows() const noexcept;
  // Mean of sum_j (p_j - 1_j)^2 / 2, which is (1 - p_attended)^2 for two speakers.
  [[nodiscard]] std::optional<double> brier() const noexcept;
  // Mean of -log p_attended, natural.
  [[nodiscard]] std::optional<double> log_loss() const noexcept;
  // Mean over windows of |accuracy - confidence| of the window's bin.
  [[nodiscard]] std::optional<double> expected_calibration_error() const noexcept;
  // Mean confidence less accuracy: above 0 the posteriors claim more than they keep.
  [[nodiscard]] std::optional<double> over_confidence() const noexcept;
  [[nodiscard]] std::array<ReliabilityBin, bins> reliability() const noexcept;

 private:
  struct Bin {
    Index count = 0;
    Index correct = 0;
    double confidence = 0;  // summed
  };
  std::array<Bin, bins> bins_{};
  double squares_ = 0;  // sum of the windows' Brier scores
  double losses_ = 0;   // sum of the windows' log-losses
};

}  // namespace heed::evaluate
