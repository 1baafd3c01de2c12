// SPDX-License-Identifier: MIT
#include <report/axis.h>
#include <report/figure_frame.h>
#include <report/ink/shapes.h>
#include <report/ink/text.h>
#include <report/topography/butterfly.h>
#include <report/topography/map_colours.h>
#include <report/topography/shown_pattern.h>
#include <report/topography_figure.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double margin = 9;
constexpr double bar_room = 52;
constexpr Index fewest_electrodes = 3;

// The nearest lag of every wanted time that the pattern reaches; up to six spread over it if it reaches none.
std::vector<Index> chosen_lags(const TopographyPicture& picture) {
  const auto count = std::ssize(picture.lags);
  const Seconds reach = count > 1 ? 0.5 * (picture.lags[1] - picture.lags[0]) : Seconds{0};
  std::vector<Index> chosen;
  for (const Seconds wanted : picture.maps) {
    const auto nearest =
        std::ranges::min_element(picture.lags, {}, [&](Seconds lag) { return std::abs(lag.value - wanted.value); });
    const auto k = static_cast<Index>(nearest - picture.lags.begin());
    const bool reached = std::abs(nearest->value - wanted.value) <= reach.value * (1 + 1e-9);
    if (reached && std::ranges::find(chosen, k) == chosen.end()) chosen.push_back(k);
  }
  if (!chosen.empty()) return chosen;
  const Index maps = std::min<Index>(6, count);
  for (Index k = 0; k < maps; ++k) chosen.push_back(maps == 1 ? 0 : k * (count - 1) / (maps - 1));
  return chosen;
}

struct Map {
  Index lag = 0;
  std::vector<Electrode> electrodes{};
};

class TopographyFigure {
 public:
  TopographyFigure(const TopographyPicture& picture, const FigureOptions& options)
      : picture_(picture), pattern_(picture), drawing_(titled_drawing(options.width, picture.title, picture.subtitle)) {
    for (const Index lag : chosen_lags(picture)) {
      Map map{lag, pattern_.electrodes(lag)};
      if (std::ssize(map.electrodes) >= fewest_electrodes) maps_.push_back(std::move(map));
    }
    for (const Map& map : maps_) {
      rim_ = std::max(rim_, rim_around(map.electrodes));
      for (const Electrode& one : map.electrodes) most_ = std::max(most_, std::abs(one.value));
    }
  }

