// SPDX-License-Identifier: MIT
#include <data/switching.h>
#include <heed/data/error.h>
#include <report/figures.h>
#include <report/frame.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double left_margin = 62;  // for "5.3 min" and the title of the axis
constexpr double right_margin = 12;
constexpr double row_height = 15;
constexpr double bars_room = 92;  // of the bars on the right, with their numbers
constexpr double gap = 12;
constexpr double label_size = 7;

// "32 s", "5.3 min", "2.8 h": half decades need no third digit.
std::string short_duration(Seconds duration) {
  const bool hours = duration.value > 6000;
  const bool minutes = duration.value > 120;
  const double value = duration.value / (hours ? 3600 : minutes ? 60 : 1);
  return number_label(value, value < 9.95 && minutes ? 1 : 0) + (hours ? " h" : minutes ? " min" : " s");
}

void check(const SwitchingPicture& picture) {
  const SwitchPosterior& found = picture.found;
  const auto values = static_cast<Index>(found.weights.size());
  const bool fits = std::ranges::all_of(picture.history, [&](const Matrix& trial) { return trial.cols() == values; });
  if (values == 0 || found.per_second.size() != found.weights.size() || !fits || !(picture.hop.value > 0)) {
    throw Error(ErrorKind::invalid_argument,
                "a posterior of " + std::to_string(values) +
                    " switch probabilities does not fit its history; give one column for each of them");
  }
}

class SwitchingFigure {
 public:
  SwitchingFigure(const SwitchingPicture& picture, const FigureOptions& options)
      : picture_(picture), drawing_(titled_drawing(options.width, picture.title, picture.subtitle)) {
    constexpr double room_for_heading = 10;
    const double height = row_height * static_cast<double>(picture.found.weights.size());
    const double width = drawing_.width - left_margin - gap - bars_room - right_margin;
    map_ = {left_margin, drawing_.height + room_for_heading, width, height};
    bars_ = {map_.right() + gap, map_.top, bars_room, height};
    for (const Matrix& trial : picture.history) windows_ += trial.rows();
  }

  Drawing draw() {
    add_history();
    add_axes();
    add_bars();
    drawing_.height = map_.bottom() + plot_bottom_margin;
    drawing_.description =
        "What the windows say about how often the listener switches: " + data::switching_words(picture_.found) + ".";
    return std::move(drawing_);
  }

 private:
  [[nodiscard]] std::string interval(std::size_t value) const {
    return short_duration(data::switch_interval(picture_.found, value));
  }
  // The quickest listener on top.
  [[nodiscard]] double top_of(std::size_t value) const {
    return map_.bottom() - (row_height * static_cast<double>(value + 1));
  }
  [[nodiscard]] double across(Index window) const {
    return map_.left + (map_.width * static_cast<double>(window) / static_cast<double>(std::max<Index>(windows_, 1)));
  }
  void add_history();
  void add_cells(std::size_t value, const std::vector<double>& probabilities, Group& group) const;
  void add_axes();
  void add_bars();

  const SwitchingPicture& picture_;
  Drawing drawing_;
  Rectangle map_;
  Rectangle bars_;
  Index windows_ = 0;
};

// The darker, the more probable. Windows are averaged where there are more than the paper shows, and neighbours of one
// shade are one cell.
void SwitchingFigure::add_history() {
  drawing_.groups.push_back({"paper", {filled(map_, with_opacity(faint_ink, 0.08))}});
  Group group{"history", {}};
  for (std::size_t g = 0; g < picture_.found.weights.size(); ++g) {
    std::vector<double> probabilities;
    for (const Matrix& trial : picture_.history) {
      for (Index t = 0; t < trial.rows(); ++t) probabilities.push_back(trial(t, static_cast<Index>(g)));
    }
    add_cells(g, probabilities, group);
  }
  Index begins = 0;
  for (const Matrix& trial : picture_.history) {
    if (begins > 0)
      group.shapes.emplace_back(line({across(begins), map_.top}, {across(begins), map_.bottom()}, {paper, 0.6, 0}));
    begins += trial.rows();
  }
  drawing_.groups.push_back(std::move(group));
}

