// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/report/trade_off_figure.h>
#include <report/axis.h>
#include <report/figure_frame.h>
#include <report/ink/shapes.h>
#include <report/ink/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

constexpr double left_margin = 40;
constexpr double legend_size = 7.5;
constexpr std::array markers{Marker::circle, Marker::square, Marker::triangle_up, Marker::diamond,
                             Marker::triangle_down};

Marker marker_of(std::size_t curve) { return markers[curve % markers.size()]; }

// Both coordinates of the points that have both.
std::vector<Point> drawable(const std::vector<TradeOffPoint>& points) {
  std::vector<Point> result;
  for (const TradeOffPoint& point : points) {
    if (point.accuracy && point.switch_time) result.push_back({*point.switch_time, 100 * *point.accuracy});
  }
  return result;
}

std::vector<Point> all_points(const TradeOffPicture& picture) {
  std::vector<Point> points;
  for (const TradeOffCurve& curve : picture.curves) {
    for (const auto& part : {drawable(curve.sweep), drawable({curve.in_use}), drawable(curve.participants)}) {
      std::ranges::copy(part, std::back_inserter(points));
    }
  }
  if (points.empty()) {
    throw Error(ErrorKind::bad_data,
                "no method has a switch time, so there is nothing to draw: the scores hold no switch of attention; "
                "make artificial ones (--switch-every)");
  }
  return points;
}

// From values to places on paper.
class Axis {
 public:
  Axis(Range values, Range paper, bool logarithmic) : values_(values), paper_(paper), logarithmic_(logarithmic) {}

  [[nodiscard]] double place(double value) const {
    const double share = logarithmic_ ? std::log(value / values_.low) / std::log(values_.high / values_.low)
                                      : (value - values_.low) / (values_.high - values_.low);
    return paper_.low + (share * (paper_.high - paper_.low));
  }
  [[nodiscard]] std::vector<Tick> ticks(int wanted) const {
    return logarithmic_ ? log_ticks(values_) : linear_ticks(values_, wanted);
  }
  [[nodiscard]] const Range& values() const { return values_; }

 private:
  Range values_;
  Range paper_;
  bool logarithmic_;
};

Axis time_axis_for(const std::vector<Point>& points, const Range& paper) {
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::x);
  if (least.x > 0 && most.x / least.x >= 6) return {{least.x / 1.15, most.x * 1.15}, paper, true};
  const double high = most.x > 0 ? most.x * 1.06 : 1;
  return {{std::min(0.0, least.x), high}, paper, false};
}

// Chance is shown where it lies near the points.
Axis accuracy_axis_for(const std::vector<Point>& points, double chance, const Range& paper) {
  constexpr double near = 12;  // per cent
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::y);
  const double low = chance < least.y && chance > least.y - near ? chance : least.y;
  const double margin = std::max(1.0, 0.05 * (most.y - low));
  // 100 % keeps a little air, so that no mark is cut in half.
  return {{std::max(-1.0, low - margin), std::min(101.5, most.y + margin)}, paper, false};
}

class TradeOffFigure {
 public:
  TradeOffFigure(const TradeOffPicture& picture, const FigureOptions& options)
      : picture_(picture),
        points_(all_points(picture)),
        drawing_(titled_drawing(options.width, picture.title, picture.subtitle)),
        plot_(plot_area()),
        time_(time_axis_for(points_, {plot_.left, plot_.right()})),
        accuracy_(accuracy_axis_for(points_, 100 * picture.chance, {plot_.bottom(), plot_.top})) {}

  Drawing draw() {
    add_axes();
    for (std::size_t k = 0; k < picture_.curves.size(); ++k) add_participants(k);
    for (std::size_t k = 0; k < picture_.curves.size(); ++k) add_curve(k);
    for (std::size_t k = 0; k < picture_.curves.size(); ++k) add_in_use(k);
    add_legend();
    drawing_.height = plot_.bottom() + 32;
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  // The legend stands to the right, where nothing can run into it.
  [[nodiscard]] double legend_width() const {
    double widest = text_width("participant", legend_size);
    for (const TradeOffCurve& curve : picture_.curves) widest = std::max(widest, text_width(curve.name, legend_size));
    return std::min(widest, 0.25 * drawing_.width) + 30;
  }
  [[nodiscard]] Rectangle plot_area() const {
    const double width = drawing_.width - left_margin - legend_width() - 8;
    return {left_margin, drawing_.height + 3, width, std::clamp(0.62 * width, 120.0, 260.0)};
  }
  [[nodiscard]] Point place(const TradeOffPoint& point) const {
    return {time_.place(*point.switch_time), accuracy_.place(100 * *point.accuracy)};
  }

  void add_axes();
  void add_participants(std::size_t k);
  void add_curve(std::size_t k);
  void add_in_use(std::size_t k);
  void add_legend();
  [[nodiscard]] std::string description() const;

  const TradeOffPicture& picture_;
  std::vector<Point> points_;
  Drawing drawing_;
  Rectangle plot_;
  Axis time_;
  Axis accuracy_;
};

bool is_drawable(const TradeOffPoint& point) { return point.accuracy && point.switch_time; }

std::string point_hint(const std::string& curve, const TradeOffPoint& point) {
  return curve + ", " + point.name + ": " + number_label(100 * *point.accuracy, 1) + " %, " +
         number_label(*point.switch_time, 1) + " s";
}

void set_hint(Shape& shape, const std::string& hint) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.hint; }) one.hint = hint;
      },
      shape);
}

