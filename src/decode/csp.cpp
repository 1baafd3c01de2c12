// SPDX-License-Identifier: MIT
#include "decode/dense/dense.h"
#include "decode/sample_labels.h"

#include <decode/csp.h>
#include <dsp/sections.h>
#include <heed/data/error.h>
#include <heed/decode/cca.h>
#include <heed/decode/window_sums.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

using Bands = std::vector<std::pair<Hertz, Hertz>>;

void check_csp_trial(const Trial& trial) {
  check_trial(trial);
  if (trial.stimuli.size() != 2) {
    throw Error(ErrorKind::unsupported, place_of(trial) + ": CSP distinguishes two sides, but this trial has " +
                                            std::to_string(trial.stimuli.size()) +
                                            " speakers; use least squares or CCA");
  }
  if (!trial.eeg.allFinite()) throw Error(ErrorKind::bad_data, place_of(trial) + ": EEG that is not a number");
}

// Into storage that is used again for the next band.
void in_band(const CspModel& model, std::size_t band, const Matrix& eeg, Matrix& result) {
  // A band-pass of twice the order of the low-pass it is made from.
  const auto [low, high] = model.bands[band];
  result = eeg;
  dsp::filter_zero_phase(dsp::butterworth_band_pass(model.order / 2, {low, high}, model.sampling_frequency),
                         data::view(result));
}

// Sums over the samples of one class, of EEG in one band.
struct ClassCovariance {
  Matrix products{};  // the lower triangle
  double fourth_powers = 0;
  double samples = 0;

  ClassCovariance& operator+=(const ClassCovariance& other) {
    if (products.size() == 0) products = Matrix::Zero(other.products.rows(), other.products.cols());
    products += other.products;
    fourth_powers += other.fourth_powers;
    samples += other.samples;
    return *this;
  }

  void add(const Matrix& eeg, const std::vector<Speaker>& labels, Speaker wanted) {
    if (products.size() == 0) products = Matrix::Zero(eeg.cols(), eeg.cols());
    for (auto begin = labels.begin(); begin != labels.end();) {
      begin = std::find(begin, labels.end(), wanted);
      const auto end = std::find_if(begin, labels.end(), [&](Speaker label) { return label != wanted; });
      if (begin != end) add_rows(eeg, begin - labels.begin(), end - begin);
      begin = end;
    }
  }

  void add_rows(const Matrix& eeg, Index first, Index count) {
    add_gram_lower(data::view(products), data::view(eeg).middle_rows(first, count), 1);
    fourth_powers += eeg.middleRows(first, count).rowwise().squaredNorm().cwiseAbs2().sum();
    samples += static_cast<double>(count);
  }

  // Ledoit-Wolf, of trace 1.
  [[nodiscard]] Eigen::MatrixXd shrunk() const {
    const auto n = static_cast<double>(products.rows());
    const Eigen::MatrixXd covariance = Eigen::MatrixXd(products.selfadjointView<Eigen::Lower>()) / samples;
    const double mean = covariance.trace() / n;
    const double distance = covariance.squaredNorm() / n - mean * mean;
    const double spread = (fourth_powers / samples - covariance.squaredNorm()) / (n * samples);
    const double shrinkage = distance > 0 ? std::clamp(spread / distance, 0.0, 1.0) : 0;
    Eigen::MatrixXd result = (1 - shrinkage) * covariance;
    result.diagonal().array() += shrinkage * mean;
    return result / result.trace();
  }
};

// The filters whose output differs most between the classes: the largest and the smallest share of the first.
Eigen::MatrixXd spatial_filters(const std::array<ClassCovariance, 2>& classes, Index per_side) {
  for (const ClassCovariance& one : classes) {
    if (one.samples < 2) {
      throw Error(ErrorKind::bad_data, "CSP must have seen both speakers attended; train on trials of both");
    }
    if (!(one.products.trace() > 0)) throw Error(ErrorKind::singular, "all EEG channels are flat: no spatial filters");
  }
  const Eigen::MatrixXd first = classes[0].shrunk();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(first, first + classes[1].shrunk());
  if (solver.info() != Eigen::Success) {
    throw Error(ErrorKind::singular, "the covariances of the EEG cannot be inverted; leave out flat or equal channels");
  }
  const Index count = std::min(per_side, first.rows() / 2);
  Eigen::MatrixXd filters(first.rows(), 2 * count);
  filters << solver.eigenvectors().rightCols(count), solver.eigenvectors().leftCols(count);
  return filters;
}

