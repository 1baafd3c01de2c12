// SPDX-License-Identifier: MIT
#include <heed/evaluate/switch_metric.h>
#include <report/attention_marks.h>
#include <report/ink/text.h>

#include <algorithm>
#include <limits>

namespace heed::report {
namespace {

constexpr double mark_size = 5;
constexpr double label_size = 6;
constexpr double label_gap = 1;
constexpr double nowhere = -std::numeric_limits<double>::infinity();

std::string delay_label(Seconds delay) { return (delay.value > 0 ? "+" : "") + duration_label(delay); }

std::string seconds_text(Seconds time) { return number_label(time.value, 3) + " s"; }

std::string switch_hint(const TrialFrame& frame, const TrueSwitch& one, Names speakers) {
  const std::string what =
      "switch to " + speakers[static_cast<std::size_t>(one.to)] + " at " + seconds_text(frame.time(one.at));
  if (!one.noticed) return what + ", missed";
  return what + ", noticed at " + seconds_text(frame.time(*one.noticed)) + " (" + delay_label(one.delay) + ")";
}

// A mark of the lane and the words that go with it, if they fit.
struct Mark {
  double x = 0;
  Shape shape;
  std::string label{};
  Seconds time{};
  std::size_t count = 1;  // switches it stands for
};

// Words go to the right of their mark; of the last one, if the trial ends too soon, to the left; else
// nowhere. Never over another mark or word.
void add_marks(Group& group, const std::vector<Mark>& marks, const Rectangle& lane) {
  constexpr double half = mark_size / 2;
  constexpr double apart = 4;  // words on the left must not seem to belong to the mark before
  double free_from = lane.left;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Mark& mark = marks[i];
    const bool last = i + 1 == marks.size();
    const double width = label_gap + text_width(mark.label, label_size);
    const bool right = mark.x + half + width <= (last ? lane.right() : marks[i + 1].x - half);
    const bool left = last && mark.x - half - width - apart >= free_from;
    group.shapes.push_back(mark.shape);
    free_from = mark.x + half + (right ? width : 0);
    if (mark.label.empty() || (!right && !left)) continue;
    group.shapes.emplace_back(
        Text{.at = {mark.x + ((half + label_gap) * (right ? 1 : -1)), lane.middle() + (0.36 * label_size)},
             .text = mark.label,
             .size = label_size,
             .anchor = right ? Anchor::start : Anchor::end,
             .colour = ink});
  }
}

void set_hint(Shape& shape, std::string hint) {
  if (auto* path = std::get_if<Path>(&shape)) path->hint = std::move(hint);
}

// One mark for both: it says how many it stands for, and from when to when.
void merge(Mark& mark, const Mark& other) {
  ++mark.count;
  mark.label = "\u00d7" + std::to_string(mark.count);
  set_hint(mark.shape, std::to_string(mark.count) + " switches, noticed or missed from " + seconds_text(mark.time) +
                           " to " + seconds_text(other.time));
}

Mark mark_of(const TrialFrame& frame, const TrueSwitch& one, const Rectangle& lane, Names speakers) {
  const double x = frame.x(one.noticed.value_or(one.at));
  const Point centre{x, lane.middle()};
  const Colour colour = palette(static_cast<std::size_t>(one.to));
  Mark mark{x,
            marker(one.noticed ? Marker::triangle_down : Marker::cross, centre, mark_size, one.noticed ? colour : ink),
            one.noticed ? delay_label(one.delay) : "missed", frame.time(one.noticed.value_or(one.at))};
  set_hint(mark.shape, switch_hint(frame, one, speakers));
  return mark;
}

}  // namespace

Switches find_switches(const TrackedTrial& trial) {
  Switches result;
  const evaluate::TrialMetrics metrics = evaluate::measure_trial(trial.decisions, trial.attention);
  result.labelled = metrics.labelled_windows > 0;
  for (const evaluate::SwitchOutcome& outcome : metrics.switches) {
    result.truth.push_back({outcome.at, outcome.attended, outcome.detected, outcome.signed_time});
  }
  const auto& states = trial.decisions.states;
  for (std::size_t t = 1; t < states.size(); ++t) {
    if (states[t] == states[t - 1]) continue;
    const auto window = static_cast<Index>(t);
    const auto notices = [&](const TrueSwitch& one) { return one.noticed == window; };
    if (std::ranges::none_of(result.truth, notices)) result.others.push_back(window);
  }
  return result;
}

Group true_switch_lines(const TrialFrame& frame, const Switches& switches, std::span<const Rectangle> bands) {
  Group group{"true-switches", {}};
  if (switches.truth.empty()) return group;
  constexpr double crowded = 0.8;
  Path lines{.pieces = {},
             .closed = false,
             .fill = {},
             .stroke = Stroke{ink, switches.truth.size() > 20 ? 0.35 : 0.6, 0},
             .hint = {}};
  double last = nowhere;
  for (const TrueSwitch& one : switches.truth) {
    const double x = frame.x(one.at);
    if (x - last < crowded) continue;
    for (const Rectangle& band : bands) lines.pieces.push_back({{x, band.top}, {x, band.bottom()}});
    last = x;
  }
  group.shapes.emplace_back(std::move(lines));
  return group;
}

Marks noticed_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane, Names speakers) {
  constexpr double crowded = 2.5;  // marks closer than that are one
  Marks result{.group = {"noticed", {}}};
  std::vector<Mark> marks;
  for (const TrueSwitch& one : switches.truth) marks.push_back(mark_of(frame, one, lane, speakers));
  if (!switches.labelled) {
    for (const Index window : switches.others) {
      const auto to = static_cast<std::size_t>(frame.trial.decisions.states[static_cast<std::size_t>(window)]);
      const Point centre{frame.x(window), lane.middle()};
      Mark mark{centre.x, marker(Marker::triangle_down, centre, mark_size, palette(to)), "", frame.time(window)};
      set_hint(mark.shape, "decided for " + speakers[to] + " at " + seconds_text(frame.time(window)));
      marks.push_back(std::move(mark));
    }
  }
  std::ranges::stable_sort(marks, {}, &Mark::x);
  std::vector<Mark> kept;
  for (Mark& mark : marks) {
    if (kept.empty() || mark.x - kept.back().x >= crowded) {
      kept.push_back(std::move(mark));
    } else {
      merge(kept.back(), mark);
      ++result.merged;
    }
  }
  add_marks(result.group, kept, lane);
  return result;
}

Marks other_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane) {
  constexpr double size = 3.4;
  Marks result{.group = {"other-changes", {}}};
  if (!switches.labelled) return result;
  double last = nowhere;
  for (const Index window : switches.others) {
    const double x = frame.x(window);
    if (x - last < size) {
      ++result.merged;
      continue;
    }
    result.group.shapes.push_back(hollow(Marker::triangle_up, {x, lane.middle()}, size, faint_ink));
    last = x;
  }
  return result;
}

}  // namespace heed::report
