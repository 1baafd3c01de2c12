// SPDX-License-Identifier: MIT
// The attention picture (the paper's Fig. 2): the posterior of every speaker stacked to one, the truth as a ribbon
// above it, the scores below, true and detected switches marked. Minutes or hours: where windows are finer than the
// drawing they are averaged column by column.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/scored.h>
#include <heed/report/drawing.h>

#include <string>
#include <vector>

namespace heed::report {

// Refers to the caller's data.
struct AttentionPicture {
  const TrackedParticipant& tracked;
  // One per trial, windows x speakers: the score of each speaker in each window. A row with NaN is missing.
  std::vector<MatrixView> scores{};
  std::string score_name = "score";  // with its unit, if it has one
  std::string title{};               // what was tracked
  std::string subtitle{};            // method and switch probability
};

struct FigureOptions {
  double width = 180;  // millimetres; text keeps its size, so give the width at which it is printed
};

// Trials lie side by side in at most four rows of one time scale. Throws invalid_argument if scores and trials do not
// match or the figure is too narrow, bad_data if there is no window at all.
[[nodiscard]] Drawing draw_attention(const AttentionPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