void SwitchingFigure::add_cells(std::size_t value, const std::vector<double>& probabilities, Group& group) const {
  constexpr Index most_columns = 200;
  constexpr double shades = 50;
  const Index columns = std::min(windows_, most_columns);
  Index begins = 0;  // of the cell, in windows
  double shade = -1;
  const auto end_cell = [&](Index end) {
    if (shade > 0) {
      Polyline cell = filled({across(begins), top_of(value), across(end) - across(begins), row_height},
                             with_opacity(palette(0), shade));
      cell.hint = "a switch every " + interval(value) + ": " + per_cent(shade);
      group.shapes.emplace_back(std::move(cell));
    }
    begins = end;
  };
  for (Index c = 0; c < columns; ++c) {
    const auto first = probabilities.begin() + (c * windows_ / columns);
    const auto last = probabilities.begin() + ((c + 1) * windows_ / columns);
    double sum = 0;
    for (auto p = first; p != last; ++p) sum += *p;
    const double next = std::round(shades * sum / static_cast<double>(last - first)) / shades;
    if (next == shade) continue;
    end_cell(c * windows_ / columns);
    shade = next;
  }
  end_cell(windows_);
}

void SwitchingFigure::add_axes() {
  const Seconds span = static_cast<double>(windows_) * picture_.hop;
  const double closest = span.value * 24 / map_.width;
  const TimeAxis time = time_axis(span, {closest});
  PlotAxis below{.title = "time (" + time.unit + ")", .ticks = {}};
  const Axis axis{{0, std::max(span.value, picture_.hop.value)}, {map_.left, map_.right()}};
  for (const Tick& tick : time_ticks(time, axis.values())) below.ticks.push_back({axis.place(tick.value), tick.label});
  drawing_.groups.push_back(framed_plot({.area = map_,
                                         .across = std::move(below),
                                         .up = {},
                                         .style = {.boxed = true, .upright = false, .level = false}}));
  Group labels{"values", {}};
  for (std::size_t g = 0; g < picture_.found.weights.size(); ++g) {
    labels.shapes.emplace_back(words_at({map_.left - 5, top_of(g) + (row_height / 2) + (0.36 * label_size)},
                                        interval(g), label_size, Anchor::end));
  }
  labels.shapes.emplace_back(climbing({10, map_.middle()}, "one switch every", 8));
  drawing_.groups.push_back(std::move(labels));
}

// After the last window, beside what was believed before the first.
void SwitchingFigure::add_bars() {
  constexpr double number_room = 26;
  const double full = bars_.width - number_room;
  Group group{"posterior", {words_at({bars_.left, bars_.top - 4}, "after the last window", label_size)}};
  const double prior = bars_.left + (full / static_cast<double>(picture_.found.weights.size()));
  for (std::size_t g = 0; g < picture_.found.weights.size(); ++g) {
    const double weight = picture_.found.weights[g];
    const Rectangle bar{bars_.left, top_of(g) + 2.5, full * weight, row_height - 5};
    const std::string words = number_label(100 * weight, weight < 0.0995 ? 1 : 0) + " %";
    if (weight > 0)
      group.shapes.push_back(hinted(filled(bar, palette(0)), "a switch every " + interval(g) + ": " + words));
    if (weight < 0.0005) continue;
    group.shapes.emplace_back(words_at({bar.right() + 3, bar.middle() + (0.36 * label_size)}, words, label_size));
  }
  group.shapes.emplace_back(line({prior, bars_.top}, {prior, bars_.bottom()}, {faint_ink, 0.7, 2}));
  group.shapes.emplace_back(
      words_at({prior + 3, bars_.bottom() + 9}, "before the first", label_size, Anchor::start, faint_ink));
  group.shapes.emplace_back(line({bars_.left, bars_.top}, {bars_.left, bars_.bottom()}, {ink, 0.6, 0}));
  drawing_.groups.push_back(std::move(group));
}

}  // namespace

Drawing draw_switching(const SwitchingPicture& picture, const FigureOptions& options) {
  check(picture);
  return SwitchingFigure(picture, options).draw();
}

}  // namespace heed::report