// windows x filters: log of the mean square; NaN where a sample of the window is missing or the output is flat.
Matrix log_energies(const Eigen::Ref<const Matrix>& outputs, const Trial& trial, Seconds window) {
  const Index cells = cells_per_window(window);
  const Hertz rate = trial.sampling_frequency;
  Matrix result(whole_windows(trial.samples(), rate, window), outputs.cols());
  for (Index w = 0; w < result.rows(); ++w) {
    const Index begin = first_of_cell(w * cells, rate);
    const Index count = first_of_cell((w + 1) * cells, rate) - begin;
    result.row(w) =
        (outputs.middleRows(begin, count).colwise().squaredNorm() / static_cast<double>(count)).array().log();
    const auto touches = [&](const SampleRange& r) {
      return r.count > 0 && r.first < begin + count && begin < r.first + r.count;
    };
    const bool missing = std::any_of(trial.missing.begin(), trial.missing.end(), touches);
    if (missing || !result.row(w).allFinite()) result.row(w).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

Matrix side_by_side(const std::vector<Matrix>& parts) {
  Index width = 0;
  for (const Matrix& part : parts) width += part.cols();
  Matrix result(parts.front().rows(), width);
  Index column = 0;
  for (const Matrix& part : parts) {
    result.middleCols(column, part.cols()) = part;
    column += part.cols();
  }
  return result;
}

void filter_channels(const Matrix& eeg, const Matrix& filters, Matrix& outputs) {
  outputs.resize(eeg.rows(), filters.cols());
  multiply(data::view(outputs), data::view(eeg), data::view(filters));
}

// windows x (bands x filters).
Matrix features(const CspModel& model, const Trial& trial, Seconds window) {
  std::vector<Matrix> parts;
  Matrix eeg;
  Matrix outputs;
  for (std::size_t b = 0; b < model.bands.size(); ++b) {
    in_band(model, b, trial.eeg, eeg);
    filter_channels(eeg, model.filters[b], outputs);
    parts.push_back(log_energies(outputs, trial, window));
  }
  return side_by_side(parts);
}

// Windows of known attention, the first speaker's as attended.
void add_labelled(DiscriminantMoments& moments, const Matrix& energies, const Trial& trial, Seconds window) {
  const AttentionTrack labels = attention_track(trial, window);
  for (Index w = 0; w < energies.rows(); ++w) {
    const Speaker attended = labels.attended[static_cast<std::size_t>(w)];
    if (attended == unknown_speaker || energies.row(w).hasNaN()) continue;
    (attended == 0 ? moments.attended : moments.unattended).add(data::view(energies).row(w));
  }
}

Scores scores_of(const Matrix& energies, const LinearDiscriminant& discriminant, Seconds window) {
  Scores scores{Matrix(energies.rows(), 2), window};
  for (Index w = 0; w < energies.rows(); ++w) {
    const double s = energies.row(w) * discriminant.weights + discriminant.bias;
    scores.values.row(w) << s, -s;
  }
  return scores;
}

// channels x (folds x filters): those of the trials but the fold's own, side by side for one product with the EEG.
Matrix filters_of_folds(std::span<const std::array<ClassCovariance, 2>> trials, Index filters_per_side) {
  std::vector<Matrix> filters;
  for (std::size_t fold = 0; fold < trials.size(); ++fold) {
    std::array<ClassCovariance, 2> training;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      for (std::size_t c = 0; k != fold && c < 2; ++c) training[c] += trials[k][c];
    }
    filters.emplace_back(spatial_filters(training, filters_per_side));
  }
  return side_by_side(filters);
}

// Log-energies of every trial under the filters of every fold, band by band: only one band's EEG is held at a time.
class LeftOutFeatures {
 public:
  LeftOutFeatures(std::span<const Trial* const> trials, std::span<const Seconds> windows)
      : trials_(trials),
        windows_(windows),
        eeg_(trials.size()),
        parts_(trials.size() * trials.size() * windows.size()) {}

  void add_band(const CspModel& model, std::size_t band, Index filters_per_side) {
    std::vector<std::array<ClassCovariance, 2>> classes(trials_.size());
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      in_band(model, band, trials_[k]->eeg, eeg_[k]);
      const std::vector<Speaker> labels = usable_labels(*trials_[k]);
      for (std::size_t c = 0; c < 2; ++c) classes[k][c].add(eeg_[k], labels, static_cast<Speaker>(c));
    }
    const Matrix filters = filters_of_folds(classes, filters_per_side);
    const Index each = filters.cols() / std::ssize(trials_);
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      filter_channels(eeg_[k], filters, outputs_);
      for (std::size_t fold = 0; fold < trials_.size(); ++fold) {
        const auto outputs = outputs_.middleCols(static_cast<Index>(fold) * each, each);
        for (std::size_t w = 0; w < windows_.size(); ++w) {
          parts_[place(fold, k, w)].push_back(log_energies(outputs, *trials_[k], windows_[w]));
        }
      }
    }
  }

  [[nodiscard]] Scores scores(std::size_t fold, std::size_t window) const {
    DiscriminantMoments moments;
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      if (k == fold) continue;
      add_labelled(moments, side_by_side(parts_[place(fold, k, window)]), *trials_[k], windows_[window]);
    }
    return scores_of(side_by_side(parts_[place(fold, fold, window)]), fit_discriminant(moments), windows_[window]);
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t fold, std::size_t trial, std::size_t window) const {
    return (((fold * trials_.size()) + trial) * windows_.size()) + window;
  }

  std::span<const Trial* const> trials_;
  std::span<const Seconds> windows_;
  std::vector<Matrix> eeg_;  // of the band that is being added
  Matrix outputs_{};
  std::vector<std::vector<Matrix>> parts_;  // [fold, trial, window] a part per band
};

