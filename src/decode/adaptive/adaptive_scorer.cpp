// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/decode/adaptive_decoder.h>
#include <heed/decode/window_sums.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

// Divides signals by their deviation so far, the past fading with a memory. A row in which a signal is no number says
// nothing of any.
class RunningScale {
 public:
  RunningScale(Index signals, double memory_samples)
      : kept_(std::exp(-1 / memory_samples)), squares_(static_cast<std::size_t>(signals)) {}

  // False: something is no number, and the row is all zeros.
  bool apply(std::span<const double> row, std::span<double> scaled) noexcept {
    if (!std::ranges::all_of(row, [](double value) { return std::isfinite(value); })) {
      std::ranges::fill(scaled, 0.0);
      return false;
    }
    weight_ = kept_ * weight_ + 1;
    for (std::size_t k = 0; k < row.size(); ++k) {
      squares_[k] = kept_ * squares_[k] + row[k] * row[k];
      const double power = squares_[k] / weight_;
      scaled[k] = power > 0 ? row[k] / std::sqrt(power) : 0;
    }
    return true;
  }
  void reset() noexcept {
    weight_ = 0;
    std::ranges::fill(squares_, 0.0);
  }

 private:
  double kept_;
  double weight_ = 0;
  std::vector<double> squares_;
};

// Rows of a signal, from some row on, and whether each is there.
class KeptRows {
 public:
  KeptRows(Index columns, Index first, Index most) : columns_(columns), start_(first), first_(first) {
    values_.reserve(static_cast<std::size_t>(most * columns));
    there_.reserve(static_cast<std::size_t>(most));
  }

  [[nodiscard]] std::span<double> append() {
    values_.resize(values_.size() + static_cast<std::size_t>(columns_), 0.0);
    there_.push_back(1);
    return std::span(values_).last(static_cast<std::size_t>(columns_));
  }
  void lose_last() noexcept { there_.back() = 0; }
  [[nodiscard]] Index end() const noexcept { return first_ + std::ssize(there_); }
  [[nodiscard]] MatrixView rows(Index begin, Index end) const noexcept {
    return {values_.data() + (begin - first_) * columns_, end - begin, columns_, columns_};
  }
  [[nodiscard]] bool are_there(Index begin, Index end) const noexcept {
    return std::find(there_.begin() + (begin - first_), there_.begin() + (end - first_), 0) ==
           there_.begin() + (end - first_);
  }
  void forget_before(Index row) {
    const Index done = std::clamp<Index>(row - first_, 0, std::ssize(there_));
    values_.erase(values_.begin(), values_.begin() + done * columns_);
    there_.erase(there_.begin(), there_.begin() + done);
    first_ += done;
  }
  void reset() noexcept {
    values_.clear();
    there_.clear();
    first_ = start_;
  }

 private:
  Index columns_;
  Index start_;
  Index first_;  // the row that values_ begin with
  std::vector<double> values_{};
  std::vector<unsigned char> there_{};
};

Index nominal_samples(const AdaptiveScorer::Shape& shape) {
  if (!(shape.sampling_frequency.value > 0) || !(shape.memory.value > 0)) {
    throw Error(ErrorKind::invalid_argument, "a sampling frequency and a memory must be above 0");
  }
  return first_of_cell(cells_per_window(shape.window), shape.sampling_frequency);
}

}  // namespace

struct AdaptiveScorer::State {
  State(const AdaptiveStart& start, const Shape& given, const AdaptationOptions& options,
        std::span<const double> rivals)
      : shape(given),
        cells(cells_per_window(given.window)),
        eeg_scale(given.channels, given.memory * given.sampling_frequency),
        speech_scale(given.talkers, given.memory * given.sampling_frequency),
        eeg(given.channels, std::min<Index>(0, given.lags.first), most_rows()),
        speech(given.talkers, 0, most_rows()),
        speech_row(static_cast<std::size_t>(given.talkers)) {
    constexpr Index windows_at_once = 64;
    log_likelihoods.reserve(static_cast<std::size_t>(windows_at_once * given.talkers));
    const AdaptiveShape window{given.channels, given.lags, given.talkers, nominal_samples(given)};
    decoders.reserve(rivals.size() + 1);
    decoders.emplace_back(start, window, options);
    for (const double windows : rivals) {
      AdaptationOptions rival = options;
      rival.population_windows = windows;
      decoders.emplace_back(start, window, rival, &decoders.front());
    }
    pad_start();
  }

  [[nodiscard]] Index most_rows() const {
    const Index reach = std::abs(shape.lags.first) + std::abs(shape.lags.last);
    return nominal_samples(shape) + 2 * reach + 2;
  }
  [[nodiscard]] Index window_start(Index window) const {
    return first_of_cell(window * cells, shape.sampling_frequency);
  }
  void pad_start() {
    while (eeg.end() < 0) (void)eeg.append();
  }
  void take_row(const SignalChunk& chunk, Index row);
  void score_windows(std::vector<double>& scores);
  void clear() noexcept;

