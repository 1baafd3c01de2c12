// SPDX-License-Identifier: MIT
#include "decode/sample_labels.h"
#include "decode/training/fitting.h"

#include <heed/data/error.h>
#include <heed/decode/cca.h>
#include <heed/decode/score.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

struct Whitened {
  Cholesky eeg;
  Cholesky stimulus;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd;
  Index pairs = 0;
};

Cholesky stimulus_factor(Matrix covariance, double ridge) {
  if (!(ridge >= 0) || !std::isfinite(ridge)) {
    throw Error(ErrorKind::invalid_argument, "the stimulus ridge must be a number of at least 0; 0.001 is usual");
  }
  const double trace = covariance.trace();
  if (!(trace > 0)) throw Error(ErrorKind::singular, "the attended stimulus is silent in all training data");
  covariance.diagonal().array() += ridge * trace / static_cast<double>(covariance.rows());
  return factorised(std::move(covariance), "stimulus");
}

Whitened whitened(TrialStatistics statistics, const CcaOptions& options) {
  if (options.pairs < 1) throw Error(ErrorKind::invalid_argument, "CCA needs at least 1 pair");
  Matrix half = std::move(statistics.xy);
  Matrix yy = std::move(statistics.yy);
  Cholesky eeg = factorised(regularised(std::move(statistics), options.regularisation), "EEG");
  Cholesky stimulus = stimulus_factor(std::move(yy), options.stimulus_ridge);
  eeg.solve_lower(half);
  Matrix across = half.transpose();
  stimulus.solve_lower(across);
  // Tall and narrow: the decomposition begins with a QR, and what is left is as small as the stimulus.
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(across.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  const Index wanted = std::min<Index>(options.pairs, values.size());
  const auto carries = [&](double value) { return value > 1e-12 * values(0); };
  const Index pairs = std::count_if(values.data(), values.data() + wanted, carries);
  if (pairs == 0) {
    throw Error(ErrorKind::singular, "EEG and attended stimulus have nothing in common: one of them is silent");
  }
  return {std::move(eeg), std::move(stimulus), std::move(svd), pairs};
}

std::vector<Matrix> split(const Matrix& filters, Index lags, double factor) {
  std::vector<Matrix> result;
  for (Index p = 0; p < filters.cols(); ++p) {
    const Eigen::VectorXd filter = factor * filters.col(p);
    result.emplace_back(Eigen::Map<const Matrix>(filter.data(), lags, filter.size() / lags));
  }
  return result;
}

CcaOptions pair_options(const TrainingOptions& options, Regularisation regularisation) {
  return {std::move(regularisation), options.stimulus_ridge, options.pairs};
}

// The pairs of a decoder fitted on `statistics`; no discriminant.
Decoder with_pairs(Decoder decoder, TrialStatistics statistics, const TrainingOptions& options,
                   const Regularisation& regularisation) {
  TrialStatistics scaled = scaled_for(decoder, std::move(statistics), options);
  CcaDecoder pairs = fit_cca(std::move(scaled), pair_options(options, regularisation));
  pairs.window = options.window;
  decoder.filters = std::move(pairs);
  return decoder;
}

// One window's Fisher-transformed correlations, by what the discriminant is to tell apart.
void add_window(DiscriminantMoments& moments, const Matrix& correlations, Speaker attended, DiscriminantForm form) {
  std::vector<double> z(static_cast<std::size_t>(correlations.cols()));
  for (Index s = 0; s < correlations.rows(); ++s) {
    if (form == DiscriminantForm::per_speaker) {
      std::transform(correlations.row(s).begin(), correlations.row(s).end(), z.begin(), fisher);
      (s == attended ? moments.attended : moments.unattended).add(z);
    } else if (s != attended) {
      for (Index p = 0; p < correlations.cols(); ++p) {
        z[static_cast<std::size_t>(p)] = fisher(correlations(attended, p)) - fisher(correlations(s, p));
      }
      moments.attended.add(z);
      for (double& one : z) one = -one;
      moments.unattended.add(z);
    }
  }
}

// Of all labelled, complete windows.
DiscriminantMoments moments_of(const Decoder& decoder, const CellSums& cells, const Trial& trial, Seconds window,
                               DiscriminantForm form = DiscriminantForm::per_speaker) {
  const AttentionTrack labels = attention_track(trial, window);
  WindowCorrelator correlator(decoder.rule, window_shape(decoder, window), cells);
  DiscriminantMoments moments;
  for (Index w = 0; w < static_cast<Index>(labels.attended.size()); ++w) {
    const Speaker attended = labels.attended[static_cast<std::size_t>(w)];
    const Matrix correlations = correlator.next(cells);
    if (attended == unknown_speaker || correlations.hasNaN()) continue;
    add_window(moments, correlations, attended, form);
  }
  return moments;
}

// One pass over the samples, whatever the number of window lengths.
void add_moments(std::vector<DiscriminantMoments>& moments, const Decoder& decoder, const Trial& trial,
                 SampleRange samples, const TrainingOptions& options, std::span<const Seconds> windows) {
  const bool whole = samples.first == 0 && samples.count == trial.samples();
  const Trial part = whole ? Trial{} : slice(trial, samples);
  const Trial& used = whole ? trial : part;
  const CellSums cells = cell_sums(decoder, used);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    moments[w] += moments_of(decoder, cells, used, windows[w], options.discriminant);
  }
}

