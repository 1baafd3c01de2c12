// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/attention_marks.h>
#include <report/frame.h>
#include <report/study/figures.h>
#include <report/study/values.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double left_margin = 46;
constexpr double right_margin = 9;
constexpr double ribbon_height = 9;
constexpr double name_size = 7.5;
constexpr double lane_height = 11;
constexpr double panel_height = 44;

void check(const SwitchPicture& picture) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::invalid_argument, message); };
  if (picture.traces.empty()) refuse("there is no method to draw; give at least one trace");
  if (!(picture.window.value > 0))
    refuse("a window length of " + number_label(picture.window.value) + " s cannot be drawn; give one above zero");
  const std::size_t windows = picture.attention.attended.size();
  for (const MethodTrace& trace : picture.traces) {
    if (trace.posteriors.rows() != static_cast<Index>(windows) ||
        trace.posteriors.cols() != std::ssize(picture.speakers)) {
      refuse(trace.name + ": posteriors of " + std::to_string(trace.posteriors.rows()) + " windows and " +
             std::to_string(trace.posteriors.cols()) + " speakers for " + std::to_string(windows) + " labels and " +
             std::to_string(picture.speakers.size()) + " names; give one row per window and one column per speaker");
    }
  }
  const auto speakers = static_cast<Speaker>(picture.speakers.size());
  for (const Speaker label : picture.attention.attended) {
    if (label < unknown_speaker || label >= speakers) {
      refuse("a window's label names speaker " + std::to_string(label + 1) + " of " + std::to_string(speakers) +
             "; give one of them, or mark the speaker as unknown");
    }
  }
  if (windows == 0) throw Error(ErrorKind::bad_data, "there is no window to draw");
}

// The most probable speaker; a tie for the top, and a missing window, hold the decision before.
std::vector<Speaker> decisions_of(MatrixView posteriors) {
  std::vector<Speaker> states = window_winners(posteriors);
  Speaker before = 0;
  for (std::size_t t = 0; t < states.size(); ++t) {
    const auto row = posteriors.row(static_cast<Index>(t));
    const bool holds = states[t] == unknown_speaker ||
                       (t > 0 && row[static_cast<std::size_t>(before)] == row[static_cast<std::size_t>(states[t])]);
    if (holds) states[t] = before;
    before = states[t];
  }
  return states;
}

// Missing windows believe nothing: no area is drawn there.
TrackedTrial trial_of(const SwitchPicture& picture, const MethodTrace& trace) {
  TrackedTrial trial{.name = trace.name,
                     .onset = picture.onset,
                     .posteriors = {.values = trace.posteriors, .window = picture.window},
                     .decisions = {.states = decisions_of(data::view(trace.posteriors)), .window = picture.window},
                     .attention = picture.attention};
  for (Index t = 0; t < trial.posteriors.values.rows(); ++t) {
    if (trial.posteriors.values.row(t).hasNaN()) trial.posteriors.values.row(t).setZero();
  }
  return trial;
}

class SwitchFigure {
 public:
  SwitchFigure(const SwitchPicture& picture, const FigureOptions& options)
      : picture_(picture),
        drawing_(titled_drawing(options.width, picture.title, picture.subtitle, picture.stamp)),
        width_(drawing_.width - left_margin - right_margin) {
    for (const MethodTrace& trace : picture.traces) {
      trials_.push_back(trial_of(picture, trace));
      switches_.push_back(find_switches(trials_.back()));
    }
    look();
  }

  Drawing draw() {
    add_legend();
    const double first = drawing_.height + 4;
    double top = first + (seen_.truth ? ribbon_height + 2 : 0);
    std::vector<Rectangle> crossed;
    if (seen_.truth) crossed.push_back(add_truth(first));
    const double lanes = lane_height * (names_apart() ? 2 : 1);
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      add_name(k, top + lane_height);
      const Rectangle area{left_margin, top + lanes, width_, panel_height};
      add_marks(k, {left_margin, area.top - lane_height + 1.5, width_, lane_height - 2});
      add_panel(k, area);
      crossed.push_back(area);
      top = area.bottom() + 4;
    }
    add(true_switch_lines(frame_of(0), switches_.front(), crossed));
    add_title_up({left_margin, first, width_, top - first});
    add_time(top - 4);
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  void look();
  void add_legend();
  Rectangle add_truth(double top);
  void add_title_up(const Rectangle& panels);
  void add_name(std::size_t k, double bottom);
  void add_marks(std::size_t k, const Rectangle& lane);
  void add_panel(std::size_t k, const Rectangle& area);
  void add_missing(const TrialFrame& frame, const Rectangle& area);
  void add_time(double bottom);
  [[nodiscard]] bool names_apart() const;
  [[nodiscard]] std::string description() const;
  void add(Group group) { append_group(drawing_, std::move(group)); }
  [[nodiscard]] TrialFrame frame_of(std::size_t k) const {
    constexpr double finest = 0.24;
    return {.trial = trials_[k],
            .scores = data::view(picture_.traces[k].posteriors),
            .left = left_margin,
            .window_width = width_ / static_cast<double>(trials_[k].posteriors.values.rows()),
            .most_columns = static_cast<Index>(width_ / finest)};
  }

  const SwitchPicture& picture_;
  Drawing drawing_;
  double width_;
  std::vector<TrackedTrial> trials_;
  std::vector<Switches> switches_;
  AttentionSigns seen_;
};

void SwitchFigure::look() {
  seen_.truth = switches_.front().labelled;
  seen_.unknown = std::ranges::count(picture_.attention.attended, unknown_speaker) > 0;
  seen_.true_switch = !switches_.front().truth.empty();
  for (std::size_t k = 0; k < trials_.size(); ++k) {
    seen_.missing |= picture_.traces[k].posteriors.hasNaN();
    for (const TrueSwitch& one : switches_[k].truth) (one.detected ? seen_.detected : seen_.missed) = true;
    seen_.decided |= !seen_.truth && !switches_[k].others.empty();
  }
}

