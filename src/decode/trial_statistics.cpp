// SPDX-License-Identifier: MIT
#include "decode/sample_labels.h"
#include "decode/statistics/lagged_sums.h"

#include <heed/data/error.h>
#include <heed/decode/trial_statistics.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace heed::decode {
namespace {

Index samples_in(Seconds duration, Hertz rate) { return static_cast<Index>(std::lround(duration * rate)); }

void check_lags(const Trial& trial, const DecoderLags& lags) {
  if (lags.eeg.count() < 1 || lags.stimulus.count() < 1) {
    throw Error(ErrorKind::invalid_argument, "the last lag is before the first");
  }
  const auto reach = [](LagRange range) { return std::max(std::abs(range.first), std::abs(range.last)); };
  const Index longest = std::max({reach(lags.eeg), reach(lags.stimulus), lags.eeg.count(), lags.stimulus.count()});
  if (trial.samples() <= longest) {
    throw Error(ErrorKind::bad_data, place_of(trial) + ": " + std::to_string(trial.samples()) +
                                         " samples are fewer than the lags reach (" + std::to_string(longest) +
                                         "); leave it out or use shorter lags");
  }
}

// A sum of squares is finite unless a value is not a number (or beyond 1e154, where no recording is).
void check_numbers(const Trial& trial, const TrialStatistics& statistics, MatrixView eeg) {
  if (!statistics.stimulus_squares.allFinite()) {
    throw Error(ErrorKind::bad_data,
                place_of(trial) + ": the stimulus holds values that are not numbers; correct its file");
  }
  if (statistics.squares.allFinite()) return;
  for (Index c = 0; c < eeg.columns; ++c) {
    for (Index t = 0; t < eeg.rows; ++t) {
      if (std::isfinite(eeg(t, c))) continue;
      throw Error(ErrorKind::bad_data, place_of(trial) + ": channel " + trial.channels[static_cast<std::size_t>(c)] +
                                           ", sample " + std::to_string(t + 1) +
                                           " is not a number; mark it as missing or leave the channel out");
    }
  }
}

// What a fit sees: zeros wherever a label or the EEG is missing. A trial that misses none is not copied.
struct Labelled {
  const Matrix* whole = nullptr;
  Matrix with_gaps{};  // empty: there are none
  Matrix stimulus{};
  double samples = 0;

  [[nodiscard]] const Matrix& eeg() const { return with_gaps.size() > 0 ? with_gaps : *whole; }
};

std::vector<Speaker> labels_but(const Trial& trial, std::span<const SampleRange> left_out) {
  std::vector<Speaker> labels = usable_labels(trial);
  for (const SampleRange& range : left_out) {
    const Index begin = std::clamp<Index>(range.first, 0, trial.samples());
    const Index end = std::clamp<Index>(range.first + range.count, begin, trial.samples());
    std::fill(labels.begin() + begin, labels.begin() + end, unknown_speaker);
  }
  return labels;
}

Labelled labelled(const Trial& trial, const DecoderLags& lags, std::span<const SampleRange> left_out) {
  check_trial(trial);
  check_lags(trial, lags);
  const std::vector<Speaker> labels = labels_but(trial, left_out);
  const auto unknown = std::count(labels.begin(), labels.end(), unknown_speaker);
  Labelled result{.whole = &trial.eeg, .samples = static_cast<double>(trial.samples() - unknown)};
  if (result.samples == 0) {
    throw Error(
        ErrorKind::bad_data,
        place_of(trial) + ": the attended speaker is not known in any of its samples; label them or leave it out");
  }
  if (unknown > 0) result.with_gaps = trial.eeg;
  result.stimulus = Matrix::Zero(trial.samples(), static_cast<Index>(trial.targets.size()));
  for (Index t = 0; t < trial.samples(); ++t) {
    const Speaker attended = labels[static_cast<std::size_t>(t)];
    if (attended == unknown_speaker) {
      result.with_gaps.row(t).setZero();
    } else {
      result.stimulus.row(t) = trial.stimuli[static_cast<std::size_t>(attended)].row(t);
    }
  }
  return result;
}

// All but xx and energies.
TrialStatistics cross_statistics(const Trial& trial, const Labelled& signals, const DecoderLags& lags) {
  const MatrixView x = data::view(signals.eeg());
  const MatrixView y = data::view(signals.stimulus);
  TrialStatistics result;
  result.lags = lags;
  result.channels = x.columns;
  result.targets = y.columns;
  result.samples = signals.samples;
  result.squares = signals.eeg().colwise().squaredNorm();
  result.stimulus_squares = signals.stimulus.colwise().squaredNorm();
  check_numbers(trial, result, x);
  result.xy = lagged_cross(x, y, lags);
  result.yy = narrow_lagged_gram(y, lags.stimulus);
  return result;
}

void check_same_shape(const TrialStatistics& a, const TrialStatistics& b) {
  if (a.lags == b.lags && a.channels == b.channels && a.targets == b.targets) return;
  throw Error(ErrorKind::invalid_argument,
              "statistics of different lags, channels or targets cannot be added: " + std::to_string(a.channels) +
                  " channels here, " + std::to_string(b.channels) + " there");
}

SignalScales root_mean_squares(const Eigen::VectorXd& squares, double samples, const std::string& signal) {
  SignalScales scales{Eigen::VectorXd::Zero(squares.size()), (squares / samples).cwiseSqrt()};
  std::string flat;
  for (Index c = 0; c < squares.size(); ++c) {
    if (!(scales.deviation(c) > 0)) flat += (flat.empty() ? "" : ", ") + std::to_string(c + 1);
  }
  if (!flat.empty()) {
    throw Error(ErrorKind::bad_data,
                signal + " " + flat + " (counted from 1): flat in the training data, so no scale; leave it out");
  }
  return scales;
}

Eigen::VectorXd repeated(const Eigen::VectorXd& values, Index times) { return values.replicate(times, 1); }

}  // namespace

