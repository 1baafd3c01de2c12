// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/frame.h>
#include <report/study/figures.h>
#include <report/study/values.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

constexpr double cap = 1.6;  // half the line across the end of an error bar

struct PanelPlace {
  std::size_t panel = 0;
  Rectangle area{};
  bool labelled = true;  // the horizontal axis; panels below each other share it
};

// A line with a short one across at both ends.
Polyline error_bar(Point from, Point to, const Stroke& stroke) {
  Polyline bar = line(from, to, stroke);
  for (const Point& end : {from, to}) bar.pieces.push_back({{end.x - cap, end.y}, {end.x + cap, end.y}});
  return bar;
}

// The places across of all panels: they share the axis.
struct Across {
  std::vector<double> values{};  // rising, each once
  bool shared = false;           // series meet at some
};

Across across_of(const SweepPicture& picture) {
  Across across;
  for (const SweepPanel& panel : picture.panels) {
    std::vector<double> of_panel;
    for (const auto& series : panel.series) {
      for (const SweepPoint& point : series) of_panel.push_back(point.across);
    }
    std::ranges::copy(of_panel, std::back_inserter(across.values));
    std::ranges::sort(of_panel);
    across.shared = across.shared || std::ranges::adjacent_find(of_panel) != of_panel.end();
  }
  std::ranges::sort(across.values);
  across.values.erase(std::unique(across.values.begin(), across.values.end()), across.values.end());
  return across;
}

// Series at the same place across stand beside each other in slots: the mean in its left part, the participants in the
// right. Groups, from the bottom: "axes", "chance", "diagonal", then of each series "participants", "line s", "bar s",
// "mean s", "published".
class Panel {
 public:
  Panel(const SweepPicture& picture, const PanelPlace& place)
      : picture_(picture), panel_(picture.panels[place.panel]), place_(place), values_(across_of(picture)) {
    lay_out();
  }

  std::vector<Group> draw() {
    add_axes();
    for (std::size_t s = 0; s < panel_.series.size(); ++s) add_participants(s);
    for (std::size_t s = 0; s < panel_.series.size(); ++s) add_line(s);
    // The first, with which the others are compared, on top.
    for (std::size_t s = panel_.series.size(); s-- > 0;) add_means(s);
    for (std::size_t s = 0; s < panel_.series.size(); ++s) add_published(s);
    return std::move(groups_);
  }

 private:
  void lay_out();
  void choose_slots();
  void add_axes();
  void add_diagonal();
  void add_participants(std::size_t s);
  void add_line(std::size_t s);
  void add_means(std::size_t s);
  void add_published(std::size_t s);
  void add(Group group) {
    if (!group.shapes.empty()) groups_.push_back(std::move(group));
  }

  [[nodiscard]] double height(double value) const { return up_.place(panel_.measure.factor * value); }
  // The middle of a series' slot.
  [[nodiscard]] double slot_middle(std::size_t s, const SweepPoint& point) const {
    const double place = dodged_ ? static_cast<double>(s) - (static_cast<double>(panel_.series.size() - 1) / 2) : 0;
    return across_.place(point.across) + (place * slot_);
  }
  [[nodiscard]] double mean_place(std::size_t s, const SweepPoint& point) const {
    return slot_middle(s, point) - (dots_ && !picture_.diagonal ? 0.2 * slot_ : 0);
  }
  [[nodiscard]] std::string words(const std::string& who, std::size_t s, const SweepPoint& point) const {
    std::string text = who;
    for (const std::string& part : {picture_.series[s], across_text(picture_.across, point.across)}) {
      if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    }
    return text + ": ";
  }

  const SweepPicture& picture_;
  const SweepPanel& panel_;
  PanelPlace place_;
  Across values_;
  Axis across_{};
  Axis up_{};
  bool dodged_ = false;
  bool dots_ = false;
  double slot_ = 0;  // width of a series' part of a place
  std::vector<Group> groups_;
};

void Panel::lay_out() {
  MeasureAxis measure = panel_.measure;
  if (picture_.diagonal) {  // both axes reach as far
    measure.lowest = std::min(measure.lowest.value_or(values_.values.front()), values_.values.front());
    measure.highest = std::max(measure.highest.value_or(values_.values.back()), values_.values.back());
  }
  ShownValues shown(measure);
  bool bars = false;
  for (const auto& series : panel_.series) {
    for (const SweepPoint& point : series) {
      shown.add(point.values, point.published);
      dots_ = dots_ || !known(point.values.participants).empty();
      bars = bars || known(point.values.quartiles);
    }
  }
  up_ = shown.axis({place_.area.bottom(), place_.area.top});
  // Means alone hide little, and beside a diagonal every place tells something.
  dodged_ = values_.shared && (dots_ || bars) && !picture_.diagonal;
  choose_slots();
}