// Trained on a fold, and what it has not seen.
struct InnerDecoder {
  Decoder decoder{};
  std::vector<HeldOutPart> held_out{};
};

Index pairs_of(const Decoder& decoder) { return std::ssize(std::get<CcaDecoder>(decoder.filters).eeg_filters); }

// As many correlations as the pairs of every fold allow.
void keep_pairs(Decoder& decoder, Index pairs) {
  auto& cca = std::get<CcaDecoder>(decoder.filters);
  const auto count = static_cast<std::size_t>(pairs);
  cca.eeg_filters.resize(std::min(cca.eeg_filters.size(), count));
  cca.stimulus_filters.resize(cca.eeg_filters.size());
}

}  // namespace

CcaDecoder fit_cca(TrialStatistics statistics, const CcaOptions& options) {
  const DecoderLags lags = statistics.lags;
  const double deviation = std::sqrt(statistics.samples);
  const Whitened white = whitened(std::move(statistics), options);
  Matrix eeg = white.svd.matrixU().leftCols(white.pairs);
  Matrix stimulus = white.svd.matrixV().leftCols(white.pairs);
  white.eeg.solve_transposed(eeg);
  white.stimulus.solve_transposed(stimulus);
  // Both signs of a pair may turn together: the largest stimulus weight is positive.
  for (Index p = 0; p < white.pairs; ++p) {
    Index largest = 0;
    stimulus.col(p).cwiseAbs().maxCoeff(&largest);
    if (stimulus(largest, p) < 0) {
      stimulus.col(p) *= -1;
      eeg.col(p) *= -1;
    }
  }
  CcaDecoder decoder;
  decoder.eeg_filters = split(eeg, lags.eeg.count(), deviation);
  decoder.stimulus_filters = split(stimulus, lags.stimulus.count(), deviation);
  return decoder;
}

Eigen::VectorXd canonical_correlations(TrialStatistics statistics, const CcaOptions& options) {
  const Whitened white = whitened(std::move(statistics), options);
  return white.svd.singularValues().head(white.pairs);
}

DiscriminantMoments discriminant_moments(const Decoder& decoder, const Trial& trial) {
  return moments_of(decoder, cell_sums(decoder, trial), trial, std::get<CcaDecoder>(decoder.filters).window);
}

DiscriminantMoments discriminant_moments(const Decoder& decoder, const Trial& trial, SampleRange samples) {
  const bool whole = samples.first == 0 && samples.count == trial.samples();
  return whole ? discriminant_moments(decoder, trial) : discriminant_moments(decoder, slice(trial, samples));
}

Decoder train_pairs(std::span<const TrainingTrial> trials, const TrainingOptions& options) {
  TrialStatistics sum = training_total(trials, options.lags);
  return with_pairs(blank_decoder(trials, options), std::move(sum), options, settled(trials, options));
}

Decoder train_cca(std::span<const TrainingTrial> trials, const TrainingOptions& options) {
  return std::move(train_cca(trials, options, {&options.window, 1}).front());
}

std::vector<Decoder> train_cca(std::span<const TrainingTrial> trials, const TrainingOptions& options,
                               std::span<const Seconds> windows) {
  TrialStatistics sum = training_total(trials, options.lags);
  if (std::all_of(trials.begin(), trials.end(), [](const auto& t) { return t.trial->stimuli.size() < 2; })) {
    throw Error(
        ErrorKind::bad_data,
        "the training trials have only one speaker, so there is no unattended one to compare with; use least squares");
  }
  const Regularisation regularisation = settled(trials, options);
  const Decoder blank = blank_decoder(trials, options);
  std::vector<InnerDecoder> inner;
  for_each_fold(trials, sum, [&](TrainingFold fold) {
    inner.push_back({with_pairs(blank, std::move(fold.training), options, regularisation), std::move(fold.held_out)});
  });
  Decoder decoder = with_pairs(blank, std::move(sum), options, regularisation);
  Index pairs = pairs_of(decoder);
  for (const InnerDecoder& one : inner) pairs = std::min(pairs, pairs_of(one.decoder));
  keep_pairs(decoder, pairs);
  std::vector<DiscriminantMoments> moments(windows.size());
  for (InnerDecoder& one : inner) {
    keep_pairs(one.decoder, pairs);
    for (const HeldOutPart& part : one.held_out)
      add_moments(moments, one.decoder, *trials[part.trial].trial, part.samples, options, windows);
  }
  std::vector<Decoder> result(windows.size(), decoder);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    auto& filters = std::get<CcaDecoder>(result[w].filters);
    filters.window = windows[w];
    filters.discriminant = fit_discriminant(moments[w]);
  }
  return result;
}

}  // namespace heed::decode
