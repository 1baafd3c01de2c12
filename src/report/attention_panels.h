// SPDX-License-Identifier: MIT
// The bands of the attention picture for one trial, from top to bottom: who was attended, the posterior, the winner of
// each window alone, and the smoothed scores.
#pragma once

#include <heed/report/drawing.h>
#include <report/axis.h>
#include <report/time_layout.h>

#include <span>
#include <string>
#include <vector>

namespace heed::report {

inline constexpr Colour missing_colour = grid_ink;
inline constexpr Stroke unknown_hatch{faint_ink, 0.6, 0};

using Names = std::span<const std::string>;

// The speaker with the largest score in each window; unknown_speaker where the window is missing.
[[nodiscard]] std::vector<Speaker> window_winners(MatrixView scores);

// A coloured piece for each stretch of attention, named where there is room; hatched where it is unknown.
[[nodiscard]] Group truth_ribbon(const TrialFrame& frame, const Rectangle& band, Names speakers);

// One area per speaker, stacked from the bottom in order; their heights are the probabilities.
[[nodiscard]] Group posterior_areas(const TrialFrame& frame, const Rectangle& band, Names speakers);

// The parts of the band where nothing was measured.
[[nodiscard]] std::vector<Rectangle> missing_parts(const TrialFrame& frame, const Rectangle& band);
// Pales the posterior there.
[[nodiscard]] Group missing_veil(const TrialFrame& frame, const Rectangle& band);

// Like the posterior, of one-hot winners: a bar code or, where there are too many windows for one, the share of the
// surrounding `width` windows that each speaker wins. Missing windows are on top.
[[nodiscard]] Group raw_strip(const TrialFrame& frame, const Rectangle& band, Names speakers, Index width = 1);

// One line per speaker.
struct ScoreLines {
  std::vector<std::vector<double>> speakers{};  // [speaker][window], smoothed
};
[[nodiscard]] ScoreLines smooth_scores(MatrixView scores, Index width);
[[nodiscard]] Group score_lines(const TrialFrame& frame, const Rectangle& band, const ScoreLines& lines,
                                const Range& range);

}  // namespace heed::report
