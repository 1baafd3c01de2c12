// SPDX-License-Identifier: MIT
#include <data/text.h>
#include "decode/sample_labels.h"

#include <heed/data/error.h>
#include <heed/decode/score.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A score for each speaker (a row of speakers) from the correlations of a window.
void score_window(const Decoder& decoder, const Matrix& correlations, std::span<double> scores) {
  if (correlations.hasNaN()) {
    std::ranges::fill(scores, nan);
    return;
  }
  const auto* cca = std::get_if<CcaDecoder>(&decoder.filters);
  if (cca == nullptr) {
    for (Index s = 0; s < std::ssize(scores); ++s) scores[static_cast<std::size_t>(s)] = correlations(s, 0);
    return;
  }
  for (Index s = 0; s < std::ssize(scores); ++s) {
    double sum = cca->discriminant.bias;
    for (Index p = 0; p < correlations.cols(); ++p) sum += cca->discriminant.weights(p) * fisher(correlations(s, p));
    scores[static_cast<std::size_t>(s)] = sum;
  }
}

void check_discriminant(const Decoder& decoder) {
  const auto* cca = std::get_if<CcaDecoder>(&decoder.filters);
  if (cca == nullptr || cca->discriminant.weights.size() == static_cast<Index>(cca->eeg_filters.size())) return;
  throw Error(ErrorKind::invalid_argument, "a CCA decoder of " + std::to_string(cca->eeg_filters.size()) +
                                               " pairs whose discriminant has " +
                                               std::to_string(cca->discriminant.weights.size()) + " weights");
}

void check_rate(const Decoder& decoder, const Trial& trial) {
  const double rate = decoder.preprocessing.sampling_frequency.value;
  if (std::abs(trial.sampling_frequency.value - rate) <= 1e-9 * rate) return;
  throw Error(ErrorKind::bad_data, place_of(trial) + ": sampled at " + data::shown(trial.sampling_frequency.value) +
                                       " Hz, but the decoder works at " + data::shown(rate) +
                                       " Hz; prepare it at that rate");
}

// Samples whose EEG at some lag is missing.
std::vector<char> spoilt_samples(const Trial& trial, LagRange lags) {
  std::vector<char> spoilt(static_cast<std::size_t>(trial.samples()), 0);
  for (const SampleRange& range : trial.missing) {
    const Index begin = std::clamp<Index>(range.first - lags.last, 0, trial.samples());
    const Index end = std::clamp<Index>(range.first + range.count - lags.first, begin, trial.samples());
    if (range.count > 0) std::fill(spoilt.begin() + begin, spoilt.begin() + end, char{1});
  }
  return spoilt;
}

Matrix as_rows(const std::vector<double>& values, Index columns) {
  return Eigen::Map<const Matrix>(values.data(), std::ssize(values) / columns, columns);
}

}  // namespace

ScoreType score_type(const Decoder& decoder, const WindowLayout& layout) {
  if (layout.steps) return ScoreType::step_cosine;
  return std::holds_alternative<CcaDecoder>(decoder.filters) ? ScoreType::log_odds : ScoreType::correlation;
}

CellSums cell_sums(const Decoder& decoder, const Trial& trial) {
  check_trial(trial);
  check_rate(decoder, trial);
  const Matrix u = reconstruct(decoder, trial);
  const auto speakers = static_cast<Index>(trial.stimuli.size());
  Matrix v(trial.samples(), speakers * u.cols());
  for (Index s = 0; s < speakers; ++s) {
    v.middleCols(s * u.cols(), u.cols()) = filtered_stimulus(decoder, trial, static_cast<Speaker>(s));
  }
  const std::vector<char> spoilt = spoilt_samples(trial, decoder.eeg_lags);
  CellSums cells(trial.sampling_frequency, speakers, u.cols());
  for (Index t = 0; t < trial.samples(); ++t) {
    cells.add(data::view(u).row(t), data::view(std::as_const(v)).row(t), spoilt[static_cast<std::size_t>(t)] != 0);
  }
  return cells;
}

