// SPDX-License-Identifier: MIT
// The attention picture (the paper's Fig. 2): the posterior of every speaker stacked to one, the truth
// as a ribbon above it, the raw evidence below, true and noticed switches marked. Minutes or hours:
// where windows are finer than the drawing they are averaged column by column.
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
  // One a trial, windows x speakers: what each window says of each speaker. A row with NaN is missing.
  std::vector<MatrixView> evidence{};
  std::string evidence_name = "score";  // with its unit, if it has one
  std::string title{};                  // what was tracked
  std::string subtitle{};               // how: method, p
};

struct FigureOptions {
  double width = 180;  // millimetres; letters keep their size, so give the width it is printed at
};

// Trials lie side by side in at most four rows of one time scale. Throws invalid_argument if evidence
// and trials do not match or the figure is too narrow, bad_data if there is no window at all.
[[nodiscard]] Drawing draw_attention(const AttentionPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
