// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/axis.h>
#include <report/figures.h>
#include <report/frame.h>
#include <report/head_map.h>
#include <report/shapes.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

void check(const TopographyPicture& picture) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::invalid_argument, message); };
  const auto wrong_number = [&](std::size_t given, const std::string& noun, Index wanted) {
    if (std::cmp_equal(given, wanted)) return;
    refuse(std::to_string(given) + " " + noun + " for a pattern of " + std::to_string(wanted) + "; give one for each");
  };
  wrong_number(picture.channels.size(), "names of channels", picture.pattern.rows());
  wrong_number(picture.positions.size(), "positions", picture.pattern.rows());
  wrong_number(picture.lags.size(), "lags", picture.pattern.cols());
  for (std::size_t k = 0; k < picture.lags.size(); ++k) {
    const bool rises = k == 0 || picture.lags[k] > picture.lags[k - 1];
    if (!std::isfinite(picture.lags[k].value) || !rises) {
      refuse("lag " + std::to_string(k + 1) + " is not larger than the one before it; sort the lags");
    }
  }
}

double largest_of(const Matrix& pattern) {
  double largest = -1;
  for (const double value : pattern.reshaped()) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  if (largest < 0)
    throw Error(ErrorKind::bad_data, "the pattern does not contain a single number, so there is nothing to draw");
  return largest;
}

