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
void score_window(const Decoder& decoder, const Matrix& correlations, Eigen::Ref<Eigen::RowVectorXd> scores) {
  if (correlations.hasNaN()) {
    scores.setConstant(nan);
    return;
  }
  const auto* cca = std::get_if<CcaDecoder>(&decoder.filters);
  if (cca == nullptr) {
    scores = correlations.col(0).transpose();
    return;
  }
  for (Index s = 0; s < scores.size(); ++s) {
    double sum = cca->discriminant.bias;
    for (Index p = 0; p < correlations.cols(); ++p) sum += cca->discriminant.weights(p) * fisher(correlations(s, p));
    scores(s) = sum;
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

Matrix joined(const Matrix& above, const Matrix& below) {
  Matrix result(above.rows() + below.rows(), below.cols());
  if (above.rows() > 0) result.topRows(above.rows()) = above;
  result.bottomRows(below.rows()) = below;
  return result;
}

}  // namespace

ScoreType score_type(const Decoder& decoder) {
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

WindowShape window_shape(const Decoder& decoder, Seconds window) {
  return {.cells = cells_per_window(window), .stacked = std::holds_alternative<LeastSquaresDecoder>(decoder.filters)};
}

Scores scores_from(const Decoder& decoder, const CellSums& cells, Seconds window) {
  check_discriminant(decoder);
  const WindowShape shape = window_shape(decoder, window);
  WindowCorrelator correlator(decoder.rule, shape, cells);
  Scores scores{Matrix(cells.complete_cells() / shape.cells, cells.speakers()), window};
  for (Index w = 0; w < scores.values.rows(); ++w) {
    score_window(decoder, correlator.next(cells), scores.values.row(w));
  }
  return scores;
}

Scores score(const Decoder& decoder, const Trial& trial, Seconds window) {
  return std::move(score(decoder, trial, std::span<const Seconds>(&window, 1)).front());
}

std::vector<Scores> score(const Decoder& decoder, const Trial& trial, std::span<const Seconds> windows) {
  for (const Seconds window : windows) (void)cells_per_window(window);
  check_discriminant(decoder);
  const CellSums cells = cell_sums(decoder, trial);
  std::vector<Scores> scores;
  for (const Seconds window : windows) scores.push_back(scores_from(decoder, cells, window));
  return scores;
}

ScoredTrial scored_trial(const Decoder& decoder, const Trial& trial, Seconds window) {
  return {trial.name, trial.onset, score(decoder, trial, window), attention_track(trial, window)};
}

StreamingScorer::StreamingScorer(const Decoder& decoder, Index speakers, Seconds window)
    : decoder_(decoder),
      window_(window),
      eeg_(eeg_filters(decoder), decoder.eeg_lags, decoder.eeg_scales),
      cells_(decoder.preprocessing.sampling_frequency, speakers, static_cast<Index>(eeg_filters(decoder).size())),
      correlator_(decoder.rule, window_shape(decoder, window)) {
  check_discriminant(decoder);
  if (speakers < 1) throw Error(ErrorKind::invalid_argument, "at least one speaker is needed");
  const LaggedFilter stimulus(stimulus_filters(decoder), decoder.stimulus_lags, decoder.stimulus_scales);
  stimuli_.assign(static_cast<std::size_t>(speakers), stimulus);
  waiting_.assign(static_cast<std::size_t>(speakers + 1), Matrix(0, cells_.pairs()));
}

bool StreamingScorer::is_missing(Index sample) const noexcept {
  return std::any_of(missing_.begin(), missing_.end(), [&](const SampleRange& range) {
    return range.first <= sample + decoder_.eeg_lags.last &&
           sample + decoder_.eeg_lags.first < range.first + range.count;
  });
}

void StreamingScorer::append(const Matrix& u, const std::vector<Matrix>& v) {
  waiting_.front() = joined(waiting_.front(), u);
  for (std::size_t s = 0; s < v.size(); ++s) waiting_[s + 1] = joined(waiting_[s + 1], v[s]);
}

void StreamingScorer::sum_up() {
  Index ready = waiting_.front().rows();
  for (const Matrix& rows : waiting_) ready = std::min(ready, rows.rows());
  std::vector<double> v(static_cast<std::size_t>(cells_.speakers() * cells_.pairs()));
  for (Index t = 0; t < ready; ++t, ++summed_) {
    for (Index s = 0; s < cells_.speakers(); ++s) {
      const auto& rows = waiting_[static_cast<std::size_t>(s + 1)];
      std::copy_n(rows.row(t).data(), cells_.pairs(), v.begin() + s * cells_.pairs());
    }
    cells_.add(data::view(std::as_const(waiting_.front())).row(t), v, is_missing(summed_));
  }
  for (Matrix& rows : waiting_) rows = Matrix(rows.bottomRows(rows.rows() - ready));
  std::erase_if(missing_, [&](const SampleRange& range) {
    return range.first + range.count <= summed_ + decoder_.eeg_lags.first;
  });
}

Matrix StreamingScorer::new_windows() {
  const Index length = cells_per_window(window_);
  Matrix scores(cells_.complete_cells() / length - scored_, cells_.speakers());
  for (Index w = 0; w < scores.rows(); ++w, ++scored_) {
    score_window(decoder_, correlator_.next(cells_), scores.row(w));
  }
  cells_.forget_before(scored_ * length);
  return scores;
}

Matrix StreamingScorer::push(const SignalChunk& chunk) {
  bool fits = static_cast<Index>(chunk.stimuli.size()) == cells_.speakers();
  for (const MatrixView& stimulus : chunk.stimuli) fits = fits && stimulus.rows == chunk.eeg.rows;
  if (!fits)
    throw Error(ErrorKind::invalid_argument, "a chunk needs equally many samples of the EEG and every speaker");
  for (const SampleRange& range : chunk.missing) {
    if (range.count > 0) missing_.push_back({range.first + received_, range.count});
  }
  std::vector<Matrix> v;
  for (std::size_t s = 0; s < stimuli_.size(); ++s) v.push_back(stimuli_[s].push(chunk.stimuli[s]));
  append(eeg_.push(chunk.eeg), v);
  received_ += chunk.eeg.rows;
  sum_up();
  return new_windows();
}

Matrix StreamingScorer::finish() {
  std::vector<Matrix> v;
  for (LaggedFilter& stimulus : stimuli_) v.push_back(stimulus.finish());
  append(eeg_.finish(), v);
  sum_up();
  return new_windows();
}

}  // namespace heed::decode
