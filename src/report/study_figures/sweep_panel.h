// SPDX-License-Identifier: MIT
// One panel of a sweep: axes, participants, lines, error bars, means and published stars.
#pragma once

#include <report/ink/shapes.h>
#include <report/study/sweep_figure.h>

#include <cstddef>
#include <vector>

namespace heed::report {

struct PanelPlace {
  std::size_t panel = 0;
  Rectangle area{};
  bool labelled = true;  // the axis across; below other panels it is shared
};

// Series at the same place across stand beside each other in slots: the mean in its left part, the participants in the
// right. Groups, from the bottom: "axes", "chance", "diagonal", then of each series "participants", "line s", "bar s",
// "mean s", "published".
[[nodiscard]] std::vector<Group> sweep_panel(const SweepPicture& picture, const PanelPlace& place);

// A line with a short one across at both ends.
[[nodiscard]] Path error_bar(Point from, Point to, const Stroke& stroke);

}  // namespace heed::report
