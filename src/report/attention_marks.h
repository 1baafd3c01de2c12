// SPDX-License-Identifier: MIT
// The switches of the attention picture: where attention moved, where that was noticed and how much
// later, and every other change of the decision.
#pragma once

#include <heed/report/drawing.h>
#include <report/attention_panels.h>
#include <report/trial_frame.h>

#include <optional>
#include <vector>

namespace heed::report {

// By the metric of evaluate/switch_metric.h.
struct TrueSwitch {
  Index at = 0;
  Speaker to = unknown_speaker;
  std::optional<Index> noticed{};  // nothing: missed
  Seconds delay{};                 // negative if foreseen
};

struct Switches {
  std::vector<TrueSwitch> truth{};
  std::vector<Index> others{};  // changes of the decision that notice no true switch
  bool labelled = false;        // without labels nobody knows which changes are right
};

[[nodiscard]] Switches find_switches(const TrackedTrial& trial);

// Thin lines through these bands, which leave out where words stand.
[[nodiscard]] Group true_switch_lines(const TrialFrame& frame, const Switches& switches,
                                      std::span<const Rectangle> bands);

// Triangles that point down at the window in which a switch was noticed, with the delay where there is
// room; a cross where it never was. Without labels, every change of the decision.
[[nodiscard]] Group noticed_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane,
                                  Names speakers);

// Small hollow triangles that point up; those that would lie on each other are drawn once.
[[nodiscard]] Group other_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane);

}  // namespace heed::report