void SwitchFigure::add_legend() {
  AttentionSigns seen = seen_;
  seen.missing = false;  // hatched here, where nothing else is drawn
  std::vector<LegendEntry> entries = attention_legend(picture_.speakers, seen);
  if (seen_.missing) entries.push_back({"missing window", {hatched(swatch_area(), unknown_hatch)}});
  append_legend(drawing_, entries, {.top_left = {left_margin, drawing_.height}, .room = width_});
}

Rectangle SwitchFigure::add_truth(double top) {
  const Rectangle band{left_margin, top, width_, ribbon_height};
  add(truth_ribbon(frame_of(0), band, picture_.speakers));
  add({"labels", {words_at({left_margin - 4, band.middle() + 2.5}, "attended", 7, Anchor::end)}});
  return band;
}

// Once for all panels, below the ribbon's name.
void SwitchFigure::add_title_up(const Rectangle& panels) {
  const std::string words = "probability of being attended";
  const double room = panels.height - ribbon_height - 14;
  add({"axis-title",
       {climbing({15, panels.middle() + (ribbon_height / 2)},
                 text_width(words, 8) <= room ? words : elided("probability", 8, panels.height), 8)}});
}

// Whether a mark would stand where a name does.
bool SwitchFigure::names_apart() const {
  constexpr double clear = 8;
  double widest = 0;
  for (const MethodTrace& trace : picture_.traces) {
    widest = std::max(widest, 1.1 * text_width(elided(trace.name, name_size, width_ / 1.1), name_size));
  }
  for (std::size_t k = 0; k < trials_.size(); ++k) {
    const TrialFrame frame = frame_of(k);
    const auto meets = [&](Index window) { return frame.x(window) < left_margin + widest + clear; };
    for (const TrueSwitch& one : switches_[k].truth) {
      if (meets(one.at) || meets(one.detected.value_or(one.at))) return true;
    }
    if (!seen_.truth && std::ranges::any_of(switches_[k].others, meets)) return true;
  }
  return false;
}

void SwitchFigure::add_name(std::size_t k, double bottom) {
  Text name = words_at({left_margin, bottom - 3}, elided(picture_.traces[k].name, name_size, width_ / 1.1), name_size);
  name.bold = true;
  add({"names", {std::move(name)}});
}

void SwitchFigure::add_marks(std::size_t k, const Rectangle& lane) {
  add(detected_marks(frame_of(k), switches_[k], lane, picture_.speakers).group);
}

void SwitchFigure::add_panel(std::size_t k, const Rectangle& area) {
  const TrialFrame frame = frame_of(k);
  add(posterior_areas(frame, area, picture_.speakers));
  if (picture_.speakers.size() == 2) {
    add({"half", {line({area.left, area.middle()}, {area.right(), area.middle()}, {paper, 0.7, 2.5})}});
  }
  add_missing(frame, area);
  Group labels{"labels", {}};
  const Axis up({0, 1}, {area.bottom(), area.top});
  for (const PlacedTick& tick : placed(up, up.ticks(2))) {
    labels.shapes.emplace_back(words_at({left_margin - 4, tick.at + 2.3}, tick.label, 6.5, Anchor::end));
    labels.shapes.emplace_back(line({left_margin - 2.5, tick.at}, {left_margin, tick.at}, {ink, 0.5, 0}));
  }
  add(std::move(labels));
}

void SwitchFigure::add_missing(const TrialFrame& frame, const Rectangle& area) {
  Group group{"missing", {}};
  for (const Rectangle& part : missing_parts(frame, area)) {
    Polyline ground = filled(part, paper);
    ground.hint = "missing windows";
    group.shapes.emplace_back(std::move(ground));
    group.shapes.emplace_back(hatched(part, unknown_hatch));
  }
  add(std::move(group));
}

void SwitchFigure::add_time(double bottom) {
  const TrialFrame frame = frame_of(0);
  const Axis across({frame.time(0).value, frame.time(frame.windows()).value}, {left_margin, left_margin + width_});
  add(framed_plot({.area = {left_margin, bottom, width_, 0},
                   .across = titled_axis("time (s)", across, std::max(2, static_cast<int>(width_ / 42))),
                   .style = {.boxed = false, .upright = false, .level = false}}));
  drawing_.height = bottom + 28;
}

std::string SwitchFigure::description() const {
  const TrialFrame frame = frame_of(0);
  const auto at = [&](Index window) { return number_label(frame.time(window).value, 2) + " s"; };
  std::string text = "Probability, from " + at(0) + " to " + at(frame.windows()) + ", that each of " +
                     counted(picture_.speakers.size(), "speaker") + " is attended.";
  for (const TrueSwitch& one : switches_.front().truth) {
    text += " Attention moves to " + picture_.speakers[static_cast<std::size_t>(one.to)] + " at " + at(one.at) + ".";
  }
  for (std::size_t k = 0; k < trials_.size(); ++k) {
    std::string words;
    for (const TrueSwitch& one : switches_[k].truth) {
      words += words.empty() ? "" : ", ";
      words += one.detected ? "detected at " + at(*one.detected) : "missed";
    }
    if (!words.empty()) text += " " + picture_.traces[k].name + ": " + words + ".";
  }
  return text + stamp_sentence(picture_.stamp);
}

}  // namespace

Drawing draw_switch(const SwitchPicture& picture, const FigureOptions& options) {
  check(picture);
  return SwitchFigure(picture, options).draw();
}

}  // namespace heed::report