WindowShape window_shape(const Decoder& decoder, const WindowLayout& layout) {
  check_layout(layout);
  const bool least_squares = std::holds_alternative<LeastSquaresDecoder>(decoder.filters);
  if (layout.steps && !least_squares) {
    throw Error(ErrorKind::unsupported,
                "steps are for least squares: the discriminant of CCA takes correlations of whole windows; use windows "
                "that overlap");
  }
  return {.cells = cells_per_window(layout.window),
          .hop = cells_per_window(layout.hop),
          .stacked = least_squares,
          .steps = layout.steps};
}

Scores scores_from(const Decoder& decoder, const CellSums& cells, const WindowLayout& layout) {
  check_discriminant(decoder);
  const WindowShape shape = window_shape(decoder, layout);
  WindowCorrelator correlator(decoder.rule, shape, cells);
  Scores scores{Matrix(shape.windows_in(cells.complete_cells()), cells.speakers()), layout.window, layout.hop};
  for (Index w = 0; w < scores.values.rows(); ++w) {
    score_window(decoder, correlator.next(cells), data::view(scores.values).row(w));
  }
  return scores;
}

Scores score(const Decoder& decoder, const Trial& trial, const WindowLayout& layout) {
  return std::move(score(decoder, trial, std::span<const WindowLayout>(&layout, 1)).front());
}

std::vector<Scores> score(const Decoder& decoder, const Trial& trial, std::span<const WindowLayout> layouts) {
  for (const WindowLayout& layout : layouts) (void)window_shape(decoder, layout);
  check_discriminant(decoder);
  const CellSums cells = cell_sums(decoder, trial);
  std::vector<Scores> scores;
  for (const WindowLayout& layout : layouts) scores.push_back(scores_from(decoder, cells, layout));
  return scores;
}

ScoredTrial scored_trial(const Decoder& decoder, const Trial& trial, const WindowLayout& layout) {
  return {trial.name, trial.onset, score(decoder, trial, layout), attention_track(trial, layout)};
}

StreamingScorer::StreamingScorer(const Decoder& decoder, Index speakers, const WindowLayout& layout)
    : decoder_(decoder),
      shape_(window_shape(decoder, layout)),
      eeg_(eeg_filters(decoder), decoder.eeg_lags, decoder.eeg_scales),
      cells_(decoder.preprocessing.sampling_frequency, speakers, static_cast<Index>(eeg_filters(decoder).size())),
      correlator_(decoder.rule, shape_) {
  check_discriminant(decoder);
  if (speakers < 1) throw Error(ErrorKind::invalid_argument, "at least one speaker is needed");
  const LaggedFilter stimulus(stimulus_filters(decoder), decoder.stimulus_lags, decoder.stimulus_scales);
  stimuli_.assign(static_cast<std::size_t>(speakers), stimulus);
  // Rows wait for the longest lag and no longer; so many more may come at once.
  constexpr Index rows_at_once = 64;
  const Index waiting = rows_at_once + 2 * (std::abs(decoder.eeg_lags.last) + std::abs(decoder.stimulus_lags.last) + 1);
  eeg_.reserve(rows_at_once);
  for (LaggedFilter& filter : stimuli_) filter.reserve(rows_at_once);
  waiting_.resize(static_cast<std::size_t>(speakers + 1));
  for (auto& rows : waiting_) rows.reserve(static_cast<std::size_t>(waiting * cells_.pairs()));
  missing_.reserve(static_cast<std::size_t>(waiting));
  stimulus_row_.resize(static_cast<std::size_t>(speakers * cells_.pairs()));
  const Index kept = std::max(shape_.cells, shape_.steps ? cells_of_power : 0);
  cells_.reserve(2 * kept + (rows_at_once / first_of_cell(1, cells_.sampling_frequency())) + 2);
  correlator_.reserve(speakers, cells_.pairs());
  correlations_.resize(speakers, shape_.stacked ? 1 : cells_.pairs());
}

