// SPDX-License-Identifier: MIT
// All that a decoder learns of a trial, as sums over its samples: trials add, and leaving one out is a subtraction.
// The lagged matrix (samples x lags x channels) is never made (docs/decoding.md, Statistics).
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/trial.h>

#include <span>

namespace heed::decode {

// EEG at t+first ... t+last and stimulus at t+first ... t+last, zeros beyond both ends of a trial.
struct DecoderLags {
  LagRange eeg{};
  LagRange stimulus{};
  friend bool operator==(const DecoderLags&, const DecoderLags&) = default;
};

// Least squares: EEG 0 ... longest, stimulus 0. CCA: EEG 0 ... longest, stimulus -longest ... 0. Rounded to samples.
[[nodiscard]] DecoderLags least_squares_lags(Hertz sampling_frequency, Seconds longest = {0.25});
[[nodiscard]] DecoderLags cca_lags(Hertz sampling_frequency, Seconds longest = {0.25});

// x: the lagged EEG of a sample, lag-major (all channels of the first lag, then of the next). y: the lagged stimulus
// of the attended speaker, lag-major over targets. Samples that are missing, or of which nobody knows who was
// attended, count as zeros in x and y.
struct TrialStatistics {
  DecoderLags lags{};
  Index channels = 0;
  Index targets = 0;
  double samples = 0;                  // labelled and not missing
  Matrix xx{};                         // sum of x x', both triangles
  Matrix xy{};                         // sum of x y'
  Matrix yy{};                         // sum of y y', both triangles
  Matrix energies{};                   // channels x channels: sum of e e', e = a channel's squares summed over the lags
  Eigen::VectorXd squares{};           // of each channel, without lags
  Eigen::VectorXd stimulus_squares{};  // of each target, without lags

  // Sum of |x|^4: what Ledoit-Wolf needs beside xx.
  [[nodiscard]] double fourth_powers() const { return energies.sum(); }

  // Throw invalid_argument for other lags, channels or targets. An empty one (channels = 0) takes over the other's.
  TrialStatistics& operator+=(const TrialStatistics& other);
  TrialStatistics& operator-=(const TrialStatistics& other);
};

// Throws bad_data for a trial without a labelled sample, shorter than its lags, with a NaN, or whose parts differ in
// length; invalid_argument for lags that run backwards.
[[nodiscard]] TrialStatistics trial_statistics(const Trial& trial, const DecoderLags& lags);
// The same of a trial whose samples in the ranges `left_out` have no label.
[[nodiscard]] TrialStatistics trial_statistics(const Trial& trial, const DecoderLags& lags,
                                               std::span<const SampleRange> left_out);

// The same without xx and energies, which take most of the time: they are empty. For whoever wants what EEG and
// stimulus have in common, and for those who know them already.
[[nodiscard]] TrialStatistics cross_statistics(const Trial& trial, const DecoderLags& lags);

[[nodiscard]] TrialStatistics total(std::span<const TrialStatistics> trials);

struct Scales {
  SignalScales eeg{};
  SignalScales stimulus{};
};

// Mean 0 (band-passed signals have none) and the root mean square of the labelled samples. Throws bad_data naming
// the channels (counted from 1) that are flat.
[[nodiscard]] Scales scales_of(const TrialStatistics& statistics);

// As if every signal had been divided by its scale before.
[[nodiscard]] TrialStatistics standardised(TrialStatistics statistics, const Scales& scales);

}  // namespace heed::decode