DecoderLags least_squares_lags(Hertz sampling_frequency, Seconds longest) {
  return {{0, samples_in(longest, sampling_frequency)}, {0, 0}};
}

DecoderLags cca_lags(Hertz sampling_frequency, Seconds longest) {
  return {{0, samples_in(longest, sampling_frequency)}, {-samples_in(longest, sampling_frequency), 0}};
}

TrialStatistics trial_statistics(const Trial& trial, const DecoderLags& lags) {
  return trial_statistics(trial, lags, std::span<const SampleRange>{});
}

TrialStatistics trial_statistics(const Trial& trial, const DecoderLags& lags, std::span<const SampleRange> left_out) {
  const Labelled signals = labelled(trial, lags, left_out);
  TrialStatistics result = cross_statistics(trial, signals, lags);
  const MatrixView x = data::view(signals.eeg());
  result.xx = lagged_gram(x, lags.eeg);
  result.energies = energy_gram(x, lags.eeg);
  return result;
}

TrialStatistics cross_statistics(const Trial& trial, const DecoderLags& lags) {
  return cross_statistics(trial, labelled(trial, lags, {}), lags);
}

TrialStatistics& TrialStatistics::operator+=(const TrialStatistics& other) {
  if (channels == 0) return *this = other;
  check_same_shape(*this, other);
  samples += other.samples;
  xx += other.xx;
  xy += other.xy;
  yy += other.yy;
  energies += other.energies;
  squares += other.squares;
  stimulus_squares += other.stimulus_squares;
  return *this;
}

TrialStatistics& TrialStatistics::operator-=(const TrialStatistics& other) {
  check_same_shape(*this, other);
  samples -= other.samples;
  xx -= other.xx;
  xy -= other.xy;
  yy -= other.yy;
  energies -= other.energies;
  squares -= other.squares;
  stimulus_squares -= other.stimulus_squares;
  return *this;
}

TrialStatistics total(std::span<const TrialStatistics> trials) {
  if (trials.empty()) throw Error(ErrorKind::bad_data, "no trial to train on");
  TrialStatistics sum;
  for (const TrialStatistics& trial : trials) sum += trial;
  return sum;
}

Scales scales_of(const TrialStatistics& statistics) {
  return {root_mean_squares(statistics.squares, statistics.samples, "channel"),
          root_mean_squares(statistics.stimulus_squares, statistics.samples, "target")};
}

TrialStatistics standardised(TrialStatistics statistics, const Scales& scales) {
  const Eigen::VectorXd channel = scales.eeg.deviation.cwiseInverse();
  const Eigen::VectorXd target = scales.stimulus.deviation.cwiseInverse();
  const Eigen::VectorXd x = repeated(channel, statistics.lags.eeg.count());
  const Eigen::VectorXd y = repeated(target, statistics.lags.stimulus.count());
  const Eigen::VectorXd power = channel.cwiseAbs2();
  if (statistics.xx.size() > 0) {  // else they are those of cross_statistics()
    statistics.xx = x.asDiagonal() * statistics.xx * x.asDiagonal();
    statistics.energies = power.asDiagonal() * statistics.energies * power.asDiagonal();
  }
  statistics.xy = x.asDiagonal() * statistics.xy * y.asDiagonal();
  statistics.yy = y.asDiagonal() * statistics.yy * y.asDiagonal();
  statistics.squares = statistics.squares.cwiseProduct(power);
  statistics.stimulus_squares = statistics.stimulus_squares.cwiseProduct(target.cwiseAbs2());
  return statistics;
}

}  // namespace heed::decode
