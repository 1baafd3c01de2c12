// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/figures.h>
#include <report/frame.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

constexpr double right_margin = 12;
constexpr double label_size = 7;

double milliseconds(Seconds time) { return 1000 * time.value; }

std::string in_milliseconds(Seconds time) { return number_label(milliseconds(time), 0) + " ms"; }

void check(const AlignmentPicture& picture) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::invalid_argument, message); };
  const auto& shifts = picture.shifts;
  if (shifts.size() != picture.scores.size() || shifts.size() < 2) {
    refuse(std::to_string(picture.scores.size()) + " scores for " + std::to_string(shifts.size()) +
           " shifts; give one for each of at least two shifts");
  }
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    const bool rises = k == 0 || shifts[k] > shifts[k - 1];
    if (!std::isfinite(shifts[k].value) || !rises) {
      refuse("shift " + std::to_string(k + 1) + " is not larger than the one before it; sort the shifts");
    }
  }
  if (!(picture.expected_first <= picture.expected_last)) {
    refuse("the expected range of the peak ends before it begins; swap its ends");
  }
  if (picture.peak && !(*picture.peak >= shifts.front() && *picture.peak <= shifts.back())) {
    refuse("the peak at " + in_milliseconds(*picture.peak) + " lies outside the shifts; give one of them");
  }
  if (std::ranges::none_of(picture.scores, [](double score) { return std::isfinite(score); })) {
    throw Error(ErrorKind::bad_data, "no shift has a score, so there is nothing to draw");
  }
}

// Zero is shown; above the curve there is room for the peak's mark.
Range score_range(const std::vector<double>& scores) {
  Range range{0, 0};
  for (const double score : scores) {
    if (std::isfinite(score)) range = {std::min(range.low, score), std::max(range.high, score)};
  }
  const double spread = range.high - range.low;
  if (spread == 0) return {-1, 1};
  return {range.low - (0.08 * spread), range.high + (0.14 * spread)};
}

class AlignmentFigure {
 public:
  AlignmentFigure(const AlignmentPicture& picture, const FigureOptions& options)
      : picture_(picture), drawing_(titled_drawing(options.width, picture.title, picture.subtitle)) {
    constexpr double room_for_label = 11;
    const double width = drawing_.width - plot_left_margin - right_margin;
    plot_ = {plot_left_margin, drawing_.height + room_for_label, width, std::clamp(0.36 * width, 100.0, 170.0)};
    across_ = {{milliseconds(picture.shifts.front()), milliseconds(picture.shifts.back())},
               {plot_.left, plot_.right()}};
    up_ = {score_range(picture.scores), {plot_.bottom(), plot_.top}};
  }

