// SPDX-License-Identifier: MIT
// How a user says which decoder to train on which signals.
#pragma once

#include <heed/data/decoder.h>
#include <heed/decode/least_squares.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed::pipeline {

enum class DecoderKind { least_squares, cca, csp };

// As options and file names call it: ls, cca, csp.
[[nodiscard]] std::string_view name(DecoderKind kind) noexcept;

// What powers of the cosine are estimated from by default where filters are causal, as there is no whole trial live.
inline constexpr Seconds live_memory{60};

struct DecoderChoice {
  DecoderKind kind = DecoderKind::cca;
  Preprocessing preprocessing{};
  decode::Regularisation regularisation{};
  Seconds first_lag{0};                 // of the EEG behind the stimulus
  Seconds longest_lag{0.25};            // likewise; longer needs more data
  Index pairs = 10;                     // of CCA
  ScoreRule rule{};                     // of a window's score
  std::vector<std::string> channels{};  // use these only, in this order; empty: all that are good
};

// Throws invalid_argument for what makes no decoder: lags that are not positive, no pairs.
[[nodiscard]] decode::TrainingOptions training_options(const DecoderChoice& choice, Seconds window);

// The signals a decoder wants: CSP reads rhythms up to 30 Hz and no sound, so band and targets are its own.
[[nodiscard]] Preprocessing signals_for(const DecoderChoice& choice);

}  // namespace heed::pipeline
