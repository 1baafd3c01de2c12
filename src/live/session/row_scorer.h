// SPDX-License-Identifier: MIT
// The decoder of a session, row by row: one that is as it is, or one that learns while it listens.
#pragma once

#include <heed/decode/adaptive_decoder.h>
#include <heed/decode/score.h>
#include <heed/live/session.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::live {

class RowScorer {
 public:
  // `decoder` says what signals are like. Throws as the decoders do.
  RowScorer(const Decoder& decoder, Index speakers, const SessionOptions& options);

  // Append scores of windows that became complete, one row per window.
  void push(const decode::SignalChunk& chunk, std::vector<double>& scores);
  void finish(std::vector<double>& scores);
  void reset() noexcept;
  // A trial begins, after reset(): where it was said what to start from in each, that is leant on.
  void begin_trial();
  // Scores by this one from now on, and hands back what was used before.
  void swap(decode::StreamingScorer& scorer) noexcept { std::swap(fixed_, scorer); }

  // Nothing: it does not learn.
  [[nodiscard]] decode::AdaptiveDecoder* learning() noexcept { return adaptive_ ? &adaptive_->decoder() : nullptr; }
  [[nodiscard]] const decode::AdaptiveDecoder* learning() const noexcept {
    return adaptive_ ? &adaptive_->decoder() : nullptr;
  }
  // Of the windows that were scored since they were last taken away, one row each; only of one that learns.
  [[nodiscard]] std::span<const double> log_likelihoods() const noexcept { return log_likelihoods_; }
  void take_log_likelihoods() noexcept { log_likelihoods_.clear(); }

 private:
  void keep_log_likelihoods();

  decode::StreamingScorer fixed_;
  std::optional<decode::AdaptiveScorer> adaptive_{};
  std::vector<decode::AdaptiveStart> starts_{};
  std::size_t trials_ = 0;
  std::vector<double> log_likelihoods_{};
};

}  // namespace heed::live
