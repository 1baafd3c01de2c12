// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/report/attention_figure.h>
#include <report/attention_marks.h>
#include <report/attention_panels.h>
#include <report/axis.h>
#include <report/frame.h>
#include <report/text.h>
#include <report/time_layout.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

constexpr double left_margin = 46;
constexpr double right_margin = 9;
constexpr std::size_t most_rows = 4;
constexpr double trial_gap = 5;

void check(const AttentionPicture& picture) {
  const auto& trials = picture.tracked.trials;
  if (picture.scores.size() != trials.size()) {
    throw Error(ErrorKind::invalid_argument, "scores of " + counted(picture.scores.size(), "trial") + " for " +
                                                 std::to_string(trials.size()) + " tracked ones; give one each");
  }
  Index windows = 0;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Matrix& posteriors = trials[k].posteriors.values;
    const MatrixView scores = picture.scores[k];
    const bool alike = scores.rows == posteriors.rows() && scores.columns == posteriors.cols() &&
                       posteriors.cols() == std::ssize(picture.tracked.speakers) &&
                       std::ssize(trials[k].decisions.states) == posteriors.rows();
    if (!alike) {
      throw Error(ErrorKind::invalid_argument, "trial " + std::to_string(k + 1) +
                                                   ": posteriors, decisions, scores and names of the speakers do not "
                                                   "match; give one row per window and one column per speaker");
    }
    windows += posteriors.rows();
  }
  if (windows == 0) throw Error(ErrorKind::bad_data, "there is no window to draw");
}

// Bands of a row, top to bottom; heights in points.
struct Bands {
  Rectangle names{}, truth{}, detected{}, posterior{}, others{}, raw{}, scores{};

  [[nodiscard]] double bottom() const { return scores.bottom() + 11; }  // tick labels included
};

struct BandChoice {
  std::size_t rows = 1;
  bool named = false;     // trials have names
  bool labelled = false;  // somebody knows who was attended
};

Bands make_bands(double top, double width, const BandChoice& choice) {
  const bool roomy = choice.rows == 1;
  const bool tight = choice.rows > 2;
  const double posterior = roomy ? 62 : tight ? 42 : 52;
  const double scores = roomy ? 40 : tight ? 28 : 34;
  const auto band = [&](double height, double space_after) {
    const Rectangle area{left_margin, top, width, height};
    top += height + space_after;
    return area;
  };
  Bands bands;
  bands.names = band(choice.named ? 9 : 0, 0);
  bands.truth = band(choice.labelled ? 8 : 0, 0);
  bands.detected = band(8, 0);
  bands.posterior = band(posterior, 0);
  bands.others = band(5, 0.5);
  bands.raw = band(10, 4);
  bands.scores = band(scores, 0);
  return bands;
}

// A round number of seconds: enough of them to see a difference, but short beside the time between switches.
Seconds smoothing_for(Seconds row) {
  const double wanted = row.value < 2400 ? row.value / 40 : std::max(60.0, row.value / 120);
  constexpr std::array<double, 13> steps{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600};
  const auto* found = std::ranges::find_if(steps, [&](double one) { return one >= wanted; });
  return {found != steps.end() ? *found : 3600 * std::ceil(wanted / 3600)};
}

class AttentionFigure {
 public:
  AttentionFigure(const AttentionPicture& picture, const FigureOptions& options)
      : picture_(picture), drawing_(titled_drawing(options.width, picture.title, picture.subtitle)) {
    plot_width_ = drawing_.width - left_margin - right_margin;
    lay_out();
  }

