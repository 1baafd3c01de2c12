// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/frame.h>
#include <report/study/figures.h>
#include <report/study/values.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double left_margin = 9;
constexpr double right_margin = 9;
constexpr double name_size = 7.5;
constexpr double row_height = 21;  // of names in one or two lines
constexpr double line_height = name_size + 1.5;
constexpr std::size_t most_lines = 5;
constexpr double dot_size = 2.9;
constexpr double bar_height = 7;
constexpr double mean_height = 13;
constexpr double panel_gap = 14;
constexpr double mean_column = 28;  // beside a panel, for its means in words

bool has_value(const Strip& strip) {
  return known(strip.values.mean) || !known(strip.values.participants).empty() || strip.published;
}

void check(const StripPicture& picture) {
  if (picture.rows.empty() || picture.panels.empty()) {
    throw Error(ErrorKind::bad_data, "there is no setting or no measure to draw");
  }
  bool any = false;
  for (std::size_t k = 0; k < picture.panels.size(); ++k) {
    const auto& strips = picture.panels[k].strips;
    if (strips.size() != picture.rows.size()) {
      throw Error(ErrorKind::invalid_argument, "panel " + std::to_string(k + 1) + " has " +
                                                   std::to_string(strips.size()) + " strips for " +
                                                   std::to_string(picture.rows.size()) + " rows; give one each");
    }
    any = any || std::ranges::any_of(strips, has_value);
  }
  if (!any) throw Error(ErrorKind::bad_data, "no setting has a value, so there is nothing to draw");
}

template <typename Is>
bool any_strip(const StripPicture& picture, Is is) {
  return std::ranges::any_of(picture.panels,
                             [&](const StripPanel& panel) { return std::ranges::any_of(panel.strips, is); });
}

// Of one strip.
struct Dots {
  double middle = 0;
  double size = dot_size;
};

class StripFigure {
 public:
  StripFigure(const StripPicture& picture, const FigureOptions& options)
      : picture_(picture),
        drawing_(titled_drawing(options.width, picture.title, picture.subtitle, picture.stamp)),
        name_room_(name_room()),
        row_height_(tallest_row()) {}

