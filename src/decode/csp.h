// SPDX-License-Identifier: MIT
// Common spatial patterns: which side a listener attends from the power of EEG rhythms, without the speech. Here to
// show scores that are correlated from window to window (docs/decoding.md, CSP). Two speakers only; wants broadband
// EEG (not band-passed to 1-9 Hz) at 64 Hz or more.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/trial.h>

#include <span>
#include <utility>
#include <vector>

namespace heed::decode {

struct CspOptions {
  std::vector<std::pair<Hertz, Hertz>> bands{};  // empty: default_csp_bands(), those above the rate's reach left out
  Index filters_per_side = 3;                    // so many for each of the two classes
  int order = 8;                                 // of the band-passes as a whole, before they run backwards too
  Seconds window{1};                             // whose log-energies the discriminant learns
  friend bool operator==(const CspOptions&, const CspOptions&) = default;
};

// 1-4, 2-6, 4-8, 6-10 ... 26-30 Hz.
[[nodiscard]] std::vector<std::pair<Hertz, Hertz>> default_csp_bands();

struct CspModel {
  std::vector<std::string> channels{};
  Hertz sampling_frequency{};
  std::vector<std::pair<Hertz, Hertz>> bands{};
  int order = 8;
  std::vector<Eigen::MatrixXd> filters{};  // [band] channels x filters
  LinearDiscriminant discriminant{};       // of the log-energies, bands x filters; > 0: the first speaker
};

// Throws unsupported for other than two speakers, bad_data where a class was never attended, singular for covariances
// that cannot be inverted.
[[nodiscard]] CspModel fit_csp(std::span<const Trial* const> trials, const CspOptions& options = {});

// Log-odds: the first speaker's column is s, the second's -s. Missing windows as in score().
[[nodiscard]] Scores score_csp(const CspModel& model, const Trial& trial, Seconds window);

// Leave one trial out: [trial][window length] the scores of each trial by a model fitted to the other trials that have
// labels, the discriminant learnt at that length. As fit_csp and score_csp give them, but every trial runs through each
// band-pass once. options.window is not looked at.
[[nodiscard]] std::vector<std::vector<Scores>> cross_validate_csp(std::span<const Trial* const> trials,
                                                                  std::span<const Seconds> windows,
                                                                  const CspOptions& options = {});

}  // namespace heed::decode
