// SPDX-License-Identifier: MIT
#include <report/ink/text.h>
#include <report/study_page/result_rows.h>
#include <report/study_page/setting_words.h>
#include <report/study_page/sweep_drawings.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace heed::report {
namespace {

const std::string across_raw = "raw_accuracy";
const NamedValue raw_tracker{.name = "tracker", .value = "raw"};

// A place on the axis across, and the rows that belong there.
struct Place {
  double across = 0;
  NamedValues setting{};
};

// The parameters are the columns before the participants'.
std::vector<std::string> varying_parameters(const ResultTable& table) {
  std::vector<std::string> names;
  const std::size_t end = table.column("participant");
  for (std::size_t k = 0; k < end; ++k) {
    if (distinct_settings(table, {table.columns[k]}).size() > 1) names.push_back(table.columns[k]);
  }
  return names;
}

// Settings that differ in any parameter, each at the mean accuracy of tracker raw at the same one.
std::vector<Place> raw_places(const ResultTable& table, const NamedValues& series) {
  std::vector<Place> places;
  for (const NamedValues& setting : distinct_settings(table, varying_parameters(table), series)) {
    NamedValues raw = setting;
    std::erase_if(raw, [](const NamedValue& one) { return one.name == "tracker"; });
    raw.push_back(raw_tracker);
    const std::optional<double> mean = plotted_values(table, raw, "accuracy").mean;
    if (mean) places.push_back({100 * *mean, setting});
  }
  return places;
}

std::vector<Place> places_of(const ResultTable& table, const StudyFigure& figure, const NamedValues& series) {
  std::vector<Place> places;
  if (figure.along == across_raw) {
    places = raw_places(table, series);
  } else {
    for (const NamedValues& one : distinct_settings(table, {figure.along}, series)) {
      const std::optional<double> across = number_in(one.front().value);
      if (across) places.push_back({*across, joined(series, one)});
    }
  }
  std::ranges::stable_sort(places, {}, &Place::across);
  return places;
}

// Series that have a place; single windows are the axis itself where accuracy of single windows is across.
std::vector<NamedValues> swept_series(const ResultTable& table, const StudyFigure& figure) {
  std::vector<NamedValues> series = distinct_settings(table, figure.series);
  std::erase_if(series, [&](const NamedValues& one) {
    const bool is_axis = figure.along == across_raw && std::ranges::find(one, raw_tracker) != one.end();
    return is_axis || places_of(table, figure, one).empty();
  });
  return series;
}

std::optional<double> chance_of(const ResultTable& table) {
  const auto found = std::ranges::find(table.columns, "speakers");
  if (found == table.columns.end()) return std::nullopt;
  const auto speakers = distinct_settings(table, {"speakers"});
  if (speakers.size() != 1) return std::nullopt;
  const std::optional<double> count = number_in(speakers.front().front().value);
  return count && *count >= 1 ? std::optional(1 / *count) : std::nullopt;
}

// The value of p that the paper uses, a second.
constexpr double usual_p = 0.001;

// Of the sweep, the point next to the usual p.
std::size_t place_in_use(const std::vector<Place>& places) {
  const auto distance = [](const Place& place) {
    return place.across > 0 ? std::abs(std::log(place.across / usual_p)) : std::numeric_limits<double>::infinity();
  };
  return static_cast<std::size_t>(std::ranges::min_element(places, {}, distance) - places.begin());
}

TradeOffPoint mean_point(const ResultTable& table, const NamedValues& setting, const std::string& name) {
  return {plotted_values(table, setting, "accuracy").mean, plotted_values(table, setting, "switch_time").mean, name};
}

void append_participants(const ResultTable& table, const Place& place, const std::string& name, TradeOffCurve& curve) {
  const PlottedValues accuracies = plotted_values(table, place.setting, "accuracy");
  const PlottedValues times = plotted_values(table, place.setting, "switch_time");
  for (const ParticipantValue& one : accuracies.participants) {
    const auto time = std::ranges::find(times.participants, one.participant, &ParticipantValue::participant);
    if (time == times.participants.end()) continue;
    curve.participants.push_back({one.value, time->value, one.participant + (name.empty() ? "" : ", " + name)});
  }
}

TradeOffCurve trade_off_curve(const ResultTable& table, const StudyFigure& figure, const NamedValues& series) {
  TradeOffCurve curve;
  std::vector<Place> places = places_of(table, figure, series);
  if (places.empty()) {  // a method without p
    curve.in_use = mean_point(table, series, "mean");
    append_participants(table, {0, series}, "", curve);
    return curve;
  }
  const auto name_of = [&](const Place& place) { return value_words({figure.along, place.across}); };
  for (const Place& place : places) {
    curve.sweep.push_back(mean_point(table, place.setting, name_of(place)));
    append_participants(table, place, name_of(place), curve);
  }
  curve.in_use = curve.sweep[place_in_use(places)];
  return curve;
}

}  // namespace

