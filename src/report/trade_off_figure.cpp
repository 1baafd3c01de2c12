// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/axis.h>
#include <report/figures.h>
#include <report/frame.h>
#include <report/shapes.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

constexpr double sign_width = 18;
constexpr double mean_size = 6.5;
constexpr double sweep_size = 2.4;
constexpr double participant_size = 3.4;
constexpr double see_through = 0.5;  // participants lie on each other

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
                "no method has a switch time, so there is nothing to draw: attention never switches in these scores; "
                "make artificial switches");
  }
  return points;
}

Axis time_axis_for(const std::vector<Point>& points, const Range& place) {
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::x);
  if (least.x > 0 && most.x / least.x >= 6) return {{least.x / 1.15, most.x * 1.15}, place, Scale::logarithmic};
  const double high = most.x > 0 ? most.x * 1.06 : 1;
  return {{std::min(0.0, least.x), high}, place, Scale::linear};
}

// Chance is shown where it lies near the points. Where errors span a factor of six or more, curves near 100 % could
// not be told apart on a linear axis.
Axis accuracy_axis_for(const std::vector<Point>& points, double chance, const Range& place) {
  constexpr double near = 12;        // per cent
  constexpr double least_error = 1;  // better participants share the upper edge
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::y);
  const double low = chance < least.y && chance > least.y - near ? chance : least.y;
  const double error = std::max(least_error, 100 - most.y);
  if ((100 - low) / error >= 6) {
    return {{std::max(-1.0, 100 - (1.08 * (100 - low))), 100 - (error / 1.4)}, place, Scale::error};
  }
  const double margin = std::max(1.0, 0.05 * (most.y - low));
  // 100 % keeps a little air, so that no mark is cut in half.
  return {{std::max(-1.0, low - margin), std::min(101.5, most.y + margin)}, place, Scale::linear};
}

class TradeOffFigure {
 public:
  TradeOffFigure(const TradeOffPicture& picture, const FigureOptions& options)
      : picture_(picture),
        points_(all_points(picture)),
        drawing_(titled_drawing(options.width, picture.title, picture.subtitle, picture.stamp)),
        plot_(plot_area()),
        time_(time_axis_for(points_, {plot_.left, plot_.right()})),
        accuracy_(accuracy_axis_for(points_, 100 * picture.chance, {plot_.bottom(), plot_.top})) {}

