// SPDX-License-Identifier: MIT
// Scores of a trial, window by window, from a decoder: correlations (least squares) or log-odds (CCA). One speaker
// alone has scores too; they can be compared with nothing, so no attention follows from them.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/scored.h>
#include <heed/decode/reconstruction.h>
#include <heed/decode/window_sums.h>

#include <span>
#include <vector>

namespace heed::decode {

// The windows of a trial, one after the other, as correlations by a rule: Pearson's, or the shrunk cosine
// (docs/decoding.md, Scores). A live session and a whole trial walk the same way, so they have the same bits.

// Throws invalid_argument for a shrinkage below 0 or a memory that is not above 0.
void check_rule(const ScoreRule& rule);

struct WindowShape {
  Index cells = 4;
  // Whether the pairs of a speaker are parts of one signal, as several targets of least squares are: their sums are
  // added (each part less its own mean, where means are taken off), and a speaker has one correlation.
  bool stacked = false;
};

class WindowCorrelator {
 public:
  // For samples that are still to come. Throws invalid_argument as check_rule does, and for a cosine without a memory,
  // whose powers are those of the whole trial.
  WindowCorrelator(const ScoreRule& rule, WindowShape shape);
  // For a whole trial.
  WindowCorrelator(const ScoreRule& rule, WindowShape shape, const CellSums& trial);

  // Of the next window, whose cells must be complete: speakers x pairs (x 1 if stacked), each within -1 ... 1. All NaN
  // if a sample of the window is missing; NaN where a signal does not vary (Pearson) or has no power at all (cosine).
  [[nodiscard]] Matrix next(const CellSums& cells);
  // The same into the caller's storage. Allocates nothing after reserve().
  void next(const CellSums& cells, MutableMatrixView correlations);
  void reserve(Index speakers, Index pairs);
  void reset() noexcept;  // to the first window of a new trial; for samples that are still to come

 private:
  void learn_powers(const CellSums& cells);

  ScoreRule rule_;
  WindowShape shape_;
  Index next_cell_ = 0;
  std::vector<PairPowers> powers_{};   // what the cosine shrinks towards
  std::vector<PairPowers> squares_{};  // with a memory: sums that fade
  double samples_ = 0;                 // likewise
  std::vector<PairSums> sums_{};       // of the window
};

// What the scores of a decoder are.
[[nodiscard]] ScoreType score_type(const Decoder& decoder);

// windows x speakers, by the decoder's rule. A row is NaN where a sample of the window or its lags is missing, or a
// signal does not vary (by the cosine: has no power in all of the trial).
// CCA: log-odds of the decoder's discriminant, whatever the window; they are calibrated at the decoder's own window.
// The decoder's scales, where it has some, are applied to the trial's signals; without them signals are taken as they
// are. Throws bad_data naming channels or targets the trial does not have, or if its rate is not the decoder's;
// invalid_argument for a window that is not a whole number of quarter seconds.
[[nodiscard]] Scores score(const Decoder& decoder, const Trial& trial, Seconds window);
// Several window lengths from one pass.
[[nodiscard]] std::vector<Scores> score(const Decoder& decoder, const Trial& trial, std::span<const Seconds> windows);
// With the trial's name, onset and labels.
[[nodiscard]] ScoredTrial scored_trial(const Decoder& decoder, const Trial& trial, Seconds window);

// Sums of all cells of a trial: what the scores of every window length are made of.
[[nodiscard]] CellSums cell_sums(const Decoder& decoder, const Trial& trial);
// The correlations a decoder's scores are made of: one a pair of CCA; one for all targets of least squares.
[[nodiscard]] WindowShape window_shape(const Decoder& decoder, Seconds window);
[[nodiscard]] Scores scores_from(const Decoder& decoder, const CellSums& cells, Seconds window);

// Equally many rows of everything.
struct SignalChunk {
  MatrixView eeg{};                        // samples x the decoder's channels, in its order
  std::span<const MatrixView> stimuli{};   // [speaker] samples x targets
  std::span<const SampleRange> missing{};  // rows of this chunk whose EEG is not there
};

// The same for signals that come in pieces: chunks of any size give the bits of score(). A window is scored as soon
// as the EEG of its last lag is there. Only making one allocates. Not thread-safe: one per listener.
class StreamingScorer {
 public:
  // Throws as score() does, and invalid_argument for a cosine without a memory: its powers are the whole trial's.
  StreamingScorer(const Decoder& decoder, Index speakers, Seconds window);

  // Appends a row of scores, one per speaker, for each window that became complete; throws invalid_argument for chunks
  // of another shape.
  void push(const SignalChunk& chunk, std::vector<double>& scores);
  void finish(std::vector<double>& scores);  // zeros for the lags beyond the end, as score() takes them
  void reset() noexcept;                     // to a new trial

  // The same as matrices.
  [[nodiscard]] Matrix push(const SignalChunk& chunk);
  [[nodiscard]] Matrix finish();

 private:
  void check(const SignalChunk& chunk) const;
  void note_missing(const SampleRange& range);
  void sum_up(std::vector<double>& scores);
  void score_windows(std::vector<double>& scores);
  [[nodiscard]] bool is_missing(Index sample) const noexcept;

  Decoder decoder_;
  Index window_cells_;
  LaggedFilter eeg_;
  std::vector<LaggedFilter> stimuli_{};
  std::vector<std::vector<double>> waiting_{};  // filtered EEG, then filtered stimuli, from sample summed_ on
  std::vector<double> stimulus_row_{};          // of one sample: speakers x pairs
  std::vector<SampleRange> missing_{};
  CellSums cells_;
  WindowCorrelator correlator_;
  Matrix correlations_{};
  Index received_ = 0;
  Index summed_ = 0;
  Index scored_ = 0;
};

}  // namespace heed::decode
