// SPDX-License-Identifier: MIT
// A switch of attention from close by (the paper's Fig. 2): what each method believes around it, one panel a method on
// one time axis, the truth as a ribbon on top.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <string>
#include <vector>

namespace heed::report {

struct BeliefTrace {
  std::string name{};   // the method
  Matrix posteriors{};  // windows x speakers; a row with NaN is missing
};

// All traces of the same windows.
struct SwitchPicture {
  std::vector<std::string> speakers{};
  AttentionTrack attention{};
  Seconds onset{};  // of the first window
  Seconds window{1};
  std::vector<BeliefTrace> traces{};
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // as in SweepPicture
};

// Throws invalid_argument where lengths do not match, bad_data without a window.
[[nodiscard]] Drawing draw_switch(const SwitchPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
