// SPDX-License-Identifier: MIT
// Canonical correlation analysis: EEG and attended stimulus both filtered so that they correlate best, several pairs,
// and one discriminant over their correlations (docs/decoding.md, CCA and Discriminant).
#pragma once

#include <heed/data/decoder.h>
#include <heed/decode/least_squares.h>

#include <span>
#include <vector>

namespace heed::decode {

// One linear discriminant for all speakers: is this one attended, given the correlations of a window? Sums add, so
// folds and participants are pooled.

// Sums over windows of one class.
struct ClassMoments {
  double count = 0;
  Eigen::VectorXd sum{};
  Eigen::MatrixXd products{};  // sum of z z'

  void add(std::span<const double> z);
  ClassMoments& operator+=(const ClassMoments& other);
};

struct DiscriminantMoments {
  ClassMoments attended{};
  ClassMoments unattended{};
  DiscriminantMoments& operator+=(const DiscriminantMoments& other);
};

// w = Sw^-1 (m_a - m_u), bias = -w'(m_a + m_u)/2, Sw the covariance within classes, both classes equally likely
// before: w'z + bias are log-odds. Throws bad_data if a class has fewer than 2 windows, singular if Sw cannot be
// inverted.
[[nodiscard]] LinearDiscriminant fit_discriminant(const DiscriminantMoments& moments);

struct CcaOptions {
  Regularisation regularisation{};  // of the EEG; `cross_validated` is refused (choose_ridge first)
  double stimulus_ridge = 1e-3;     // times tr/n, on yy
  Index pairs = 10;                 // fewer where the stimulus has fewer dimensions
  friend bool operator==(const CcaOptions&, const CcaOptions&) = default;
};

// The pairs alone, the best first, each with training correlation > 0 and unit variance on both sides; the
// discriminant is left empty. Throws singular if a covariance cannot be inverted.
[[nodiscard]] CcaDecoder fit_cca(TrialStatistics statistics, const CcaOptions& options);

// Correlations of the pairs on the training data itself, regularised as in the fit.
[[nodiscard]] Eigen::VectorXd canonical_correlations(TrialStatistics statistics, const CcaOptions& options);

// Fisher-transformed correlations of every labelled, complete window of decoder.window that lies within `samples`,
// of the attended speaker and of the others. `decoder` must hold a CcaDecoder; what it was trained on must not hold
// these samples (in training, correlations are inflated).
[[nodiscard]] DiscriminantMoments discriminant_moments(const Decoder& decoder, const Trial& trial, SampleRange samples);
[[nodiscard]] DiscriminantMoments discriminant_moments(const Decoder& decoder, const Trial& trial);

// The pairs of all trials in a decoder whose discriminant is left empty: it filters, but cannot score. For whoever has
// nothing but the attended speech, or wants the components alone.
[[nodiscard]] Decoder train_pairs(std::span<const TrainingTrial> trials, const TrainingOptions& options);

// A whole decoder: pairs from all trials, the discriminant from an inner cross-validation (training_folds). Its
// preprocessing, participants and origin are the caller's to fill in. Throws bad_data where all trials have one
// speaker only: there is nothing to tell apart.
[[nodiscard]] Decoder train_cca(std::span<const TrainingTrial> trials, const TrainingOptions& options);
// [w] the same pairs with a discriminant for windows of windows[w]; all from one inner cross-validation.
[[nodiscard]] std::vector<Decoder> train_cca(std::span<const TrainingTrial> trials, const TrainingOptions& options,
                                             std::span<const Seconds> windows);

}  // namespace heed::decode
