// SPDX-License-Identifier: MIT
#include "decode/dense/dense.h"
#include "decode/sample_labels.h"

#include <heed/data/error.h>
#include <heed/decode/alignment.h>
#include <heed/decode/reconstruction.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

// Where a brain's response to the envelope lies: auditory N1 and P2.
constexpr Seconds earliest_response{-0.05};
constexpr Seconds latest_response{0.35};
constexpr Seconds usual_centre{0.15};  // of its energy; single listeners differ by 0.1 s
constexpr Seconds response_length{0.3};
constexpr Seconds still_aligned{0.05};  // a decoder's peak may lie so far from 0
constexpr Seconds own_width{0.4};       // around a peak: its flanks say nothing of the noise
constexpr double clear_strength = 5;    // against sound that was not heard, real listeners reach 4
constexpr double offset_strength = 6;   // most recordings are aligned: that one is not takes more evidence

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The attended stimulus (first target), zero where nobody knows who is attended or the EEG is missing.
Matrix attended_stimulus(const Trial& trial) {
  const std::vector<Speaker> labels = usable_labels(trial);
  Matrix stimulus = Matrix::Zero(trial.samples(), 1);
  for (Index t = 0; t < trial.samples(); ++t) {
    const Speaker attended = labels[static_cast<std::size_t>(t)];
    if (attended != unknown_speaker) stimulus(t, 0) = trial.stimuli[static_cast<std::size_t>(attended)](t, 0);
  }
  return stimulus;
}

struct SampleDelays {
  Index first = 0;
  Index last = 0;
};

SampleDelays delays_in(Seconds earliest, Seconds latest, std::span<const Trial* const> trials) {
  if (trials.empty()) throw Error(ErrorKind::bad_data, "no trial whose alignment could be checked");
  const Hertz rate = trials.front()->sampling_frequency;
  for (const Trial* trial : trials) {
    check_trial(*trial);
    if (trial->sampling_frequency != rate || trial->eeg.cols() != trials.front()->eeg.cols()) {
      throw Error(ErrorKind::bad_data, place_of(*trial) + ": its rate or channels differ from those of the others");
    }
  }
  const SampleDelays delays{static_cast<Index>(std::floor(earliest * rate)),
                            static_cast<Index>(std::ceil(latest * rate))};
  if (delays.last <= delays.first) throw Error(ErrorKind::invalid_argument, "a range of delays that runs backwards");
  return delays;
}

// Sums over t of signal(t + delay) stimulus(t): delays x columns.
class ShiftedProducts {
 public:
  ShiftedProducts(SampleDelays delays, Index columns)
      : delays_(delays),
        cross_(Matrix::Zero(delays.last - delays.first + 1, columns)),
        gram_(Matrix::Zero(columns, columns)) {}

  void add(const Matrix& signal, const Matrix& stimulus) {
    constexpr Index block = 2048;  // rows: the delayed stimulus of a block stays in the cache
    for (Index first = 0; first < signal.rows(); first += block) {
      const Index rows = std::min(block, signal.rows() - first);
      const MatrixView part = data::view(signal).middle_rows(first, rows);
      const Matrix delayed = delayed_rows(stimulus, first, rows);
      add_product(data::view(cross_), data::view(delayed), part, 1);
      add_gram_lower(data::view(gram_), part, 1);
    }
    stimulus_power_ += stimulus.squaredNorm();
  }

  // The largest correlation of any mixture of the columns with the stimulus, delay by delay: sqrt(c' R^-1 c / yy).
  // R gets a small ridge, since re-referenced channels are sums of one another.
  [[nodiscard]] Eigen::VectorXd multiple_correlations() const {
    constexpr double ridge = 1e-2;
    const Index columns = gram_.cols();
    Matrix covariance = gram_;
    covariance.diagonal().array() += ridge * gram_.trace() / static_cast<double>(columns);
    Matrix white = cross_.transpose();
    const auto factor = Cholesky::of(std::move(covariance));
    if (!factor || !(stimulus_power_ > 0)) return Eigen::VectorXd::Zero(cross_.rows());
    factor->solve_lower(white);
    return (white.colwise().squaredNorm().transpose() / stimulus_power_).cwiseSqrt();
  }

  // Of a single column.
  [[nodiscard]] Eigen::VectorXd correlations() const {
    const double scale = std::sqrt(gram_(0, 0) * stimulus_power_);
    return scale > 0 ? Eigen::VectorXd(cross_.col(0) / scale) : Eigen::VectorXd::Zero(cross_.rows());
  }

 private:
  // Row t holds stimulus(t - delay) for every delay; zeros beyond the ends.
  [[nodiscard]] Matrix delayed_rows(const Matrix& stimulus, Index first, Index rows) const {
    Matrix delayed = Matrix::Zero(rows, cross_.rows());
    for (Index t = 0; t < rows; ++t) {
      for (Index d = 0; d < cross_.rows(); ++d) {
        const Index at = first + t - (delays_.first + d);
        if (at >= 0 && at < stimulus.rows()) delayed(t, d) = stimulus(at, 0);
      }
    }
    return delayed;
  }

  SampleDelays delays_;
  Matrix cross_;
  Matrix gram_;  // lower triangle
  double stimulus_power_ = 0;
};

