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
  Index hop = cells;  // from the first cell of a window to that of the next
  // Whether the pairs of a speaker are parts of one signal, as several targets of least squares are: their sums are
  // added (each part less its own mean, where means are taken off), and a speaker has one correlation.
  bool stacked = false;
  // Whether windows are steps: mean products of a step over the powers of the last second, whatever the rule's measure.
  bool steps = false;

  // Windows that end within so many cells.
  [[nodiscard]] Index windows_in(Index cells_there) const noexcept {
    return cells_there < cells ? 0 : 1 + ((cells_there - cells) / hop);
  }
};

// Of the power over the trial that is added to that of a step's second.
inline constexpr double step_shrinkage = 0.1;

class WindowCorrelator {
 public:
  // For samples that are still to come. Throws invalid_argument as check_rule does, and for a cosine without a memory,
  // whose powers are those of the whole trial.
  WindowCorrelator(const ScoreRule& rule, WindowShape shape);
  // For a whole trial.
  WindowCorrelator(const ScoreRule& rule, WindowShape shape, const CellSums& trial);

  // Of the next window, whose cells must be complete: speakers x pairs (x 1 if stacked), each within -1 ... 1 unless
  // they are steps. All NaN if a sample of the window is missing; NaN where a signal does not vary (Pearson) or has no
  // power at all (cosine).
  [[nodiscard]] Matrix next(const CellSums& cells);
  // The same into the caller's storage. Allocates nothing after reserve().
  void next(const CellSums& cells, MutableMatrixView result);
  void reserve(Index speakers, Index pairs);
  void reset() noexcept;  // to the first window of a new trial; for samples that are still to come

  // Cells before this one are not asked for any more.
  [[nodiscard]] Index first_needed_cell() const noexcept;

 private:
  [[nodiscard]] bool uses_powers() const noexcept;
  void learn_powers(const CellSums& cells, Index end);
  void sum_up(const CellSums& cells);
  [[nodiscard]] double score_of(std::size_t first_part, std::size_t parts, double samples) const;

  ScoreRule rule_;
  WindowShape shape_;
  Index next_cell_ = 0;
  Index learnt_cells_ = 0;             // with a memory: those whose powers are known
  std::vector<PairPowers> powers_{};   // what the cosine shrinks towards
  std::vector<PairPowers> squares_{};  // with a memory: sums that fade
  double samples_ = 0;                 // likewise
  std::vector<PairSums> sums_{};       // of the window
  std::vector<PairPowers> second_{};   // of steps: mean squares over the last second
};

// What the scores of a decoder are.
[[nodiscard]] ScoreType score_type(const Decoder& decoder, const WindowLayout& layout = Seconds{1});

// windows x speakers, by the decoder's rule. A row is NaN where a sample of the window or its lags is missing, or a
// signal does not vary (by the cosine: has no power in all of the trial).
// CCA: log-odds of the decoder's discriminant, whatever the window; they are calibrated at the decoder's own window.
// The decoder's scales, where it has some, are applied to the trial's signals; without them signals are taken as they
// are. Throws bad_data naming channels or targets the trial does not have, or if its rate is not the decoder's;
// invalid_argument as check_layout() does, unsupported for steps by CCA.
[[nodiscard]] Scores score(const Decoder& decoder, const Trial& trial, const WindowLayout& layout);
// Several layouts from one pass.
[[nodiscard]] std::vector<Scores> score(const Decoder& decoder, const Trial& trial,
                                        std::span<const WindowLayout> layouts);
// With the trial's name, onset and labels.
[[nodiscard]] ScoredTrial scored_trial(const Decoder& decoder, const Trial& trial, const WindowLayout& layout);

// Sums of all cells of a trial: what the scores of every window length are made of.
[[nodiscard]] CellSums cell_sums(const Decoder& decoder, const Trial& trial);
// The correlations a decoder's scores are made of: one per pair of CCA; one for all targets of least squares.
[[nodiscard]] WindowShape window_shape(const Decoder& decoder, const WindowLayout& layout);
[[nodiscard]] Scores scores_from(const Decoder& decoder, const CellSums& cells, const WindowLayout& layout);

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
  StreamingScorer(const Decoder& decoder, Index speakers, const WindowLayout& layout);

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
  WindowShape shape_;
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