  Drawing draw() {
    add_axes();
    for (std::size_t k = 0; k < picture_.curves.size(); ++k) add_band(k);
    for (std::size_t k = 0; k < picture_.curves.size(); ++k) add_participants(k);
    for (std::size_t k = 0; k < picture_.curves.size(); ++k) add_curve(k);
    // The first, which the others are compared with, on top.
    for (std::size_t k = picture_.curves.size(); k-- > 0;) add_in_use(k);
    drawing_.height = plot_.bottom() + 30;
    add_legend();
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  // Beside the plot, or below it where the paper is narrow or a name long: where nothing can run into it.
  [[nodiscard]] bool legend_below() const {
    return drawing_.width < 130 * points_per_millimetre || longest_name() > 0.25 * drawing_.width;
  }
  [[nodiscard]] double longest_name() const {
    double widest = text_width("participant", 7);
    for (const TradeOffCurve& curve : picture_.curves) widest = std::max(widest, text_width(curve.name, 7));
    return widest;
  }
  [[nodiscard]] double legend_width() const { return legend_below() ? 0 : longest_name() + sign_width + 10; }
  [[nodiscard]] Rectangle plot_area() const {
    const double width = drawing_.width - plot_left_margin - legend_width() - 10;
    return {plot_left_margin, drawing_.height + 3, width, std::clamp(0.62 * width, 120.0, 260.0)};
  }
  [[nodiscard]] Point place(const TradeOffPoint& point) const {
    return {time_.place(*point.switch_time), accuracy_.place(100 * *point.accuracy)};
  }

  void add_axes();
  void add_band(std::size_t k);
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

void TradeOffFigure::add_axes() {
  const std::string up = accuracy_.scale() == Scale::error ? "accuracy (%), log error" : "accuracy (%)";
  drawing_.groups.push_back(framed_plot(
      {.area = plot_, .across = titled_axis(picture_.time, time_, 6), .up = titled_axis(up, accuracy_, 6)}));
  const double chance = 100 * picture_.chance;
  if (chance > accuracy_.values().low && chance < accuracy_.values().high) {
    drawing_.groups.push_back(chance_line(plot_, accuracy_.place(chance)));
  }
}

void TradeOffFigure::add_band(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  if (curve.band.empty()) return;
  constexpr double shade = 0.15;
  const auto at = [&](double time, double accuracy) {
    const double shown = std::clamp(100 * accuracy, accuracy_.values().low, accuracy_.values().high);
    return Point{time_.place(time), accuracy_.place(shown)};
  };
  Polyline outline{.pieces = {{}}, .closed = true, .fill = with_opacity(palette(k), shade), .hint = curve.name};
  for (const TradeOffBand& one : curve.band) outline.pieces.front().push_back(at(one.switch_time, one.upper));
  for (std::size_t back = curve.band.size(); back > 0; --back) {
    const TradeOffBand& one = curve.band[back - 1];
    outline.pieces.front().push_back(at(one.switch_time, one.lower));
  }
  drawing_.groups.push_back({"band", {std::move(outline)}});
}

void TradeOffFigure::add_participants(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  Group group{"participants", {}};
  for (const TradeOffPoint& point : curve.participants) {
    if (!is_drawable(point)) continue;
    const Colour colour = with_opacity(palette(k), see_through);
    group.shapes.push_back(
        hinted(filled_mark(mark_shape(k), place(point), participant_size, colour), point_hint(curve.name, point)));
  }
  drawing_.groups.push_back(std::move(group));
}

void TradeOffFigure::add_curve(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  Polyline path{.pieces = {{}}, .closed = false, .stroke = Stroke{palette(k), 1.3, 0}, .hint = curve.name};
  Group group{"curve", {}};
  for (const TradeOffPoint& point : curve.sweep) {
    if (!is_drawable(point)) continue;
    path.pieces.front().push_back(place(point));
    group.shapes.push_back(
        hinted(filled_mark(MarkShape::circle, place(point), sweep_size, palette(k)), point_hint(curve.name, point)));
  }
  if (group.shapes.empty()) return;
  group.shapes.insert(group.shapes.begin(), std::move(path));
  drawing_.groups.push_back(std::move(group));
}

// On a white ground, so that it stands out of its own curve.
void TradeOffFigure::add_in_use(std::size_t k) {
  const TradeOffCurve& curve = picture_.curves[k];
  if (!is_drawable(curve.in_use)) return;
  Shape mark = hinted(filled_mark(mark_shape(k), place(curve.in_use), mean_size, palette(k)),
                      point_hint(curve.name, curve.in_use));
  drawing_.groups.push_back(
      {"in-use", {filled_mark(mark_shape(k), place(curve.in_use), mean_size + 2, paper), std::move(mark)}});
}

// A method's mark, on a line if it has a curve.
LegendEntry entry_of(const std::string& text, const Shape& mark, std::optional<Colour> curve) {
  LegendEntry entry{text, {}};
  if (curve) entry.sign.emplace_back(line({-sign_width / 2, 0}, {sign_width / 2, 0}, {*curve, 1.3, 0}));
  entry.sign.push_back(mark);
  return entry;
}

void TradeOffFigure::add_legend() {
  std::vector<LegendEntry> entries;
  bool swept = false;
  for (std::size_t k = 0; k < picture_.curves.size(); ++k) {
    const TradeOffCurve& curve = picture_.curves[k];
    const Colour colour = palette(k);
    swept = swept || !curve.sweep.empty();
    entries.push_back(entry_of(curve.name, filled_mark(mark_shape(k), {}, 6, colour),
                               curve.sweep.empty() ? std::nullopt : std::optional(colour)));
  }
  const auto in_use = [](const TradeOffCurve& curve) { return is_drawable(curve.in_use); };
  const auto has_participants = [](const TradeOffCurve& curve) { return !curve.participants.empty(); };
  if (std::ranges::any_of(picture_.curves, in_use)) {
    entries.push_back(entry_of("mean", filled_mark(MarkShape::circle, {}, mean_size, faint_ink), {}));
  }
  if (swept)
    entries.push_back(entry_of(picture_.others, filled_mark(MarkShape::circle, {}, sweep_size, faint_ink), faint_ink));
  if (std::ranges::any_of(picture_.curves, has_participants)) {
    entries.push_back(entry_of(
        "participant", filled_mark(MarkShape::circle, {}, participant_size, with_opacity(faint_ink, see_through)), {}));
  }
  LegendPlace place{.top_left = {plot_.right() + 8, plot_.top + 2},
                    .room = drawing_.width - plot_.right() - 12,
                    .sign_width = sign_width,
                    .one_per_line = true};
  if (legend_below()) {
    place = {.top_left = {plot_.left, drawing_.height}, .room = plot_.width, .sign_width = sign_width};
  }
  Legend legend = lay_out_legend(entries, place);
  if (legend_below()) drawing_.height += legend.height;
  drawing_.groups.push_back(std::move(legend.group));
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