DelayCurve curve_of(const Eigen::VectorXd& values, SampleDelays delays, Hertz rate) {
  DelayCurve curve;
  for (Index d = delays.first; d <= delays.last; ++d) {
    curve.delays.push_back({static_cast<double>(d) / rate.value});
    curve.values.push_back(values(d - delays.first));
  }
  return curve;
}

// Peak and strength; the verdict is still open.
Alignment peak_of(DelayCurve curve) {
  Alignment result;
  const auto largest = std::max_element(curve.values.begin(), curve.values.end());
  result.peak = curve.delays[static_cast<std::size_t>(largest - curve.values.begin())];
  std::vector<double> rest;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    if (std::abs(curve.delays[i].value - result.peak.value) > own_width.value) rest.push_back(curve.values[i]);
  }
  if (!rest.empty()) {
    const double level = median(rest);
    std::vector<double> distances;
    for (const double value : rest) distances.push_back(std::abs(value - level));
    const double deviation = 1.4826 * median(distances);  // of a normal distribution
    result.strength = deviation > 0 ? (*largest - level) / deviation : 0;
  }
  result.curve = std::move(curve);
  return result;
}

// Centre of the energy above the noise, in the stretch as long as a response that holds the peak and most of it.
Seconds centre_of_response(const DelayCurve& curve, Seconds peak) {
  const double level = median(curve.values);
  double most = -1;
  Seconds centre = peak;
  for (const Seconds begin : curve.delays) {
    if (begin > peak || begin + response_length < peak) continue;
    double energy = 0;
    double moment = 0;
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (curve.delays[i] < begin || curve.delays[i] > begin + response_length) continue;
      const double above = std::max(0.0, curve.values[i] - level);
      energy += above * above;
      moment += above * above * curve.delays[i].value;
    }
    if (energy > most) {
      most = energy;
      centre = {energy > 0 ? moment / energy : peak.value};
    }
  }
  return centre;
}

// `usual`: the peak lies where it should, else the EEG lies off by `offset`.
void judge(Alignment& alignment, bool usual, Seconds offset) {
  if (usual && alignment.strength >= clear_strength) alignment.verdict = AlignmentVerdict::aligned;
  if (!usual && alignment.strength >= offset_strength) {
    alignment.verdict = AlignmentVerdict::likely_offset;
    alignment.offset = offset;
  }
}

}  // namespace

Alignment check_alignment(std::span<const Trial* const> trials, const DelayRange& range) {
  const SampleDelays delays = delays_in(range.earliest, range.latest, trials);
  ShiftedProducts sums(delays, trials.front()->eeg.cols());
  for (const Trial* trial : trials) sums.add(trial->eeg, attended_stimulus(*trial));
  Alignment result = peak_of(curve_of(sums.multiple_correlations(), delays, trials.front()->sampling_frequency));
  judge(result, result.peak >= earliest_response && result.peak <= latest_response,
        centre_of_response(result.curve, result.peak) - usual_centre);
  return result;
}

Alignment score_against_shift(const Decoder& decoder, std::span<const Trial* const> trials, Seconds furthest) {
  const SampleDelays delays = delays_in(Seconds{-furthest.value}, furthest, trials);
  ShiftedProducts sums(delays, 1);
  for (const Trial* trial : trials) {
    const std::vector<Speaker> labels = usable_labels(*trial);
    Matrix stimulus = Matrix::Zero(trial->samples(), 1);
    for (std::size_t s = 0; s < trial->stimuli.size(); ++s) {
      const Matrix filtered = filtered_stimulus(decoder, *trial, static_cast<Speaker>(s));
      for (Index t = 0; t < trial->samples(); ++t) {
        if (labels[static_cast<std::size_t>(t)] == static_cast<Speaker>(s)) stimulus(t, 0) = filtered(t, 0);
      }
    }
    sums.add(reconstruct(decoder, *trial).leftCols(1), stimulus);
  }
  Alignment result = peak_of(curve_of(sums.correlations(), delays, trials.front()->sampling_frequency));
  judge(result, std::abs(result.peak.value) <= still_aligned.value, result.peak);
  return result;
}

std::string describe(const Alignment& alignment) {
  std::array<char, 200> text{};
  const double peak = 1000 * alignment.peak.value;
  const double offset = 1000 * std::abs(alignment.offset.value);
  switch (alignment.verdict) {
    case AlignmentVerdict::aligned:
      (void)std::snprintf(text.data(), text.size(), "aligned: the response peaks at %.0f ms (strength %.1f)", peak,
                          alignment.strength);
      break;
    case AlignmentVerdict::likely_offset:
      (void)std::snprintf(text.data(), text.size(),
                          "likely offset: the response peaks at %.0f ms (strength %.1f), so the EEG is about %.0f ms "
                          "%s relative to the sound",
                          peak, alignment.strength, offset, alignment.offset > Seconds{0} ? "late" : "early");
      break;
    case AlignmentVerdict::unclear:
      (void)std::snprintf(
          text.data(), text.size(),
          "no clear peak (largest at %.0f ms, strength %.1f): too little data, a weak response, or other sound", peak,
          alignment.strength);
      break;
  }
  return text.data();
}

}  // namespace heed::decode
