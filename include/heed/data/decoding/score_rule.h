// SPDX-License-Identifier: MIT
// How a window of two signals becomes one number. A plain value: `decode` computes it, a decoder's file keeps it, since
// scores of another rule mean something else. docs/recipe.md has the reasons.
#pragma once

#include <heed/data/units.h>

#include <optional>

namespace heed::data {

enum class WindowMeasure {
  pearson,  // the mean of the window is taken off first (the paper)
  cosine,   // it is not, and the powers are shrunk towards those of the whole signal
};

struct ScoreRule {
  WindowMeasure measure = WindowMeasure::pearson;
  // Of the cosine: sum u v / sqrt((sum u^2 + shrinkage w s_u^2)(sum v^2 + shrinkage w s_v^2)), w samples. More keeps
  // faint windows from shouting; 0 is the plain cosine.
  double shrinkage = 0.3;
  // Of the cosine: s^2 is the power over the trial; with a memory, a running estimate of this length, which a live
  // session can have.
  std::optional<Seconds> memory{};
  friend bool operator==(const ScoreRule&, const ScoreRule&) = default;
};

}  // namespace heed::data

namespace heed {
using data::ScoreRule;
using data::WindowMeasure;
}  // namespace heed