  Drawing draw() {
    add_expected();
    drawing_.groups.push_back(
        framed_plot({.area = plot_,
                     .across = titled_axis(picture_.shift_name + " (ms)", across_, ticks_across(plot_)),
                     .up = titled_axis(picture_.score_name, up_, 6)}));
    add_scores();
    add_peak();
    drawing_.height = plot_.bottom() + plot_bottom_margin;
    append_caption(drawing_, picture_.caption, {plot_.left, plot_.width});
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  [[nodiscard]] bool in_place() const {
    return picture_.peak && *picture_.peak >= picture_.expected_first && *picture_.peak <= picture_.expected_last;
  }
  [[nodiscard]] std::string expected_words() const {
    if (picture_.expected_first == picture_.expected_last) return in_milliseconds(picture_.expected_first);
    return number_label(milliseconds(picture_.expected_first), 0) + " to " + in_milliseconds(picture_.expected_last);
  }
  [[nodiscard]] double score_at(Seconds shift) const;
  void add_expected();
  void add_scores();
  void add_peak();
  [[nodiscard]] std::string description() const;

  const AlignmentPicture& picture_;
  Drawing drawing_;
  Rectangle plot_;
  Axis across_;
  Axis up_;
};

// At least so wide that it is seen; what lies outside the shifts is cut off.
void AlignmentFigure::add_expected() {
  constexpr double least = 2.4;
  const double first = across_.place(milliseconds(picture_.expected_first));
  const double last = across_.place(milliseconds(picture_.expected_last));
  const double spare = std::max(0.0, (least - (last - first)) / 2);
  const double left = std::clamp(first - spare, plot_.left, plot_.right());
  const double right = std::clamp(last + spare, plot_.left, plot_.right());
  if (right <= left) return;
  const std::string words = "expected: " + expected_words();
  const double half = text_width(words, label_size) / 2;
  const double middle =
      std::clamp((left + right) / 2, plot_.left + half, std::max(plot_.left + half, plot_.right() - half));
  Polyline area = filled({left, plot_.top, right - left, plot_.height}, with_opacity(expected_area, 0.2));
  area.hint = words;
  drawing_.groups.push_back(
      {"expected",
       {std::move(area), words_at({middle, plot_.top - 4}, words, label_size, Anchor::middle, expected_ink)}});
}

void AlignmentFigure::add_scores() {
  std::vector<Point> points;
  for (std::size_t k = 0; k < picture_.shifts.size(); ++k) {
    points.push_back({across_.place(milliseconds(picture_.shifts[k])), up_.place(picture_.scores[k])});
  }
  const double zero = up_.place(0);
  drawing_.groups.push_back({"zero", {line({plot_.left, zero}, {plot_.right(), zero}, {faint_ink, 0.6, 0})}});
  drawing_.groups.push_back({"scores", broken_line(points, {palette(0), 1.2, 0}, picture_.score_name)});
}

// Between two shifts the line is straight. Not a number in a gap.
double AlignmentFigure::score_at(Seconds shift) const {
  const auto next = std::ranges::lower_bound(picture_.shifts, shift);
  const auto k = static_cast<std::size_t>(next - picture_.shifts.begin());
  if (picture_.shifts[k] == shift) return picture_.scores[k];
  const double share = (shift - picture_.shifts[k - 1]) / (picture_.shifts[k] - picture_.shifts[k - 1]);
  return picture_.scores[k - 1] + (share * (picture_.scores[k] - picture_.scores[k - 1]));
}

void AlignmentFigure::add_peak() {
  if (!picture_.peak) return;
  const double score = score_at(*picture_.peak);
  const Point at{across_.place(milliseconds(*picture_.peak)), std::isfinite(score) ? up_.place(score) : plot_.top + 8};
  const Colour colour = in_place() ? expected_ink : alarm_ink;
  const std::string words = "peak at " + in_milliseconds(*picture_.peak);
  const bool to_the_left = at.x + 6 + text_width(words, label_size) > plot_.right();
  Text label = words_at({at.x + (to_the_left ? -6 : 6), at.y - 4}, words, label_size,
                        to_the_left ? Anchor::end : Anchor::start, colour);
  label.bold = !in_place();
  drawing_.groups.push_back(
      {"peak",
       {line({at.x, at.y}, {at.x, plot_.bottom()}, {colour, 0.7, 2}), filled_mark(MarkShape::circle, at, 7.5, paper),
        hinted(filled_mark(in_place() ? MarkShape::circle : MarkShape::diamond, at, 5.5, colour),
               words + (in_place() ? "" : ", outside the expected range")),
        std::move(label)}});
}

std::string AlignmentFigure::description() const {
  std::string text = picture_.score_name + " against the " + picture_.shift_name + " from " +
                     in_milliseconds(picture_.shifts.front()) + " to " + in_milliseconds(picture_.shifts.back()) +
                     ". The peak is expected at " + expected_words() + "; ";
  if (!picture_.peak) return text + "there is no clear peak.";
  return text + "it is at " + in_milliseconds(*picture_.peak) + ".";
}

}  // namespace

Drawing draw_alignment(const AlignmentPicture& picture, const FigureOptions& options) {
  check(picture);
  return AlignmentFigure(picture, options).draw();
}

}  // namespace heed::report