  Drawing draw() {
    add_legend();
    const std::vector<Rectangle> areas = lay_out();
    for (std::size_t k = 0; k < areas.size(); ++k) {
      if (k == 0 || !beside_) add_names(areas[k]);
      add_panel(picture_.panels[k], areas[k]);
    }
    drawing_.height = areas.back().bottom() + plot_bottom_margin;
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  [[nodiscard]] double name_room() const;
  [[nodiscard]] double tallest_row() const;
  void add_legend();
  std::vector<Rectangle> lay_out();
  void add_names(const Rectangle& area);
  void add_panel(const StripPanel& panel, const Rectangle& area);
  void add_strip(const StripPanel& panel, std::size_t row, const Axis& across, const Rectangle& area);
  void add_dots(const StripPanel& panel, std::size_t row, const Axis& across, Dots dots);
  void add_means_in_words(const StripPanel& panel, const Rectangle& area);
  [[nodiscard]] std::string description() const;
  void add(Group group) { append_group(drawing_, std::move(group)); }
  [[nodiscard]] double row_middle(const Rectangle& area, std::size_t row) const {
    return area.top + ((static_cast<double>(row) + 0.5) * row_height_);
  }

  const StripPicture& picture_;
  Drawing drawing_;
  double name_room_;
  double row_height_;
  bool beside_ = true;
};

// As wide as the longest name, but a quarter of the paper at most: longer ones take several lines.
double StripFigure::name_room() const {
  double widest = 0;
  for (const std::string& name : picture_.rows) widest = std::max(widest, text_width(name, name_size));
  return std::min(widest + 0.5, std::max(0.24 * drawing_.width, 80.0));
}

// All rows are as high as the longest name needs.
double StripFigure::tallest_row() const {
  double tallest = row_height;
  for (const std::string& name : picture_.rows) {
    const auto lines = wrapped(name, name_size, name_room_, most_lines).size();
    tallest = std::max(tallest, (line_height * static_cast<double>(lines)) + 3);
  }
  return tallest;
}

void StripFigure::add_legend() {
  std::vector<LegendEntry> entries;
  const Colour colour = palette(0);
  if (any_strip(picture_, [](const Strip& strip) { return !known(strip.values.participants).empty(); })) {
    entries.push_back({"participant", {participant_dot({}, dot_size, colour)}, 5});
  }
  if (any_strip(picture_, [](const Strip& strip) { return known(strip.values.mean).has_value(); })) {
    entries.push_back({"mean", {line({0, -5}, {0, 5}, {colour, 2, 0})}, 5});
  }
  if (any_strip(picture_, [](const Strip& strip) { return known(strip.values.quartiles).has_value(); })) {
    entries.push_back(
        {"interquartile range", {filled({-8, -bar_height / 2, 16, bar_height}, with_opacity(colour, 0.25))}, 16});
  }
  if (any_strip(picture_, [](const Strip& strip) { return strip.published.has_value(); })) {
    entries.push_back({"published", {published_star({}, published_size, published_ink)}, published_size});
  }
  append_legend(drawing_, entries,
                {.top_left = {left_margin, drawing_.height}, .room = drawing_.width - left_margin - right_margin});
}

std::vector<Rectangle> StripFigure::lay_out() {
  constexpr double least_beside = 38 * points_per_millimetre;
  const auto panels = static_cast<double>(picture_.panels.size());
  const double left = left_margin + name_room_ + 8;
  const double room = drawing_.width - left - right_margin;
  const double height = row_height_ * static_cast<double>(picture_.rows.size());
  const double side = (room - (panel_gap * (panels - 1))) / panels;
  beside_ = panels == 1 || side - mean_column >= least_beside;
  std::vector<Rectangle> areas;
  for (std::size_t k = 0; k < picture_.panels.size(); ++k) {
    const auto place = static_cast<double>(k);
    const Point at{left + (beside_ ? place * (side + panel_gap) : 0),
                   drawing_.height + 12 + (beside_ ? 0 : place * (height + plot_bottom_margin + 9))};
    areas.push_back({at.x, at.y, (beside_ ? side : room) - mean_column, height});
  }
  return areas;
}

void StripFigure::add_names(const Rectangle& area) {
  Group group{"names", {}};
  for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
    const auto lines = wrapped(picture_.rows[row], name_size, name_room_, most_lines);
    const double first = row_middle(area, row) - (line_height * static_cast<double>(lines.size() - 1) / 2);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const double y = first + (line_height * static_cast<double>(k)) + (0.36 * name_size);
      group.shapes.emplace_back(words_at({area.left - 8, y}, lines[k], name_size, Anchor::end));
    }
  }
  add(std::move(group));
}

void StripFigure::add_panel(const StripPanel& panel, const Rectangle& area) {
  ShownValues shown(panel.measure);
  for (const Strip& strip : panel.strips) shown.add(strip.values, strip.published);
  constexpr double air = 6;
  const Axis across = shown.axis({area.left + air, area.right() - air});
  Group rows{"rows", {}};
  for (std::size_t row = 0; row < panel.strips.size(); ++row) {
    const double y = row_middle(area, row);
    rows.shapes.emplace_back(line({area.left, y}, {area.right(), y}, {grid_ink, 0.4, 0}));
  }
  add(std::move(rows));
  add(framed_plot({.area = area,
                   .across = {.title = scaled_title(panel.measure, across, {8, area.width + mean_column}),
                              .ticks = round_ticks(across)},
                   .style = {.boxed = false, .upright = true, .level = false}}));
  if (const auto chance = chance_place(panel.measure, across)) {
    add({"chance",
         {line({*chance, area.top}, {*chance, area.bottom()}, {faint_ink, 0.6, 2.5}),
          words_at({*chance, area.top - 2}, "chance", 6, Anchor::middle, faint_ink)}});
  }
  for (std::size_t row = 0; row < panel.strips.size(); ++row) add_strip(panel, row, across, area);
  add_means_in_words(panel, area);
}

std::vector<double> dot_places(const StripPanel& panel, std::size_t row, const Axis& across) {
  std::vector<double> places;
  for (const ParticipantValue& one : known(panel.strips[row].values.participants)) {
    places.push_back(across.place(panel.measure.factor * one.value));
  }
  return places;
}

