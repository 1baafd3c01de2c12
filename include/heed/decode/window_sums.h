// SPDX-License-Identifier: MIT
// Sums over quarter-second cells, taken in order: scores of any window that is a whole number of cells come from one
// pass, and a live session that adds up the same cells gets the same bits.
#pragma once

#include <heed/data/series.h>
#include <heed/data/trial.h>
#include <heed/data/units.h>

#include <span>
#include <vector>

namespace heed::decode {

inline constexpr Seconds cell_length{0.25};

// Cell k holds the samples [first_of_cell(k), first_of_cell(k + 1)), first_of_cell(k) = ceil(k fs/4).
[[nodiscard]] Index first_of_cell(Index cell, Hertz sampling_frequency);
// Throws invalid_argument if the window is not a whole number of quarter seconds, at least one, or beyond 10000000 s.
[[nodiscard]] Index cells_per_window(Seconds window);
// How windows lie in a trial: so long, one every hop, which is as long unless windows overlap. Or as steps: windows
// end to end that are shorter than the second whose power they are measured by (docs/decoding.md, Scores).
struct WindowLayout {
  Seconds window{1};
  Seconds hop{1};
  bool steps = false;

  constexpr WindowLayout(Seconds length) : window(length), hop(length) {}  // NOLINT: a length is a layout
  constexpr WindowLayout(Seconds length, Seconds from_one_to_the_next) : window(length), hop(from_one_to_the_next) {}
  static constexpr WindowLayout in_steps(Seconds step) {
    WindowLayout layout(step);
    layout.steps = true;
    return layout;
  }
};

// The power that a step is measured by is that of the last second.
inline constexpr Index cells_of_power = 4;

// Throws invalid_argument where window or hop is not a whole number of quarter seconds or beyond 10000000 s, the hop is
// longer than the window, or a step is not shorter than a second.
void check_layout(const WindowLayout& layout);

// Whole windows in so many samples; a last partial one is dropped.
[[nodiscard]] Index whole_windows(Index samples, Hertz sampling_frequency, const WindowLayout& layout);

// Of two series u and v over the samples of a cell.
struct PairSums {
  double u = 0;
  double v = 0;
  double uu = 0;
  double vv = 0;
  double uv = 0;
  void add(double a, double b) noexcept {
    u += a;
    v += b;
    uu += a * a;
    vv += b * b;
    uv += a * b;
  }
  PairSums& operator+=(const PairSums& other) noexcept;
};

// Mean squares of u and v.
struct PairPowers {
  double u = 0;
  double v = 0;
};

// atanh, of correlations kept within +-(1 - 1e-7).
[[nodiscard]] double fisher(double correlation) noexcept;

// One cell after the other; a cell holds speakers x pairs sums.
class CellSums {
 public:
  CellSums(Hertz sampling_frequency, Index speakers, Index pairs);

  // One sample: u of each pair; v of each speaker and pair (speaker-major). A sample that is missing or no number
  // spoils its cell.
  void add(std::span<const double> u, std::span<const double> v, bool missing);

  [[nodiscard]] Index complete_cells() const noexcept { return complete_; }
  [[nodiscard]] Index speakers() const noexcept { return speakers_; }
  [[nodiscard]] Index pairs() const noexcept { return pairs_; }
  [[nodiscard]] Hertz sampling_frequency() const noexcept { return sampling_frequency_; }

  // Frees cells that are not asked for any more.
  void forget_before(Index cell);
  // For so many cells that are not forgotten nothing is allocated.
  void reserve(Index cells);
  void reset() noexcept;  // back to the start

  // Samples from the first of cell `first` on, in so many cells that are complete.
  [[nodiscard]] Index samples_in(Index first, Index cells) const;
  [[nodiscard]] bool is_spoilt(Index first, Index cells) const;
  // speakers x pairs (speaker-major), of the samples that are there.
  [[nodiscard]] std::span<const PairSums> cell(Index index) const;

  // speakers x pairs, over all samples so far that are there, forgotten ones apart; the last cell may be a part.
  [[nodiscard]] std::vector<PairPowers> powers() const;

 private:
  void complete_cell();

  Hertz sampling_frequency_;
  Index speakers_ = 0;
  Index pairs_ = 0;
  Index complete_ = 0;
  Index samples_ = 0;
  Index forgotten_ = 0;
  std::vector<PairSums> sums_{};   // cells x speakers x pairs
  std::vector<Index> recorded_{};  // [cell] samples that are not missing
};

// The attended speaker of each whole window: unknown unless all its samples have one label.
[[nodiscard]] AttentionTrack attention_track(const Trial& trial, const WindowLayout& layout);

}  // namespace heed::decode