// As wide as the closest places allow, and no wider than is good to look at.
void Panel::choose_slots() {
  constexpr double widest = 11;
  constexpr double narrowest = 2.5;
  constexpr double air = 4;
  const auto& values = values_.values;
  Range range{values.front(), values.back()};
  if (picture_.diagonal) {
    range = {up_.values().low / panel_.measure.factor, up_.values().high / panel_.measure.factor};
  }
  if (range.low == range.high) {
    range = picture_.logarithmic ? Range{range.low / 2, range.high * 2} : Range{range.low - 1, range.high + 1};
  }
  const Scale scale = picture_.logarithmic ? Scale::logarithmic : Scale::linear;
  const double series = dodged_ ? static_cast<double>(panel_.series.size()) : 1;
  const auto axis_with = [&](double inset) {
    const double room = picture_.diagonal ? 0 : inset;  // its values keep away from the ends
    return Axis(range, {place_.area.left + room, place_.area.right() - room}, scale);
  };
  across_ = axis_with((widest * series / 2) + air);
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < values.size(); ++k) {
    closest = std::min(closest, across_.place(values[k]) - across_.place(values[k - 1]));
  }
  slot_ = std::clamp(0.86 * closest / series, narrowest, widest);
  across_ = axis_with((slot_ * series / 2) + air);
}

void Panel::add_axes() {
  const Rectangle& area = place_.area;
  PlotFrame frame{.area = area,
                  .across = {.title = place_.labelled ? elided(picture_.across, 8, area.width + 30) : "",
                             .ticks = picture_.diagonal ? round_ticks(across_) : chosen_ticks(across_, values_.values)},
                  .up = {.title = scaled_title(panel_.measure, up_, {8, area.height}), .ticks = round_ticks(up_)},
                  .style = {.boxed = false, .upright = false, .level = true}};
  if (!place_.labelled) {
    for (PlacedTick& tick : frame.across.ticks) tick.label.clear();
  }
  add(framed_plot(frame));
  if (const auto height = chance_place(panel_.measure, up_)) add(chance_line(area, *height));
  if (picture_.diagonal) add_diagonal();
}

void Panel::add_diagonal() {
  const double factor = panel_.measure.factor;
  const double low = std::max(across_.values().low, up_.values().low / factor);
  const double high = std::min(across_.values().high, up_.values().high / factor);
  if (!(low < high)) return;
  add({"diagonal",
       {line({across_.place(low), height(low)}, {across_.place(high), height(high)}, {faint_ink, 0.8, 3})}});
}

void Panel::add_participants(std::size_t s) {
  Group group{"participants", {}};
  const double diameter = std::clamp(0.24 * slot_, 1.2, 2.4);
  const double half = std::max(0.0, (0.3 * slot_) - (diameter / 2));
  for (const SweepPoint& point : panel_.series[s]) {
    const auto participants = known(point.values.participants);
    std::vector<double> heights;
    heights.reserve(participants.size());
    for (const ParticipantValue& one : participants) heights.push_back(height(one.value));
    const auto offsets = swarm_of(heights, {diameter, half}).offsets;
    for (std::size_t k = 0; k < participants.size(); ++k) {
      const Point at{slot_middle(s, point) + (0.2 * slot_) + offsets[k], heights[k]};
      group.shapes.push_back(
          hinted(participant_dot(at, diameter, palette(s)),
                 words(participants[k].participant, s, point) + value_text(panel_.measure, participants[k].value)));
    }
  }
  add(std::move(group));
}

void Panel::add_line(std::size_t s) {
  std::vector<Point> points;
  for (const SweepPoint& point : panel_.series[s]) {
    const auto mean = known(point.values.mean);
    points.push_back({mean_place(s, point), mean ? height(*mean) : std::numeric_limits<double>::quiet_NaN()});
  }
  add({"line " + std::to_string(s), broken_line(points, {palette(s), 1.2, 0}, picture_.series[s])});
}

