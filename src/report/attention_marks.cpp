// SPDX-License-Identifier: MIT
#include <heed/evaluate/switch_metric.h>
#include <report/attention_marks.h>
#include <report/text.h>

#include <algorithm>
#include <limits>

namespace heed::report {
namespace {

constexpr double mark_size = 5;
constexpr double small_mark_size = 3.4;
constexpr double label_size = 6;
constexpr double label_gap = 1;
constexpr double nowhere = -std::numeric_limits<double>::infinity();

std::string delay_label(Seconds delay) { return (delay.value > 0 ? "+" : "") + duration_label(delay); }

std::string seconds_text(Seconds time) { return number_label(time.value, 3) + " s"; }

std::string switch_hint(const TrialFrame& frame, const TrueSwitch& one, Names speakers) {
  const std::string text =
      "switch to " + speakers[static_cast<std::size_t>(one.to)] + " at " + seconds_text(frame.time(one.at));
  if (!one.detected) return text + ", missed";
  return text + ", detected at " + seconds_text(frame.time(*one.detected)) + " (" + delay_label(one.delay) + ")";
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
    const Point at{mark.x + ((half + label_gap) * (right ? 1 : -1)), lane.middle() + (0.36 * label_size)};
    group.shapes.emplace_back(words_at(at, mark.label, label_size, right ? Anchor::start : Anchor::end));
  }
}

// One mark for both: it says how many it stands for, and from when to when.
void merge(Mark& mark, const Mark& other) {
  ++mark.count;
  mark.label = "\u00d7" + std::to_string(mark.count);
  mark.shape = hinted(std::move(mark.shape), std::to_string(mark.count) + " switches, detected or missed between " +
                                                 seconds_text(mark.time) + " and " + seconds_text(other.time));
}

Mark mark_of(const TrialFrame& frame, const TrueSwitch& one, const Rectangle& lane, Names speakers) {
  const Index window = one.detected.value_or(one.at);
  const Point centre{frame.x(window), lane.middle()};
  const Shape shape =
      one.detected ? filled_mark(MarkShape::triangle_down, centre, mark_size, palette(static_cast<std::size_t>(one.to)))
                   : filled_mark(MarkShape::cross, centre, mark_size, ink);
  return {centre.x, hinted(shape, switch_hint(frame, one, speakers)), one.detected ? delay_label(one.delay) : "missed",
          frame.time(window)};
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
    const auto detects = [&](const TrueSwitch& one) { return one.detected == window; };
    if (std::ranges::none_of(result.truth, detects)) result.others.push_back(window);
  }
  return result;
}

Group true_switch_lines(const TrialFrame& frame, const Switches& switches, std::span<const Rectangle> bands) {
  Group group{"true-switches", {}};
  if (switches.truth.empty()) return group;
  constexpr double crowded = 0.8;
  Polyline lines{.closed = false, .stroke = Stroke{ink, switches.truth.size() > 20 ? 0.35 : 0.6, 0}};
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

Marks detected_marks(const TrialFrame& frame, const Switches& switches, const Rectangle& lane, Names speakers) {
  constexpr double crowded = 2.5;  // marks closer than that are one
  Marks result{.group = {"detected", {}}};
  std::vector<Mark> marks;
  for (const TrueSwitch& one : switches.truth) marks.push_back(mark_of(frame, one, lane, speakers));
  if (!switches.labelled) {
    for (const Index window : switches.others) {
      const auto to = static_cast<std::size_t>(frame.trial.decisions.states[static_cast<std::size_t>(window)]);
      const Point centre{frame.x(window), lane.middle()};
      marks.push_back({centre.x,
                       hinted(filled_mark(MarkShape::triangle_down, centre, mark_size, palette(to)),
                              "decision changes to " + speakers[to] + " at " + seconds_text(frame.time(window))),
                       "", frame.time(window)});
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
  Marks result{.group = {"other-changes", {}}};
  if (!switches.labelled) return result;
  double last = nowhere;
  for (const Index window : switches.others) {
    const double x = frame.x(window);
    if (x - last < small_mark_size) {
      ++result.merged;
      continue;
    }
    result.group.shapes.push_back(hollow_mark(MarkShape::triangle_up, {x, lane.middle()}, small_mark_size, faint_ink));
    last = x;
  }
  return result;
}

std::vector<LegendEntry> attention_legend(Names speakers, const AttentionSigns& seen) {
  std::vector<LegendEntry> entries;
  for (std::size_t j = 0; j < speakers.size(); ++j) {
    entries.push_back({speakers[j], {filled(swatch_area(), palette(j))}});
  }
  const auto explain = [&](bool wanted, const char* text, std::vector<Shape> sign) {
    if (wanted) entries.push_back({text, std::move(sign)});
  };
  explain(seen.true_switch, "true switch", {line({0, -5}, {0, 5}, {ink, 0.6, 0})});
  explain(seen.detected, "detected, with delay", {filled_mark(MarkShape::triangle_down, {}, mark_size, ink)});
  explain(seen.decided, "change of decision", {filled_mark(MarkShape::triangle_down, {}, mark_size, ink)});
  explain(seen.missed, "missed", {filled_mark(MarkShape::cross, {}, mark_size, ink)});
  explain(seen.other, "other change of decision",
          {hollow_mark(MarkShape::triangle_up, {}, small_mark_size, faint_ink)});
  explain(seen.truth && seen.unknown, "attention unknown",
          {filled(swatch_area(), missing_colour), hatched(swatch_area(), unknown_hatch)});
  explain(seen.missing, "missing window", {filled(swatch_area(), missing_colour)});
  return entries;
}

}  // namespace heed::report
