// SPDX-License-Identifier: MIT
// A trained decoder as a plain value: filters over channels and lags, the rule of its scores, and all that is needed to
// prepare new signals as its training data were. The layer `decode` fits and applies it; `io` keeps it as versioned
// JSON.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/preprocessing.h>
#include <heed/data/units.h>

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heed::data {

// How a window of two signals becomes one number. Scores of another rule mean something else, so a decoder's file keeps
// it (docs/recipe.md has the reasons).

enum class WindowMeasure {
  pearson,  // the mean of the window is taken off first (the paper)
  cosine,   // it is not, and the powers are shrunk towards those of the whole signal
};

struct ScoreRule {
  WindowMeasure measure = WindowMeasure::pearson;
  // Of the cosine: sum u v / sqrt((sum u^2 + shrinkage w s_u^2)(sum v^2 + shrinkage w s_v^2)), w samples. More keeps
  // faint windows from shouting; 0 is the plain cosine.
  double shrinkage = 0.3;
  // Of the cosine: s^2 is the power over the trial; with a memory, a running estimate of this length, which a live
  // session can have.
  std::optional<Seconds> memory{};
  friend bool operator==(const ScoreRule&, const ScoreRule&) = default;
};

// Samples, both ends included. EEG lags are positive: what was heard at t is in the EEG of t ... t+last.
struct LagRange {
  Index first = 0;
  Index last = 0;
  [[nodiscard]] constexpr Index count() const noexcept { return last - first + 1; }
  friend bool operator==(const LagRange&, const LagRange&) = default;
};

// The targets of the attended speaker are reconstructed from the EEG.
struct LeastSquaresDecoder {
  Matrix weights{};  // EEG lags x channels; of several targets one below the other
};

// Pooled over speakers: log-odds that a speaker is the attended one, given the correlations of a window.
struct LinearDiscriminant {
  Eigen::VectorXd weights{};  // one per pair
  double bias = 0;
};

// Canonical pairs: EEG and stimulus filtered so that they correlate best, the best pair first.
struct CcaDecoder {
  std::vector<Matrix> eeg_filters{};       // [pair] EEG lags x channels
  std::vector<Matrix> stimulus_filters{};  // [pair] stimulus lags x targets
  LinearDiscriminant discriminant{};       // of the Fisher-transformed correlations of one window length
  Seconds window{1};                       // that length
};

// What one unit of a prepared signal is: signals are (x - mean) / deviation before they are decoded.
struct SignalScales {
  Eigen::VectorXd mean{};
  Eigen::VectorXd deviation{};
};

struct Decoder {
  std::variant<LeastSquaresDecoder, CcaDecoder> filters{};
  std::vector<std::string> channels{};
  std::vector<std::string> targets{"envelope"};
  LagRange eeg_lags{};
  LagRange stimulus_lags{};  // 0 ... 0 for least squares
  Preprocessing preprocessing{};
  ScoreRule rule{};
  SignalScales eeg_scales{};        // one per channel; used by causal decoders, of the training data
  SignalScales stimulus_scales{};   // one per target
  std::size_t participants = 0;     // trained on so many
  std::string origin{};             // one line for people: what it was trained on
  std::vector<std::string> runs{};  // names of the runs it was trained on: on these its scores would flatter it
};

}  // namespace heed::data

namespace heed {
using data::CcaDecoder;
using data::Decoder;
using data::LagRange;
using data::LeastSquaresDecoder;
using data::LinearDiscriminant;
using data::ScoreRule;
using data::SignalScales;
using data::WindowMeasure;
}  // namespace heed