bool StreamingScorer::is_missing(Index sample) const noexcept {
  return std::any_of(missing_.begin(), missing_.end(), [&](const SampleRange& range) {
    return range.first <= sample + decoder_.eeg_lags.last &&
           sample + decoder_.eeg_lags.first < range.first + range.count;
  });
}

void StreamingScorer::note_missing(const SampleRange& range) {
  if (range.count <= 0) return;
  const bool follows = !missing_.empty() && missing_.back().first + missing_.back().count == range.first;
  if (follows) {
    missing_.back().count += range.count;
  } else {
    missing_.push_back(range);
  }
}

void StreamingScorer::sum_up(std::vector<double>& scores) {
  const Index pairs = cells_.pairs();
  Index ready = std::ssize(waiting_.front());
  for (const auto& rows : waiting_) ready = std::min(ready, std::ssize(rows));
  ready /= pairs;
  for (Index t = 0; t < ready; ++t, ++summed_) {
    for (Index s = 0; s < cells_.speakers(); ++s) {
      const auto& rows = waiting_[static_cast<std::size_t>(s + 1)];
      std::copy_n(rows.begin() + t * pairs, pairs, stimulus_row_.begin() + s * pairs);
    }
    const std::span<const double> u(waiting_.front().data() + t * pairs, static_cast<std::size_t>(pairs));
    cells_.add(u, stimulus_row_, is_missing(summed_));
    score_windows(scores);
  }
  for (auto& rows : waiting_) rows.erase(rows.begin(), rows.begin() + ready * pairs);
  std::erase_if(missing_, [&](const SampleRange& range) {
    return range.first + range.count <= summed_ + decoder_.eeg_lags.first;
  });
}

void StreamingScorer::score_windows(std::vector<double>& scores) {
  for (; shape_.windows_in(cells_.complete_cells()) > scored_; ++scored_) {
    correlator_.next(cells_, data::view(correlations_));
    const std::size_t before = scores.size();
    scores.resize(before + static_cast<std::size_t>(cells_.speakers()));
    score_window(decoder_, correlations_, std::span(scores).subspan(before));
    cells_.forget_before(correlator_.first_needed_cell());
  }
}

void StreamingScorer::check(const SignalChunk& chunk) const {
  bool fits = static_cast<Index>(chunk.stimuli.size()) == cells_.speakers();
  for (const MatrixView& stimulus : chunk.stimuli) fits = fits && stimulus.rows == chunk.eeg.rows;
  if (!fits)
    throw Error(ErrorKind::invalid_argument, "a chunk needs equally many samples of the EEG and every speaker");
}

void StreamingScorer::push(const SignalChunk& chunk, std::vector<double>& scores) {
  check(chunk);
  for (const SampleRange& range : chunk.missing) note_missing({range.first + received_, range.count});
  for (std::size_t s = 0; s < stimuli_.size(); ++s) stimuli_[s].push(chunk.stimuli[s], waiting_[s + 1]);
  eeg_.push(chunk.eeg, waiting_.front());
  received_ += chunk.eeg.rows;
  sum_up(scores);
}

void StreamingScorer::finish(std::vector<double>& scores) {
  for (std::size_t s = 0; s < stimuli_.size(); ++s) stimuli_[s].finish(waiting_[s + 1]);
  eeg_.finish(waiting_.front());
  sum_up(scores);
}

void StreamingScorer::reset() noexcept {
  eeg_.reset();
  for (LaggedFilter& stimulus : stimuli_) stimulus.reset();
  for (auto& rows : waiting_) rows.clear();
  missing_.clear();
  cells_.reset();
  correlator_.reset();
  received_ = summed_ = scored_ = 0;
}

Matrix StreamingScorer::push(const SignalChunk& chunk) {
  std::vector<double> scores;
  push(chunk, scores);
  return as_rows(scores, cells_.speakers());
}

Matrix StreamingScorer::finish() {
  std::vector<double> scores;
  finish(scores);
  return as_rows(scores, cells_.speakers());
}

}  // namespace heed::decode