  Drawing draw() {
    measure();
    append_legend(drawing_, attention_legend(picture_.tracked.speakers, seen_),
                  {.top_left = {left_margin, drawing_.height}, .room = plot_width_});
    double top = drawing_.height + 4;
    const BandChoice choice{rows_.rows.size(), picture_.tracked.trials.size() > 1, seen_.truth};
    for (const auto& row : rows_.rows) {
      const Bands bands = make_bands(top, plot_width_, choice);
      add_row_labels(bands);
      for (const Segment& segment : row) add_segment(segment, bands);
      top = bands.bottom() + 5;
    }
    drawing_.groups.push_back(
        {"axis-title",
         {words_at({left_margin + (plot_width_ / 2), top + 4}, "time (" + axis_.unit + ")", 7, Anchor::middle)}});
    drawing_.height = top + 8;
    add_caption();
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  void lay_out() {
    std::vector<Seconds> durations;
    for (const TrackedTrial& trial : picture_.tracked.trials) {
      durations.push_back(static_cast<double>(trial.posteriors.values.rows()) * trial.posteriors.hop);
    }
    rows_ = lay_out_rows(durations, {plot_width_, trial_gap, most_rows});
    smoothing_ = smoothing_for(rows_.longest);
    axis_ = time_axis(rows_.longest, Seconds{34 / rows_.points_per_second});
  }

  void measure();
  void measure_range();
  void add_row_labels(const Bands& bands);
  void add_segment(const Segment& segment, const Bands& bands);
  void add_caption();
  void add_time_ticks(const TrialFrame& frame, const Rectangle& band);
  [[nodiscard]] Index smoothed_windows(const TrackedTrial& trial) const {
    return static_cast<Index>(std::max(1.0, std::round(smoothing_ / trial.posteriors.hop)));
  }
  // Windows too narrow to be seen one by one: the raw strip then tells shares of them.
  [[nodiscard]] bool is_crowded(const TrackedTrial& trial) const {
    constexpr double narrowest = 1;  // points
    return trial.posteriors.hop.value * rows_.points_per_second < narrowest && smoothed_windows(trial) > 1;
  }
  [[nodiscard]] TrialFrame frame_of(const Segment& segment) const;
  [[nodiscard]] std::string description() const;

  const AttentionPicture& picture_;
  Drawing drawing_;
  double plot_width_ = 0;
  TimeRows rows_;
  TimeAxis axis_;
  Seconds smoothing_{0};  // of the score lines; 0: one window
  std::vector<ScoreLines> lines_;
  std::vector<Switches> switches_;
  Range score_range_;
  AttentionSigns seen_;
  std::size_t merged_ = 0;  // marks that had no room of their own
  double last_tick_label_ = -std::numeric_limits<double>::infinity();
};

void AttentionFigure::measure() {
  const auto& trials = picture_.tracked.trials;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    lines_.push_back(smooth_scores(picture_.scores[k], smoothed_windows(trials[k])));
    switches_.push_back(find_switches(trials[k]));

    const Switches& switches = switches_.back();
    const auto missed = [](const TrueSwitch& one) { return !one.detected; };
    seen_.truth |= switches.labelled;
    seen_.unknown |= std::ranges::count(trials[k].attention.attended, unknown_speaker) > 0;
    seen_.missing |= std::ranges::count(window_winners(picture_.scores[k]), unknown_speaker) > 0;
    seen_.true_switch |= !switches.truth.empty();
    seen_.missed |= std::ranges::any_of(switches.truth, missed);
    seen_.detected |= !std::ranges::all_of(switches.truth, missed);
    (switches.labelled ? seen_.other : seen_.decided) |= !switches.others.empty();
  }
  measure_range();
}

// All trials on one scale; scores that never vary, or never come, still get one.
void AttentionFigure::measure_range() {
  score_range_ = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const ScoreLines& lines : lines_) {
    for (const auto& line : lines.speakers) {
      for (const double value : line) {
        if (!std::isfinite(value)) continue;
        score_range_ = {std::min(score_range_.low, value), std::max(score_range_.high, value)};
      }
    }
  }
  if (score_range_.low > score_range_.high) score_range_ = {-1, 1};
  const double spread = score_range_.high - score_range_.low;
  const double margin = spread > 0 ? 0.06 * spread : std::max(1e-3, 0.1 * std::abs(score_range_.low));
  score_range_ = {score_range_.low - margin, score_range_.high + margin};
}

void AttentionFigure::add_row_labels(const Bands& bands) {
  Group group{"labels", {}};
  constexpr double edge = left_margin - 4;
  const auto beside = [&](double y, std::string text, double size) {
    group.shapes.emplace_back(words_at({edge, y + (0.36 * size)}, std::move(text), size, Anchor::end));
  };
  const auto add_ticks = [&](const Axis& axis, int wanted) {
    for (const PlacedTick& tick : placed(axis, axis.ticks(wanted))) {
      beside(tick.at, tick.label, 6);
      group.shapes.emplace_back(line({left_margin - 2.5, tick.at}, {left_margin, tick.at}, {ink, 0.5, 0}));
    }
  };
  if (seen_.truth) beside(bands.truth.middle(), "attended", 7);
  group.shapes.emplace_back(climbing({9, bands.posterior.middle()}, "probability", 7));
  add_ticks({{0, 1}, {bands.posterior.bottom(), bands.posterior.top}}, 2);
  const bool shares = is_crowded(picture_.tracked.trials.front());
  beside(bands.raw.middle(), shares ? "raw, share" : "raw", shares ? 6 : 7);
  const double middle = (bands.raw.top + bands.scores.bottom()) / 2;
  group.shapes.emplace_back(climbing({9, middle}, picture_.score_name, 6.5));
  group.shapes.emplace_back(climbing({17, bands.scores.middle()}, "mean, " + duration_label(smoothing_), 5.5));
  add_ticks({score_range_, {bands.scores.bottom(), bands.scores.top}}, bands.scores.height > 30 ? 4 : 3);
  drawing_.groups.push_back(std::move(group));
}