// "10⁻⁶"
std::string power_of_ten(int exponent) {
  constexpr std::array digits{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                              "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[static_cast<std::size_t>(digit - '0')];
  return text;
}

// A pattern made ready to be drawn: positions checked, numbers short enough for an axis.
class ShownPattern {
 public:
  // Throws as draw_topography does. Refers to the picture.
  explicit ShownPattern(const TopographyPicture& picture);

  [[nodiscard]] const TopographyPicture& picture() const { return picture_; }
  [[nodiscard]] Index channels() const { return picture_.pattern.rows(); }
  [[nodiscard]] Index lags() const { return picture_.pattern.cols(); }
  [[nodiscard]] double milliseconds(Index lag) const {
    return 1000 * picture_.lags[static_cast<std::size_t>(lag)].value;
  }

  // In unit(); NaN where there is none.
  [[nodiscard]] double value(Index channel, Index lag) const;
  [[nodiscard]] const std::string& unit() const { return unit_; }  // with its power of ten; may be empty
  [[nodiscard]] double largest() const { return largest_; }        // absolute value, in unit()

  // Of length one; nothing where it is not known.
  [[nodiscard]] const std::optional<dsp::ElectrodePosition>& direction(Index channel) const {
    return directions_[static_cast<std::size_t>(channel)];
  }
  [[nodiscard]] Index placed() const;  // channels with a direction
  // Those with a place and a value at the lag.
  [[nodiscard]] std::vector<Electrode> electrodes(Index lag) const;
  // Root mean square around the mean over channels; NaN where fewer than two have a value.
  [[nodiscard]] double field_power(Index lag) const;

 private:
  const TopographyPicture& picture_;
  std::vector<std::optional<dsp::ElectrodePosition>> directions_;
  double factor_ = 1;
  std::string unit_;
  double largest_ = 0;
};

ShownPattern::ShownPattern(const TopographyPicture& picture) : picture_(picture), unit_(picture.unit) {
  check(picture);
  for (const auto& position : picture.positions) directions_.push_back(unit_direction(position));
  largest_ = largest_of(picture.pattern);
  // Numbers that would need many digits are shown as multiples of a power of a thousand.
  if (largest_ == 0 || (largest_ >= 0.01 && largest_ < 10000)) return;
  const int exponent = 3 * static_cast<int>(std::floor(std::log10(largest_) / 3));
  factor_ = std::pow(10.0, -exponent);
  // Beyond what a double holds: such a pattern is as good as zero.
  if (!std::isfinite(factor_)) factor_ = 0;
  largest_ *= factor_;
  unit_ = power_of_ten(exponent) + (unit_.empty() ? "" : " " + unit_);
}

double ShownPattern::value(Index channel, Index lag) const {
  const double value = picture_.pattern(channel, lag);
  return std::isfinite(value) ? factor_ * value : std::numeric_limits<double>::quiet_NaN();
}

Index ShownPattern::placed() const {
  return std::ranges::count_if(directions_, [](const auto& one) { return one.has_value(); });
}

std::vector<Electrode> ShownPattern::electrodes(Index lag) const {
  std::vector<Electrode> found;
  for (Index c = 0; c < channels(); ++c) {
    const double shown = value(c, lag);
    if (!direction(c) || std::isnan(shown)) continue;
    const std::string& name = picture_.channels[static_cast<std::size_t>(c)];
    found.push_back({name, *direction(c), shown, name + ": " + number_label(shown, 3)});
  }
  return found;
}

double ShownPattern::field_power(Index lag) const {
  std::vector<double> values;
  double sum = 0;
  for (Index c = 0; c < channels(); ++c) {
    const double shown = value(c, lag);
    if (std::isnan(shown)) continue;
    values.push_back(shown);
    sum += shown;
  }
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double one : values) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

constexpr double inset_room = 84;
constexpr double right_margin = 10;
constexpr Stroke power_stroke{ink, 1.8, 0};

struct Plot {
  Rectangle area{};
  Axis across{};
  Axis up{};
};

bool is_placed(const ShownPattern& pattern) { return pattern.placed() > 0; }

Plot lay_out(const Drawing& drawing, const ShownPattern& pattern) {
  const double beside = is_placed(pattern) ? inset_room : right_margin;
  const double width = drawing.width - plot_left_margin - beside;
  Plot plot;
  plot.area = {plot_left_margin, drawing.height, width, std::clamp(0.3 * width, 85.0, 130.0)};
  Range lags{pattern.milliseconds(0), pattern.milliseconds(pattern.lags() - 1)};
  if (lags.low == lags.high) lags = {lags.low - 10, lags.high + 10};
  const double most = pattern.largest() > 0 ? 1.08 * pattern.largest() : 1;
  plot.across = {lags, {plot.area.left, plot.area.right()}};
  plot.up = {{-most, most}, {plot.area.bottom(), plot.area.top}};
  return plot;
}

void add_legend(Drawing& drawing, const ShownPattern& pattern) {
  constexpr double width = 14;
  const auto entry = [](const std::string& text, const Stroke& stroke) {
    return LegendEntry{text, {line({-width / 2, 0}, {width / 2, 0}, stroke)}};
  };
  std::vector<LegendEntry> entries{entry("global field power", power_stroke)};
  if (is_placed(pattern)) entries.push_back(entry("channel, coloured by its position", {left_ink, 0.7, 0}));
  if (pattern.placed() < pattern.channels()) {
    entries.push_back(entry("channel without a known position", {placeless_ink, 0.7, 0}));
  }
  append_legend(drawing, entries,
                {.top_left = {plot_left_margin, drawing.height},
                 .room = drawing.width - plot_left_margin - right_margin,
                 .sign_width = width});
  drawing.height += 3;
}

Group channel_lines(const ShownPattern& pattern, const Plot& plot) {
  Group group{"channels", {}};
  for (Index c = 0; c < pattern.channels(); ++c) {
    std::vector<Point> points;
    for (Index k = 0; k < pattern.lags(); ++k) {
      points.push_back({plot.across.place(pattern.milliseconds(k)), plot.up.place(pattern.value(c, k))});
    }
    const auto& direction = pattern.direction(c);
    const Stroke stroke{direction ? place_colour(*direction) : placeless_ink, 0.6, 0};
    const std::string& name = pattern.picture().channels[static_cast<std::size_t>(c)];
    for (Shape& shape : broken_line(points, stroke, name)) group.shapes.push_back(std::move(shape));
  }
  return group;
}

Group power_line(const ShownPattern& pattern, const Plot& plot) {
  std::vector<Point> points;
  for (Index k = 0; k < pattern.lags(); ++k) {
    points.push_back({plot.across.place(pattern.milliseconds(k)), plot.up.place(pattern.field_power(k))});
  }
  return {"field-power", broken_line(points, power_stroke, "global field power")};
}

// A small head that tells which colour is where.
void add_inset(Drawing& drawing, const ShownPattern& pattern, const Rectangle& beside) {
  std::vector<Electrode> electrodes;
  for (Index c = 0; c < pattern.channels(); ++c) {
    const std::string& name = pattern.picture().channels[static_cast<std::size_t>(c)];
    if (pattern.direction(c)) electrodes.push_back({name, *pattern.direction(c), 0, name});
  }
  HeadPlace head{{drawing.width - (inset_room / 2), beside.middle()}, 27, rim_around(electrodes)};
  drawing.groups.push_back(head_outline(head));
  Group dots{"places", {}};
  for (const Electrode& one : electrodes) {
    dots.shapes.emplace_back(Circle{.centre = head.place(on_plane(one.direction)),
                                    .radius = electrodes.size() > 80 ? 1.3 : 1.9,
                                    .fill = place_colour(one.direction),
                                    .hint = one.hint});
  }
  drawing.groups.push_back(std::move(dots));
}

// Every channel over all lags, coloured by its place on the head, and the global field power.
void append_butterfly(Drawing& drawing, const ShownPattern& pattern) {
  add_legend(drawing, pattern);
  const Plot plot = lay_out(drawing, pattern);
  const std::string unit = pattern.unit().empty() ? "" : " (" + pattern.unit() + ")";
  drawing.groups.push_back(
      framed_plot({.area = plot.area,
                   .across = titled_axis("lag of the EEG (ms)", plot.across, ticks_across(plot.area)),
                   .up = titled_axis("pattern" + unit, plot.up, 6)}));
  const double zero = plot.up.place(0);
  drawing.groups.push_back({"zero", {line({plot.area.left, zero}, {plot.area.right(), zero}, {faint_ink, 0.6, 0})}});
  drawing.groups.push_back(channel_lines(pattern, plot));
  drawing.groups.push_back(power_line(pattern, plot));
  if (is_placed(pattern)) add_inset(drawing, pattern, plot.area);
  drawing.height = plot.area.bottom() + plot_bottom_margin;
}

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
  HeadField field(rim_);
  const double top = drawing_.height;
  for (std::size_t k = 0; k < maps_.size(); ++k) {
    const double x = margin + ((static_cast<double>(k % columns) + 0.5) * cell);
    const std::size_t row = k / columns;
    const double y = top + (static_cast<double>(row) * height);
    const HeadPlace head{{x, y + label_room + (1.15 * radius)}, radius, rim_};
    drawing_.groups.push_back({"lag", {words_at({x, y + 7}, lag_label(maps_[k].lag), 7, Anchor::middle)}});
    drawing_.groups.push_back(head_outline(head));
    drawing_.groups.push_back(field.bands(head, maps_[k].electrodes, most_ > 0 ? most_ : 1));
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
  const Axis axis({-most, most}, {bar.bottom(), bar.top});
  for (const PlacedTick& tick : placed(axis, axis.ticks(5))) {
    group.shapes.emplace_back(line({bar.right(), tick.at}, {bar.right() + 2, tick.at}, {ink, 0.5, 0}));
    group.shapes.emplace_back(words_at({bar.right() + 3.5, tick.at + 2.2}, tick.label, 6));
  }
  if (!pattern_.unit().empty()) {
    const std::string unit = elided(pattern_.unit(), 6, drawing_.width - bar.left - 2);
    group.shapes.emplace_back(words_at({bar.left, bar.top - 4}, unit, 6));
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
    add("No maps: they need at least " + std::to_string(fewest_electrodes) +
        " channels with a known position, and there are " + std::to_string(pattern_.placed()) + ".");
  } else if (!without.empty()) {
    std::string names;
    for (std::size_t k = 0; k < std::min(most_names, without.size()); ++k) names += (k == 0 ? "" : ", ") + without[k];
    if (without.size() > most_names) names += " and " + std::to_string(without.size() - most_names) + " more";
    add("Not in the maps, since their positions are unknown: " + names + ".");
  }
  const bool gaps = !picture_.pattern.allFinite();
  if (gaps) add("Channels without a value at a lag are left out of its map.");
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