void Panel::add_means(std::size_t s) {
  Group bars{"bar " + std::to_string(s), {}};
  Group means{"mean " + std::to_string(s), {}};
  const double size = std::clamp(0.62 * slot_, 3.0, 5.5);
  for (const SweepPoint& point : panel_.series[s]) {
    const double x = mean_place(s, point);
    if (const auto quartiles = known(point.values.quartiles)) {
      Polyline bar = error_bar({x, height(quartiles->lower)}, {x, height(quartiles->upper)}, {palette(s), 0.9, 0});
      bar.hint = words("", s, point) + quartile_text(panel_.measure, *quartiles);
      bars.shapes.emplace_back(std::move(bar));
    }
    if (const auto mean = known(point.values.mean)) {
      Shape mark = edged(filled_mark(mark_shape(s), {x, height(*mean)}, size, palette(s)), {paper, 0.5, 0});
      means.shapes.push_back(
          hinted(std::move(mark), words("", s, point) + mean_text(panel_.measure, point.values) + "."));
    }
  }
  add(std::move(bars));
  add(std::move(means));
}

void Panel::add_published(std::size_t s) {
  Group group{"published", {}};
  const double size = std::clamp(1.5 * slot_, 6.5, published_size);
  for (const SweepPoint& point : panel_.series[s]) {
    if (!point.published || !std::isfinite(point.published->value)) continue;
    const Point at{mean_place(s, point), height(point.published->value)};
    group.shapes.push_back(hinted(published_star(at, size, palette(s)),
                                  words("published", s, point) + published_text(panel_.measure, *point.published)));
  }
  add(std::move(group));
}

constexpr std::size_t most_panels = 3;
constexpr double right_margin = 8;
constexpr double line_sign_width = 18;
constexpr double widest_square = 85 * points_per_millimetre;

void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

void check_across(const SweepPicture& picture, const std::string& series, const SweepPoint& point) {
  const bool drawable = std::isfinite(point.across) && (!picture.logarithmic || point.across > 0);
  if (drawable) return;
  refuse(series + ": " + picture.across + " of " + number_label(point.across) +
         (picture.logarithmic ? " has no place on a logarithmic axis; give numbers above zero"
                              : " has no place on the axis; give a number"));
}

void check(const SweepPicture& picture) {
  if (picture.panels.empty() || picture.panels.size() > most_panels) {
    refuse(std::to_string(picture.panels.size()) + " panels; give one to three");
  }
  bool any = false;
  for (std::size_t k = 0; k < picture.panels.size(); ++k) {
    const auto& series = picture.panels[k].series;
    if (series.size() != picture.series.size()) {
      refuse("panel " + std::to_string(k + 1) + " has " + std::to_string(series.size()) + " series for " +
             std::to_string(picture.series.size()) + " names; give one each");
    }
    for (std::size_t s = 0; s < series.size(); ++s) {
      for (const SweepPoint& point : series[s]) {
        check_across(picture, picture.series[s], point);
        any = any || known(point.values.mean);
      }
    }
  }
  if (!any) throw Error(ErrorKind::bad_data, "no series has a mean, so there is nothing to draw");
}

template <typename Is>
bool any_point(const SweepPicture& picture, Is is) {
  return std::ranges::any_of(picture.panels, [&](const SweepPanel& panel) {
    return std::ranges::any_of(panel.series, [&](const auto& series) { return std::ranges::any_of(series, is); });
  });
}

std::vector<LegendEntry> legend_entries(const SweepPicture& picture) {
  std::vector<LegendEntry> entries;
  constexpr double half = line_sign_width / 2;
  for (std::size_t s = 0; s < picture.series.size(); ++s) {
    if (picture.series[s].empty()) continue;
    entries.push_back(
        {picture.series[s],
         {line({-half, 0}, {half, 0}, {palette(s), 1.2, 0}), filled_mark(mark_shape(s), {}, 5.5, palette(s))},
         line_sign_width});
  }
  if (any_point(picture, [](const SweepPoint& point) { return known(point.values.quartiles).has_value(); })) {
    entries.push_back(
        {"mean and interquartile range",
         {error_bar({0, -4}, {0, 4}, {faint_ink, 1, 0}), filled_mark(MarkShape::circle, {}, 4, faint_ink)},
         6});
  }
  if (any_point(picture, [](const SweepPoint& point) { return !known(point.values.participants).empty(); })) {
    entries.push_back({"participant", {participant_dot({}, 2.6, faint_ink)}, 4});
  }
  if (any_point(picture, [](const SweepPoint& point) { return point.published.has_value(); })) {
    entries.push_back({"published", {published_star({}, published_size, ink)}, published_size});
  }
  if (picture.diagonal) {
    entries.push_back({"perfect calibration", {line({-half, 0}, {half, 0}, {faint_ink, 0.8, 3})}, line_sign_width});
  }
  return entries;
}

