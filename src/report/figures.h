// SPDX-License-Identifier: MIT
// The figures of pages: what each shows, as plain data, and the function that draws it.
#pragma once

#include <dsp/montage.h>
#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <heed/data/units.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// The trade-off picture (the paper's Fig. 5): accuracy against switch time, one curve per method over the switch
// probability, one dot per participant at the one in use.
// Accuracy within [0, 1], switch time in seconds. A point that lacks one of them is not drawn.
struct TradeOffPoint {
  std::optional<double> accuracy{};
  std::optional<double> switch_time{};
  std::string name{};  // shown under the mouse: a participant, or "p = 0.001"
};

// What a curve's accuracy at a switch time may be.
struct TradeOffBand {
  double switch_time = 0;
  double lower = 0;
  double upper = 0;
};

struct TradeOffCurve {
  std::string name{};                         // the method
  std::vector<TradeOffPoint> sweep{};         // means over participants, p rising; empty: a method without p
  TradeOffPoint in_use{};                     // mean at the p in use
  std::vector<TradeOffPoint> participants{};  // at the p in use
  std::vector<TradeOffBand> band{};           // times rising; empty: none
};

struct TradeOffPicture {
  std::vector<TradeOffCurve> curves{};
  double chance = 0;  // accuracy of a guesser
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // "simulated data": in a box of its own; empty: none
  std::string time = "switch time (s)";
  std::string others = "other p";  // the points of a curve beside the one in use
};

// Switch times are on a logarithmic axis where they span a factor of six or more and none is zero; accuracies on one
// that is logarithmic in the error where errors do, and beyond 99 % at its end. Throws bad_data if no point has both
// accuracy and switch time.
[[nodiscard]] Drawing draw_trade_off(const TradeOffPicture& picture, const FigureOptions& options = {});

// The accuracy of every participant, one dot per method: participants sorted by the first method, and the range that
// guessing may reach shaded. Accuracies within [0, 1].
struct ParticipantAccuracies {
  std::string participant{};
  std::vector<std::optional<double>> accuracies{};  // one per method; nothing: unknown
  std::optional<double> chance_bound{};             // of the first method: chance alone rarely exceeds it
};

struct ParticipantDotsPicture {
  std::vector<std::string> methods{};  // raw first: participants are sorted by it, and the bound belongs to it
  std::vector<ParticipantAccuracies> participants{};  // in any order
  double chance = 0.5;                                // accuracy of a guesser
  std::string title{};
  std::string subtitle{};
};

// Participants from the least accurate to the most; those without an accuracy last; equal ones by name. Names are
// written while there is room for them, else they are in the dots' hints. Throws invalid_argument unless every
// participant has one accuracy per method, within [0, 1]; bad_data if there is no accuracy at all.
[[nodiscard]] Drawing draw_participant_dots(const ParticipantDotsPicture& picture, const FigureOptions& options = {});

// Whether EEG and audio are aligned: a score against a shift of one relative to the other, with the expected range of
// the peak shaded and the peak found marked.
struct AlignmentPicture {
  std::vector<Seconds> shifts{};           // rising, at least two
  std::vector<double> scores{};            // one per shift; NaN: unknown, the line has a gap there
  std::string score_name = "correlation";  // with its unit, if it has one
  std::string shift_name = "shift";        // what is on the axis, e.g. "delay of the EEG behind the sound"
  Seconds expected_first{};                // the peak should lie between these
  Seconds expected_last{};
  std::optional<Seconds> peak{};  // found; nothing: no peak stands out
  std::string title{};
  std::string subtitle{};
  std::string caption{};  // e.g. what positive means
};

// Shifts are shown in milliseconds. Throws invalid_argument if scores and shifts differ in number, shifts do not
// rise, the expected place ends before it begins or the peak lies outside the shifts; bad_data without any score.
[[nodiscard]] Drawing draw_alignment(const AlignmentPicture& picture, const FigureOptions& options = {});

// How often a listener switches, where nobody knew: the posterior of the switch probability window by window, the
// darker the more probable, and beside it as bars what it is after the last one.
struct SwitchingPicture {
  SwitchPosterior found{};
  std::vector<Matrix> history{};  // one per trial, windows x values of p
  Seconds hop{1};
  std::string title{};
  std::string subtitle{};
};

// Throws invalid_argument where the history has not a column for each value.
[[nodiscard]] Drawing draw_switching(const SwitchingPicture& picture, const FigureOptions& options = {});

// Forward patterns on the head: a row of head maps at a few lags, and below it every channel over all lags with the
// global field power. Blue is negative, red positive, all maps on one scale symmetric around zero.
struct TopographyPicture {
  std::vector<std::string> channels{};
  // One per channel, of any length but zero; nothing: not known.
  std::vector<std::optional<dsp::ElectrodePosition>> positions{};
  Matrix pattern{};                                                        // channels x lags; NaN: no value
  std::vector<Seconds> lags{};                                             // one per column, rising
  std::vector<Seconds> maps{{0.0}, {0.05}, {0.1}, {0.15}, {0.2}, {0.25}};  // wanted; the nearest lags are shown
  std::string unit = "a.u.";                                               // of the pattern
  std::string title{};
  std::string subtitle{};
  std::string caption{};  // set below the figure; what was left out is added to it
};

// Channels without a position, or without a value at a lag, are left out of the maps; the caption says which.
// Maps need three channels with a position: with fewer, or none, the lines are drawn alone. Wanted lags that
// lie beyond the pattern, or that have the same nearest lag, are left out. The SVG of 64 channels x 64 lags, or of
// 256 x 32, stays below 300 kB.
// Throws invalid_argument if the numbers of channels, positions and lags do not match the pattern, or lags do
// not rise, or the figure is too narrow; bad_data if the pattern holds no number at all.
[[nodiscard]] Drawing draw_topography(const TopographyPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