  Drawing draw() {
    if (!maps_.empty()) add_maps();
    append_butterfly(drawing_, pattern_);
    append_caption(drawing_, caption(), {margin, drawing_.width - margin - margin});
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  void add_maps();
  void add_bar(const Rectangle& bar);
  [[nodiscard]] std::string lag_label(Index lag) const { return number_label(pattern_.milliseconds(lag), 0) + " ms"; }
  [[nodiscard]] std::string caption() const;
  [[nodiscard]] std::string description() const;

  const TopographyPicture& picture_;
  ShownPattern pattern_;
  Drawing drawing_;
  std::vector<Map> maps_;
  double rim_ = 1;
  double most_ = 0;  // over all maps: they share one scale
};

// In as many rows as keep the heads large enough to be read.
void TopographyFigure::add_maps() {
  constexpr double least_cell = 56;
  constexpr double largest_cell = 96;
  constexpr double label_room = 12;
  const double room = drawing_.width - (2 * margin) - bar_room;
  const auto most_columns = std::max<std::size_t>(1, static_cast<std::size_t>(room / least_cell));
  const std::size_t rows = (maps_.size() + most_columns - 1) / most_columns;
  const std::size_t columns = (maps_.size() + rows - 1) / rows;
  const double cell = std::min(largest_cell, room / static_cast<double>(columns));
  const double radius = 0.43 * cell;
  const double height = label_room + (1.2 * 2 * radius);
  const HeadMesh mesh(rim_);
  const double top = drawing_.height;
  for (std::size_t k = 0; k < maps_.size(); ++k) {
    const double x = margin + ((static_cast<double>(k % columns) + 0.5) * cell);
    const std::size_t row = k / columns;
    const double y = top + (static_cast<double>(row) * height);
    const HeadPlace head{{x, y + label_room + (1.15 * radius)}, radius, rim_};
    drawing_.groups.push_back(
        {"lag",
         {Text{
             .at = {x, y + 7}, .text = lag_label(maps_[k].lag), .size = 7, .anchor = Anchor::middle, .colour = ink}}});
    drawing_.groups.push_back(head_outline(head));
    drawing_.groups.push_back(field_bands(mesh, head, maps_[k].electrodes, most_ > 0 ? most_ : 1));
    drawing_.groups.push_back(electrode_dots(head, maps_[k].electrodes));
  }
  drawing_.height = top + (static_cast<double>(rows) * height) + 4;
  const double bar_height = std::min(2 * radius, 90.0);
  const double middle = top + label_room + (1.15 * radius) + (static_cast<double>(rows - 1) * height / 2);
  add_bar({margin + (static_cast<double>(columns) * cell) + 6, middle - (bar_height / 2), 7, bar_height});
}

void TopographyFigure::add_bar(const Rectangle& bar) {
  Group group{"colour-bar", {}};
  const double step = bar.height / static_cast<double>(colour_bands);
  for (std::size_t band = 0; band < colour_bands; ++band) {
    // A little taller than its share: the next one covers the seam.
    const double bottom = bar.bottom() - (static_cast<double>(band) * step);
    const double top = band + 1 < colour_bands ? bottom - step - 0.4 : bar.top;
    group.shapes.emplace_back(filled({bar.left, top, bar.width, bottom - top}, band_colour(band)));
  }
  group.shapes.emplace_back(framed(bar, {ink, 0.5, 0}));
  const double most = most_ > 0 ? most_ : 1;
  const LinearScale scale{{-most, most}, {bar.bottom(), bar.top}};
  for (const Tick& tick : linear_ticks(scale.values, 5)) {
    const double y = scale.place(tick.value);
    group.shapes.emplace_back(line({bar.right(), y}, {bar.right() + 2, y}, {ink, 0.5, 0}));
    group.shapes.emplace_back(Text{.at = {bar.right() + 3.5, y + 2.2}, .text = tick.label, .size = 6, .colour = ink});
  }
  if (!pattern_.unit().empty()) {
    group.shapes.emplace_back(Text{.at = {bar.left, bar.top - 4},
                                   .text = elided(pattern_.unit(), 6, drawing_.width - bar.left - 2),
                                   .size = 6,
                                   .colour = ink});
  }
  drawing_.groups.push_back(std::move(group));
}

std::string TopographyFigure::caption() const {
  constexpr std::size_t most_names = 12;
  std::string text = picture_.caption;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
  std::vector<std::string> without;
  for (Index c = 0; c < pattern_.channels(); ++c) {
    if (!pattern_.direction(c)) without.push_back(picture_.channels[static_cast<std::size_t>(c)]);
  }
  if (maps_.empty()) {
    add("Without maps: they need " + std::to_string(fewest_electrodes) + " channels of known place, and there are " +
        std::to_string(pattern_.placed()) + ".");
  } else if (!without.empty()) {
    std::string names;
    for (std::size_t k = 0; k < std::min(most_names, without.size()); ++k) names += (k == 0 ? "" : ", ") + without[k];
    if (without.size() > most_names) names += " and " + std::to_string(without.size() - most_names) + " more";
    add("Not in the maps, since their place is not known: " + names + ".");
  }
  const bool gaps = !picture_.pattern.allFinite();
  if (gaps) add("Channels without a value at a lag are left out there.");
  if (pattern_.largest() == 0) add("The pattern is zero everywhere.");
  return text;
}

std::string TopographyFigure::description() const {
  std::string text = "Pattern of " + std::to_string(pattern_.channels()) + " channels over lags from " + lag_label(0) +
                     " to " + lag_label(pattern_.lags() - 1) + ".";
  if (!maps_.empty()) {
    text += " Head maps at";
    for (std::size_t k = 0; k < maps_.size(); ++k) text += (k == 0 ? " " : ", ") + lag_label(maps_[k].lag);
    text += ".";
  }
  Index strongest = -1;
  for (Index k = 0; k < pattern_.lags(); ++k) {
    const double power = pattern_.field_power(k);
    if (power > 0 && (strongest < 0 || power > pattern_.field_power(strongest))) strongest = k;
  }
  if (strongest < 0) return text;
  return text + " The global field power is largest at " + lag_label(strongest) + ".";
}

}  // namespace

Drawing draw_topography(const TopographyPicture& picture, const FigureOptions& options) {
  return TopographyFigure(picture, options).draw();
}

}  // namespace heed::report