CspModel blank_model(std::span<const Trial* const> trials, const CspOptions& options) {
  if (trials.empty()) throw Error(ErrorKind::bad_data, "no trial to train on");
  if (options.order < 2 || options.order % 2 != 0 || options.filters_per_side < 1) {
    throw Error(ErrorKind::invalid_argument, "CSP needs an even order and at least 1 filter per side");
  }
  const Trial& first = *trials.front();
  for (const Trial* trial : trials) {
    check_csp_trial(*trial);
    if (trial->channels != first.channels || trial->sampling_frequency != first.sampling_frequency) {
      throw Error(ErrorKind::bad_data, place_of(*trial) + ": its channels or rate are not those of " + place_of(first));
    }
  }
  CspModel model;
  model.channels = first.channels;
  model.sampling_frequency = first.sampling_frequency;
  model.order = options.order;
  for (const auto& band : options.bands.empty() ? default_csp_bands() : options.bands) {
    if (band.second.value < 0.5 * first.sampling_frequency.value) model.bands.push_back(band);
  }
  if (model.bands.empty()) {
    throw Error(ErrorKind::bad_data, place_of(first) + ": its rate holds none of the bands; CSP needs at least 64 Hz");
  }
  return model;
}

}  // namespace

Bands default_csp_bands() {
  Bands bands{{Hertz{1}, Hertz{4}}};
  for (int low = 2; low <= 26; low += 2) bands.push_back({Hertz{double(low)}, Hertz{double(low + 4)}});
  return bands;
}

CspModel fit_csp(std::span<const Trial* const> trials, const CspOptions& options) {
  CspModel model = blank_model(trials, options);
  std::vector<std::array<ClassCovariance, 2>> classes(model.bands.size());
  Matrix eeg;
  for (const Trial* trial : trials) {
    const std::vector<Speaker> labels = usable_labels(*trial);
    for (std::size_t b = 0; b < model.bands.size(); ++b) {
      in_band(model, b, trial->eeg, eeg);
      for (std::size_t c = 0; c < 2; ++c) classes[b][c].add(eeg, labels, static_cast<Speaker>(c));
    }
  }
  for (const auto& band : classes) model.filters.push_back(spatial_filters(band, options.filters_per_side));

  DiscriminantMoments moments;
  for (const Trial* trial : trials) {
    add_labelled(moments, features(model, *trial, options.window), *trial, options.window);
  }
  model.discriminant = fit_discriminant(moments);
  return model;
}

Scores score_csp(const CspModel& model, const Trial& trial, Seconds window) {
  check_csp_trial(trial);
  if (trial.channels != model.channels || trial.sampling_frequency != model.sampling_frequency) {
    throw Error(ErrorKind::bad_data, place_of(trial) + ": its channels or rate are not those CSP was trained with");
  }
  return scores_of(features(model, trial, window), model.discriminant, window);
}

std::vector<std::vector<Scores>> cross_validate_csp(std::span<const Trial* const> trials,
                                                    std::span<const Seconds> windows, const CspOptions& options) {
  const CspModel model = blank_model(trials, options);
  LeftOutFeatures all(trials, windows);
  for (std::size_t b = 0; b < model.bands.size(); ++b) all.add_band(model, b, options.filters_per_side);
  std::vector<std::vector<Scores>> result(trials.size());
  for (std::size_t fold = 0; fold < trials.size(); ++fold) {
    for (std::size_t w = 0; w < windows.size(); ++w) result[fold].push_back(all.scores(fold, w));
  }
  return result;
}

}  // namespace heed::decode