TrialFrame AttentionFigure::frame_of(const Segment& segment) const {
  // Columns are as fine as print shows them, and together so few that the file stays small.
  constexpr double finest = 0.24;
  constexpr double columns_in_all = 12000;
  const TrackedTrial& trial = picture_.tracked.trials[segment.trial];
  const double ink_length = plot_width_ * static_cast<double>(rows_.rows.size());
  const auto speakers = static_cast<double>(picture_.tracked.speakers.size());
  const double width = std::max(finest, ink_length * speakers / columns_in_all);
  return {.trial = trial,
          .scores = picture_.scores[segment.trial],
          .left = left_margin + segment.left,
          .window_width = trial.posteriors.hop.value * rows_.points_per_second,
          .most_columns = std::max<Index>(1, static_cast<Index>(segment.width / width))};
}

void AttentionFigure::add_segment(const Segment& segment, const Bands& bands) {
  const TrialFrame frame = frame_of(segment);
  const Switches& switches = switches_[segment.trial];
  const Names speakers(picture_.tracked.speakers);
  const auto add = [&](Group group) { append_group(drawing_, std::move(group)); };
  if (bands.names.height > 0) {
    const std::string& name = frame.trial.name;
    const std::string text = elided("trial " + (name.empty() ? std::to_string(segment.trial + 1) : name), 6.5, 120);
    const bool fits = text_width(text, 6.5) <= segment.width;
    if (fits) add({"trial", {words_at({frame.left, bands.names.bottom() - 2.5}, text, 6.5)}});
  }
  if (seen_.truth) add(truth_ribbon(frame, frame.within(bands.truth), speakers));
  add(posterior_areas(frame, frame.within(bands.posterior), speakers));
  add(missing_veil(frame, frame.within(bands.posterior)));
  add(raw_strip(frame, frame.within(bands.raw), speakers, is_crowded(frame.trial) ? smoothed_windows(frame.trial) : 1));
  add(score_lines(frame, frame.within(bands.scores), lines_[segment.trial], score_range_));
  const double top = bands.posterior.top;
  const std::array crossed{bands.truth, Rectangle{frame.left, top, segment.width, bands.scores.bottom() - top}};
  add(true_switch_lines(frame, switches, crossed));
  for (Marks marks : {detected_marks(frame, switches, frame.within(bands.detected), speakers),
                      other_marks(frame, switches, frame.within(bands.others))}) {
    merged_ += marks.merged;
    add(std::move(marks.group));
  }
  add_time_ticks(frame, frame.within(bands.scores));
}

// What was put together for want of room.
void AttentionFigure::add_caption() {
  std::string text;
  if (is_crowded(picture_.tracked.trials.front())) {
    text = "raw, share: the share of windows within " + duration_label(smoothing_) +
           " in which a speaker's score is the largest. ";
  }
  if (merged_ > 0)
    text += "Switches too close together share one mark, followed by \u00d7 and their number where there is room.";
  append_caption(drawing_, text, {left_margin, plot_width_});
}

void AttentionFigure::add_time_ticks(const TrialFrame& frame, const Rectangle& band) {
  constexpr double size = 6.5;
  Group group{"time", {}};
  group.shapes.emplace_back(line({band.left, band.bottom()}, {band.right(), band.bottom()}, {ink, 0.5, 0}));
  const Range clock{frame.time(0).value, frame.time(frame.windows()).value};
  if (frame.left <= left_margin) last_tick_label_ = -std::numeric_limits<double>::infinity();
  for (const Tick& tick : time_ticks(axis_, clock)) {
    const double x = frame.left + ((tick.value - clock.low) * rows_.points_per_second);
    const double half = text_width(tick.label, size) / 2;
    group.shapes.emplace_back(line({x, band.bottom()}, {x, band.bottom() + 2.5}, {ink, 0.5, 0}));
    if (x - half < last_tick_label_ + 2) continue;
    group.shapes.emplace_back(words_at({x, band.bottom() + 9}, tick.label, size, Anchor::middle));
    last_tick_label_ = x + half;
  }
  drawing_.groups.push_back(std::move(group));
}

std::string AttentionFigure::description() const {
  std::size_t windows = 0;
  std::size_t truth = 0;
  std::size_t detected = 0;
  std::size_t others = 0;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    windows += static_cast<std::size_t>(picture_.tracked.trials[k].posteriors.values.rows());
    truth += switches_[k].truth.size();
    others += switches_[k].others.size();
    for (const TrueSwitch& one : switches_[k].truth) detected += one.detected ? 1U : 0U;
  }
  std::string text = "Probability over time that each of " + counted(picture_.tracked.speakers.size(), "speaker") +
                     " is attended: " + counted(windows, "window") + " in " + counted(switches_.size(), "trial") + ". ";
  if (seen_.truth) {
    text += counted(truth, "true switch") + " of attention, " + std::to_string(detected) + " detected, " +
            counted(others, "other change") + " of the decision.";
  } else {
    text += counted(others, "change") + " of the decision; it is unknown who was attended.";
  }
  return text;
}

}  // namespace

Drawing draw_attention(const AttentionPicture& picture, const FigureOptions& options) {
  check(picture);
  return AttentionFigure(picture, options).draw();
}

}  // namespace heed::report
