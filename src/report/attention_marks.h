// SPDX-License-Identifier: MIT
// The switches of the attention picture: where attention moved, where that was detected and how much
// later, and every other change of the decision; and what the colours and signs mean.
#pragma once

#include <heed/report/drawing.h>
#include <report/attention_panels.h>
#include <report/frame.h>
#include <report/time_layout.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace heed::report {

// By the metric of evaluate/switch_metric.h.
struct TrueSwitch {
  Index at = 0;
  Speaker to = unknown_speaker;
  std::optional<Index> detected{};  // nothing: missed
  Seconds delay{};                  // negative if foreseen
};

struct Switches {
  std::vector<TrueSwitch> truth{};
  std::vector<Index> others{};  // changes of the decision that detect no true switch
  bool labelled = false;        // without labels nobody knows which changes are right
};

[[nodiscard]] Switches find_switches(const TrackedTrial& trial);

// Thin lines through these bands, which leave out where words stand.
[[nodiscard]] Group true_switch_lines(const TrialFrame& frame, const Switches& switches,
                                      std::span<const Rectangle> bands);

// Marks that would lie on each other are drawn as one.
struct Marks {
  Group group{};
  std::size_t merged = 0;  // how many share the mark of another
};

// Triangles that point down at the window in which a switch was detected, with the delay where there is
// room, or the number of switches that share the mark; a cross where it never was. Without labels, every change of
// the decision.
[[nodiscard]] Marks detected_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane,
                                   Names speakers);

// Small hollow triangles that point up.
[[nodiscard]] Marks other_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane);

// Which of them a figure has.
struct AttentionSigns {
  bool truth = false, unknown = false, missing = false, true_switch = false, detected = false, missed = false,
       other = false, decided = false;
};

// The speakers, then the signs that there are.
[[nodiscard]] std::vector<LegendEntry> attention_legend(Names speakers, const AttentionSigns& seen);

}  // namespace heed::report