SweepPicture sweep_picture(const StudyResult& result, const std::vector<std::string>& measures) {
  const ResultTable& table = table_of(result, main_table(result.study));
  const StudyFigure& figure = result.study.figure;
  const std::string along = figure.picture == StudyPicture::lags ? "lag" : figure.along;
  const StudyFigure drawn{figure.picture, along, figure.logarithmic, figure.series};
  const std::vector<NamedValues> series = swept_series(table, drawn);
  SweepPicture picture{.series = setting_names(series),
                       .panels = {},
                       .across = axis_words(along),
                       .logarithmic = figure.logarithmic,
                       .title = result.study.title};
  for (const std::string& measure : measures) {
    SweepPanel panel{.measure = measure_axis(measure), .series = {}};
    if (measure == "accuracy") panel.measure.chance = chance_of(table);
    for (const NamedValues& one : series) {
      auto& points = panel.series.emplace_back();
      for (const Place& place : places_of(table, drawn, one)) {
        points.push_back({place.across, plotted_values(table, place.setting, measure),
                          published_mark(published_at(result, table, place.setting, measure))});
      }
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

TradeOffPicture trade_off_picture(const StudyResult& result) {
  const ResultTable& table = table_of(result, "tracking");
  const std::vector<NamedValues> series = distinct_settings(table, result.study.figure.series);
  const std::vector<std::string> names = setting_names(series);
  TradeOffPicture picture{
      .curves = {}, .chance = chance_of(table).value_or(0), .title = "Accuracy against switch time", .subtitle = ""};
  for (std::size_t k = 0; k < series.size(); ++k) {
    picture.curves.push_back(trade_off_curve(table, result.study.figure, series[k]));
    picture.curves.back().name = names[k];
  }
  return picture;
}

SweepPicture reliability_picture(const StudyResult& result) {
  const ResultTable& table = table_of(result, "reliability");
  const std::vector<NamedValues> series = distinct_settings(table, {"tracker", "calibrated"});
  const MeasureAxis up{.title = "how often it was true", .decimals = 3};
  SweepPicture picture{.series = setting_names(series),
                       .panels = {{.measure = up, .series = {}}},
                       .across = "belief in the decision",
                       .diagonal = true,
                       .title = "Reliability: what is believed, and how often it comes true"};
  const std::size_t confidence = table.column("confidence");
  const std::size_t accuracy = table.column("accuracy");
  for (const NamedValues& one : series) {
    auto& points = picture.panels.front().series.emplace_back();
    for (const auto& row : table.rows) {
      const bool belongs =
          row[table.column("tracker")] == one[0].value && row[table.column("calibrated")] == one[1].value;
      const std::optional<double> across = number_in(row[confidence]);
      const std::optional<double> up_value = number_in(row[accuracy]);
      if (belongs && across && up_value) points.push_back({.across = *across, .values = {.mean = *up_value}});
    }
    std::ranges::stable_sort(points, {}, &SweepPoint::across);
  }
  return picture;
}

}  // namespace heed::report