struct Layout {
  bool beside = true;  // panels side by side where each gets enough, else below each other
  std::vector<Rectangle> areas{};
  LegendPlace legend{};
};

// A square leaves room for the legend at its right; elsewhere it stands above.
bool legend_is_beside(const SweepPicture& picture, double width) {
  return picture.diagonal && picture.panels.size() == 1 && width >= plot_left_margin + widest_square + 120;
}

Layout lay_out(const SweepPicture& picture, const Drawing& drawing, const std::vector<LegendEntry>& entries) {
  constexpr double least_beside = 75 * points_per_millimetre;
  constexpr double between = 10;
  constexpr double least_height = 120;  // the longest title of a measure fits
  const double width = drawing.width;
  const auto panels = static_cast<double>(picture.panels.size());
  Layout layout{
      .beside = width / panels >= least_beside,
      .legend = {.top_left = {plot_left_margin, drawing.height}, .room = width - plot_left_margin - right_margin}};
  const bool aside = legend_is_beside(picture, width);
  const double top = drawing.height + 6 + (aside ? 0 : lay_out_legend(entries, layout.legend).height);
  const double cell = layout.beside ? width / panels : width;
  double area = cell - plot_left_margin - right_margin;
  if (picture.diagonal) area = std::min(area, widest_square);
  const bool low = !layout.beside || picture.panels.size() == 1;
  const double height = picture.diagonal ? area : std::clamp((low ? 0.42 : 0.68) * area, least_height, 175.0);
  for (std::size_t k = 0; k < picture.panels.size(); ++k) {
    const auto place = static_cast<double>(k);
    layout.areas.push_back({plot_left_margin + (layout.beside ? place * cell : 0),
                            top + (layout.beside ? 0 : place * (height + between)), area, height});
  }
  if (aside) {
    const double left = layout.areas.front().right() + 16;
    layout.legend = {.top_left = {left, top + 8},
                     .room = width - left - right_margin,
                     .sign_width = line_sign_width,
                     .one_per_line = true};
  }
  return layout;
}

std::string end_words(const SweepPicture& picture, const MeasureAxis& measure, const SweepPoint& point) {
  return value_text(measure, *point.values.mean) + " at " + across_value(picture.across, point.across);
}

// The first and the last mean of every line.
std::string description(const SweepPicture& picture) {
  std::string text;
  for (const SweepPanel& panel : picture.panels) {
    text += (text.empty() ? "" : " ") + ("Mean " + panel.measure.title + " along " + picture.across + ".");
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
      std::vector<SweepPoint> means;
      std::ranges::copy_if(panel.series[s], std::back_inserter(means),
                           [](const SweepPoint& point) { return known(point.values.mean).has_value(); });
      if (means.empty()) continue;
      text += " " + (picture.series[s].empty() ? std::string() : picture.series[s] + ": ");
      text += end_words(picture, panel.measure, means.front());
      if (means.size() > 1) text += ", " + end_words(picture, panel.measure, means.back());
      text += ".";
    }
  }
  return text + stamp_sentence(picture.stamp);
}

}  // namespace

Drawing draw_sweep(const SweepPicture& picture, const FigureOptions& options) {
  check(picture);
  Drawing drawing = titled_drawing(options.width, picture.title, picture.subtitle, picture.stamp);
  const std::vector<LegendEntry> entries = legend_entries(picture);
  const Layout layout = lay_out(picture, drawing, entries);
  append_legend(drawing, entries, layout.legend);
  for (std::size_t k = 0; k < picture.panels.size(); ++k) {
    const bool bottom = layout.beside || k + 1 == picture.panels.size();
    for (Group& group : Panel(picture, {.panel = k, .area = layout.areas[k], .labelled = bottom}).draw()) {
      drawing.groups.push_back(std::move(group));
    }
  }
  drawing.height = layout.areas.back().bottom() + plot_bottom_margin;
  drawing.description = description(picture);
  return drawing;
}

}  // namespace heed::report