SwarmRoom room_of(double diameter) { return {diameter, ((row_height - diameter) / 2) - 1}; }

// The largest with which no dot of the panel lies on another, else the smallest.
double dot_size_for(const StripPanel& panel, const Axis& across) {
  for (const double size : {dot_size, 2.5, 2.1}) {
    bool clear = true;
    for (std::size_t row = 0; row < panel.strips.size() && clear; ++row) {
      clear = swarm_of(dot_places(panel, row, across), room_of(size)).clear;
    }
    if (clear) return size;
  }
  return 1.8;
}

void StripFigure::add_dots(const StripPanel& panel, std::size_t row, const Axis& across, Dots dots) {
  const auto participants = known(panel.strips[row].values.participants);
  const auto places = dot_places(panel, row, across);
  const Swarm swarm = swarm_of(places, room_of(dots.size));
  Group group{"participants", {}};
  for (std::size_t k = 0; k < participants.size(); ++k) {
    group.shapes.push_back(hinted(participant_dot({places[k], dots.middle + swarm.offsets[k]}, dots.size, palette(0)),
                                  participants[k].participant + ", " + picture_.rows[row] + ": " + panel.measure.title +
                                      " " + value_text(panel.measure, participants[k].value)));
  }
  add(std::move(group));
}

void StripFigure::add_strip(const StripPanel& panel, std::size_t row, const Axis& across, const Rectangle& area) {
  const Strip& strip = panel.strips[row];
  const std::string name = picture_.rows[row] + ": ";
  const double middle = row_middle(area, row);
  const double factor = panel.measure.factor;
  if (const auto half = known(strip.values.quartiles)) {
    const double left = across.place(factor * half->lower);
    Polyline bar = filled({left, middle - (bar_height / 2), across.place(factor * half->upper) - left, bar_height},
                          with_opacity(palette(0), 0.25));
    bar.hint = name + quartile_text(panel.measure, *half);
    add({"bar " + std::to_string(row), {std::move(bar)}});
  }
  add_dots(panel, row, across, {middle, dot_size_for(panel, across)});
  if (strip.published && std::isfinite(strip.published->value)) {
    const Point at{across.place(factor * strip.published->value), middle};
    add({"published",
         {hinted(published_star(at, published_size, published_ink),
                 "published, " + name + published_text(panel.measure, *strip.published))}});
  }
  if (const auto mean = known(strip.values.mean)) {
    const double x = across.place(factor * *mean);
    Polyline tick = line({x, middle - (mean_height / 2)}, {x, middle + (mean_height / 2)}, {palette(0), 2, 0});
    tick.hint = name + mean_text(panel.measure, strip.values) + ".";
    add({"mean " + std::to_string(row), {std::move(tick)}});
  }
}

void StripFigure::add_means_in_words(const StripPanel& panel, const Rectangle& area) {
  Group group{"values", {}};
  const auto write = [&](double y, std::string text, double size) {
    group.shapes.emplace_back(words_at({area.right() + mean_column - 3, y}, std::move(text), size, Anchor::end));
  };
  write(area.top - 2, "mean", 6);
  for (std::size_t row = 0; row < panel.strips.size(); ++row) {
    const auto mean = known(panel.strips[row].values.mean);
    const std::string text = mean ? fixed_label(panel.measure.factor * *mean, panel.measure.decimals) : "n/a";
    write(row_middle(area, row) + 2.6, elided(text, 7.5, mean_column), 7.5);
  }
  add(std::move(group));
}

std::string StripFigure::description() const {
  std::string text = counted(picture_.rows.size(), "setting") + (picture_.rows.size() == 1 ? "" : " compared") +
                     "; each dot is one participant.";
  for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
    std::string words;
    for (const StripPanel& panel : picture_.panels) {
      if (!known(panel.strips[row].values.mean)) continue;
      words += (words.empty() ? "" : "; ") + mean_text(panel.measure, panel.strips[row].values);
    }
    if (!words.empty()) text += " " + picture_.rows[row] + ": " + words + ".";
  }
  return text + stamp_sentence(picture_.stamp);
}

}  // namespace

Drawing draw_strips(const StripPicture& picture, const FigureOptions& options) {
  check(picture);
  return StripFigure(picture, options).draw();
}

}  // namespace heed::report