void TradeOffFigure::add_axes() {
  Group group{"axes", {}};
  const Stroke hair{grid_ink, 0.4, 0};
  for (const Tick& tick : time_.ticks(6)) {
    const double x = time_.place(tick.value);
    group.shapes.emplace_back(line({x, plot_.top}, {x, plot_.bottom()}, hair));
    group.shapes.emplace_back(
        Text{.at = {x, plot_.bottom() + 9.5}, .text = tick.label, .size = 7, .anchor = Anchor::middle, .colour = ink});
  }
  for (const Tick& tick : accuracy_.ticks(6)) {
    const double y = accuracy_.place(tick.value);
    group.shapes.emplace_back(line({plot_.left, y}, {plot_.right(), y}, hair));
    group.shapes.emplace_back(
        Text{.at = {plot_.left - 4, y + 2.5}, .text = tick.label, .size = 7, .anchor = Anchor::end, .colour = ink});
  }
  const double chance = 100 * picture_.chance;
  if (chance > accuracy_.values().low && chance < accuracy_.values().high) {
    const double y = accuracy_.place(chance);
    group.shapes.emplace_back(line({plot_.left, y}, {plot_.right(), y}, {faint_ink, 0.6, 2.5}));
    group.shapes.emplace_back(Text{
        .at = {plot_.right() - 3, y - 2.5}, .text = "chance", .size = 6, .anchor = Anchor::end, .colour = faint_ink});
  }
  group.shapes.emplace_back(framed(plot_, {ink, 0.5, 0}));
  group.shapes.emplace_back(Text{.at = {plot_.left + (plot_.width / 2), plot_.bottom() + 22},
                                 .text = "switch time (s)",
                                 .size = 8,
                                 .anchor = Anchor::middle,
                                 .colour = ink});
  group.shapes.emplace_back(Text{.at = {13, plot_.middle()},
                                 .text = "accuracy (%)",
                                 .size = 8,
                                 .anchor = Anchor::middle,
                                 .colour = ink,
                                 .climbs = true});
  drawing_.groups.push_back(std::move(group));
}

void TradeOffFigure::add_participants(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  Group group{"participants", {}};
  for (const TradeOffPoint& point : curve.participants) {
    if (!is_drawable(point)) continue;
    Shape dot = marker(marker_of(k), place(point), 3.4, with_opacity(palette(k), 0.45));
    set_hint(dot, point_hint(curve.name, point));
    group.shapes.push_back(std::move(dot));
  }
  drawing_.groups.push_back(std::move(group));
}

void TradeOffFigure::add_curve(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  Path path{.pieces = {{}}, .closed = false, .fill = {}, .stroke = Stroke{palette(k), 1.3, 0}, .hint = curve.name};
  Group group{"curve", {}};
  for (const TradeOffPoint& point : curve.sweep) {
    if (!is_drawable(point)) continue;
    path.pieces.front().push_back(place(point));
    Shape dot = marker(Marker::circle, place(point), 2.4, palette(k));
    set_hint(dot, point_hint(curve.name, point));
    group.shapes.push_back(std::move(dot));
  }
  if (group.shapes.empty()) return;
  group.shapes.insert(group.shapes.begin(), std::move(path));
  drawing_.groups.push_back(std::move(group));
}

// On a white ground, so that it stands out of its own curve.
void TradeOffFigure::add_in_use(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  if (!is_drawable(curve.in_use)) return;
  Shape mark = marker(marker_of(k), place(curve.in_use), 7.5, palette(k));
  set_hint(mark, point_hint(curve.name, curve.in_use));
  drawing_.groups.push_back({"in-use", {marker(marker_of(k), place(curve.in_use), 10, paper), std::move(mark)}});
}

void TradeOffFigure::add_legend() {
  Group group{"legend", {}};
  const double left = plot_.right() + 8;
  const double room = drawing_.width - left - 26;
  double y = plot_.top + 6;
  const auto entry = [&](const std::string& text, double size) {
    group.shapes.emplace_back(
        Text{.at = {left + 22, y + (0.36 * size)}, .text = elided(text, size, room), .size = size, .colour = ink});
    y += 12;
  };
  bool swept = false;
  for (std::size_t k = 0; k < picture_.curves.size(); ++k) {
    const TradeOffCurve& curve = picture_.curves[k];
    if (!curve.sweep.empty()) {
      group.shapes.emplace_back(line({left, y}, {left + 18, y}, {palette(k), 1.3, 0}));
      swept = true;
    }
    group.shapes.push_back(marker(marker_of(k), {left + 9, y}, 6, palette(k)));
    entry(curve.name, legend_size);
  }
  y += 4;
  group.shapes.push_back(marker(Marker::circle, {left + 9, y}, 7.5, faint_ink));
  entry("mean", 6.5);
  if (swept) {
    group.shapes.emplace_back(line({left, y}, {left + 18, y}, {faint_ink, 1.3, 0}));
    group.shapes.push_back(marker(Marker::circle, {left + 9, y}, 2.4, faint_ink));
    entry("other p", 6.5);
  }
  group.shapes.push_back(marker(Marker::circle, {left + 9, y}, 3.4, with_opacity(faint_ink, 0.45)));
  entry("participant", 6.5);
  drawing_.groups.push_back(std::move(group));
}

std::string TradeOffFigure::description() const {
  std::string text = "Accuracy against switch time, mean over participants.";
  for (const TradeOffCurve& curve : picture_.curves) {
    if (is_drawable(curve.in_use)) text += " " + point_hint(curve.name, curve.in_use) + ".";
  }
  return text;
}

}  // namespace

Drawing draw_trade_off(const TradeOffPicture& picture, const FigureOptions& options) {
  return TradeOffFigure(picture, options).draw();
}

}  // namespace heed::report
