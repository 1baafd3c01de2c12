// SPDX-License-Identifier: MIT
// Forward patterns on the head: a row of head maps at a few lags, and below it every channel over all lags
// with the global field power. Blue is negative, red positive, all maps on one scale symmetric around zero.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// A direction from the centre of the head: x to the right, y to the front, z up. Its length does not matter.
struct ScalpPosition {
  double x = 0;
  double y = 0;
  double z = 0;
};

struct TopographyPicture {
  std::vector<std::string> channels{};
  std::vector<std::optional<ScalpPosition>> positions{};                   // one a channel; nothing: not known
  Matrix pattern{};                                                        // channels x lags; NaN: no value
  std::vector<Seconds> lags{};                                             // one a column, rising
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