  Shape shape;
  Index cells;
  std::vector<AdaptiveDecoder> decoders{};  // the first leads the others
  RunningScale eeg_scale;
  RunningScale speech_scale;
  KeptRows eeg;
  KeptRows speech;
  std::vector<double> speech_row;
  std::vector<double> log_likelihoods{};
  Index next_window = 0;
};

void AdaptiveScorer::State::take_row(const SignalChunk& chunk, Index row) {
  const bool missing = std::ranges::any_of(
      chunk.missing, [&](const SampleRange& range) { return row >= range.first && row < range.first + range.count; });
  const std::span<double> eeg_row = eeg.append();
  if (missing || !eeg_scale.apply(chunk.eeg.row(row), eeg_row)) eeg.lose_last();
  for (std::size_t j = 0; j < speech_row.size(); ++j) speech_row[j] = chunk.stimuli[j](row, 0);
  if (!speech_scale.apply(speech_row, speech.append())) speech.lose_last();
}

void AdaptiveScorer::State::score_windows(std::vector<double>& scores) {
  for (;; ++next_window) {
    const Index begin = window_start(next_window);
    const Index end = window_start(next_window + 1);
    if (speech.end() < end || eeg.end() < end + shape.lags.last) return;
    const Index first = begin + shape.lags.first;
    const Index last = end + shape.lags.last;
    const AdaptiveSignals signals{.eeg = eeg.rows(first, last),
                                  .speech = speech.rows(begin, end),
                                  .eeg_missing = !eeg.are_there(first, last),
                                  .missing = !speech.are_there(begin, end)};
    for (AdaptiveDecoder& decoder : decoders) {
      const AdaptiveWindow window = decoder.step(signals);
      scores.insert(scores.end(), window.scores.begin(), window.scores.end());
      if (&decoder != &decoders.front()) continue;
      log_likelihoods.insert(log_likelihoods.end(), window.log_likelihoods.begin(), window.log_likelihoods.end());
    }
    eeg.forget_before(end + shape.lags.first);
    speech.forget_before(end);
  }
}

void AdaptiveScorer::State::clear() noexcept {
  eeg.reset();
  speech.reset();
  eeg_scale.reset();
  speech_scale.reset();
  next_window = 0;
  pad_start();
}

AdaptiveScorer::AdaptiveScorer(const AdaptiveStart& start, const Shape& shape, const AdaptationOptions& options,
                               std::span<const double> rivals)
    : state_(std::make_unique<State>(start, shape, options, rivals)) {}
AdaptiveScorer::~AdaptiveScorer() = default;
AdaptiveScorer::AdaptiveScorer(AdaptiveScorer&&) noexcept = default;
AdaptiveScorer& AdaptiveScorer::operator=(AdaptiveScorer&&) noexcept = default;

void AdaptiveScorer::push(const SignalChunk& chunk, std::vector<double>& scores) {
  State& s = *state_;
  bool fits = chunk.eeg.columns == s.shape.channels && std::ssize(chunk.stimuli) == s.shape.talkers;
  for (const MatrixView& stimulus : chunk.stimuli) {
    fits = fits && stimulus.rows == chunk.eeg.rows && stimulus.columns == 1;
  }
  if (!fits) {
    throw Error(ErrorKind::invalid_argument, "a chunk needs equally many samples of " +
                                                 std::to_string(s.shape.channels) + " channels and of one target of " +
                                                 std::to_string(s.shape.talkers) + " talkers");
  }
  s.log_likelihoods.clear();
  for (Index row = 0; row < chunk.eeg.rows; ++row) {
    s.take_row(chunk, row);
    s.score_windows(scores);
  }
}

void AdaptiveScorer::finish(std::vector<double>& scores) {
  State& s = *state_;
  s.log_likelihoods.clear();
  while (s.eeg.end() < s.speech.end() + s.shape.lags.last) {
    (void)s.eeg.append();
    s.score_windows(scores);
  }
  reset();
}

void AdaptiveScorer::reset() noexcept {
  for (AdaptiveDecoder& decoder : state_->decoders) decoder.restart();
  state_->clear();
}

std::span<const double> AdaptiveScorer::log_likelihoods() const noexcept { return state_->log_likelihoods; }
std::size_t AdaptiveScorer::rivals() const noexcept { return state_->decoders.size() - 1; }
AdaptiveDecoder& AdaptiveScorer::decoder() noexcept { return state_->decoders.front(); }
const AdaptiveDecoder& AdaptiveScorer::decoder() const noexcept { return state_->decoders.front(); }

void AdaptiveScorer::lean_on(const AdaptiveStart& start) {
  for (AdaptiveDecoder& decoder : state_->decoders) decoder.lean_on(start);
}

}  // namespace heed::decode
