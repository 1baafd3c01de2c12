// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/figure_frame.h>
#include <report/ink/text.h>
#include <report/plots/plot_frame.h>
#include <report/study/sweep_figure.h>
#include <report/study_figures/study_signs.h>
#include <report/study_figures/sweep_panel.h>
#include <report/study_figures/value_words.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

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
        sign_entry(picture.series[s], line_sign_width,
                   {line({-half, 0}, {half, 0}, {palette(s), 1.2, 0}), marker(marker_of(s), {}, 5.5, palette(s))}));
  }
  if (any_point(picture, [](const SweepPoint& point) { return known(point.values.middle_half).has_value(); })) {
    entries.push_back(
        sign_entry("mean and middle half", 6,
                   {error_bar({0, -4}, {0, 4}, {faint_ink, 1, 0}), marker(Marker::circle, {}, 4, faint_ink)}));
  }
  if (any_point(picture, [](const SweepPoint& point) { return !known(point.values.participants).empty(); })) {
    entries.push_back(sign_entry("participant", 4, {participant_dot({}, 2.6, faint_ink)}));
  }
  if (any_point(picture, [](const SweepPoint& point) { return point.published.has_value(); })) {
    entries.push_back(sign_entry("published", published_size, {published_star({}, published_size, ink)}));
  }
  if (picture.diagonal) {
    entries.push_back(
        sign_entry("perfect calibration", line_sign_width, {line({-half, 0}, {half, 0}, {faint_ink, 0.8, 3})}));
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
  const double width = drawing.width;
  const auto panels = static_cast<double>(picture.panels.size());
  Layout layout{
      .beside = width / panels >= least_beside,
      .areas = {},
      .legend = {.top_left = {plot_left_margin, drawing.height}, .room = width - plot_left_margin - right_margin}};
  const bool aside = legend_is_beside(picture, width);
  const double top = drawing.height + 6 + (aside ? 0 : lay_out_legend(entries, layout.legend).height);
  const double cell = layout.beside ? width / panels : width;
  double area = cell - plot_left_margin - right_margin;
  if (picture.diagonal) area = std::min(area, widest_square);
  const bool low = !layout.beside || picture.panels.size() == 1;
  const double height = picture.diagonal ? area : std::clamp((low ? 0.42 : 0.68) * area, 92.0, 175.0);
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
                     .one_a_line = true};
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
    for (Group& group : sweep_panel(picture, {.panel = k, .area = layout.areas[k], .labelled = bottom})) {
      drawing.groups.push_back(std::move(group));
    }
  }
  drawing.height = layout.areas.back().bottom() + plot_bottom_margin;
  drawing.description = description(picture);
  return drawing;
}

}  // namespace heed::report
