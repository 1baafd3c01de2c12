// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/session/row_scorer.h>

#include <algorithm>

namespace heed::live {
namespace {

constexpr std::size_t windows_at_once = 64;

decode::AdaptiveScorer adaptive_scorer(const Decoder& decoder, Index speakers, const SessionOptions& options) {
  if (options.window.hop != options.window.window || options.window.steps) {
    throw Error(ErrorKind::invalid_argument,
                "a decoder that learns while it listens has windows end to end; leave out hop and step");
  }
  const AdaptiveSession& adaptive = *options.adaptive;
  return {adaptive.starts.empty() ? decode::AdaptiveStart{} : adaptive.starts.front(),
          {.channels = std::ssize(decoder.channels),
           .lags = adaptive.eeg_lags,
           .talkers = speakers,
           .sampling_frequency = decoder.preprocessing.sampling_frequency,
           .window = options.window.window},
          adaptive.adaptation};
}

}  // namespace

RowScorer::RowScorer(const Decoder& decoder, Index speakers, const SessionOptions& options)
    : fixed_(decoder, speakers, options.window) {
  if (!options.adaptive) return;
  adaptive_.emplace(adaptive_scorer(decoder, speakers, options));
  starts_ = options.adaptive->starts;
  if (options.adaptive->learnt) adaptive_->decoder().resume(*options.adaptive->learnt);
  log_likelihoods_.reserve(windows_at_once * static_cast<std::size_t>(speakers));
}

void RowScorer::keep_log_likelihoods() {
  const auto fresh = adaptive_->log_likelihoods();
  log_likelihoods_.insert(log_likelihoods_.end(), fresh.begin(), fresh.end());
}

void RowScorer::push(const decode::SignalChunk& chunk, std::vector<double>& scores) {
  if (!adaptive_) return fixed_.push(chunk, scores);
  adaptive_->push(chunk, scores);
  keep_log_likelihoods();
}

void RowScorer::finish(std::vector<double>& scores) {
  if (!adaptive_) return fixed_.finish(scores);
  adaptive_->finish(scores);
  keep_log_likelihoods();
}

void RowScorer::reset() noexcept {
  fixed_.reset();
  if (adaptive_) adaptive_->reset();
}

void RowScorer::begin_trial() {
  if (!adaptive_ || starts_.empty()) return;
  const std::size_t trial = std::min(trials_++, starts_.size() - 1);
  if (trial > 0) adaptive_->lean_on(starts_[trial]);
}

}  // namespace heed::live
