// SPDX-License-Identifier: MIT
#include <evaluate/frontier.h>
#include <heed/data/error.h>
#include <heed/hmm/chain.h>
#include <report/figures.h>
#include <report/study/figures.h>
#include <report/study/result_tables.h>
#include <report/study/setting_words.h>
#include <report/study/study_drawings.h>
#include <report/study/trace_picture.h>
#include <report/study/values.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

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

// Of the sweep, the point nearest to the usual p.
std::size_t place_in_use(const std::vector<Place>& places) {
  const auto distance = [](const Place& place) {
    return place.across > 0 ? std::abs(std::log(place.across / hmm::switch_probability_per_second))
                            : std::numeric_limits<double>::infinity();
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

// One line per series, one panel per measure.
SweepPicture sweep_picture(const StudyResult& result, const std::vector<std::string>& measures) {
  const ResultTable& table = table_of(result, main_table(result.study));
  const StudyFigure& figure = result.study.figure;
  const std::string along = figure.picture == StudyPicture::lags ? "lag" : figure.along;
  const StudyFigure drawn{figure.picture, along, figure.logarithmic, figure.series};
  const std::vector<NamedValues> series = swept_series(table, drawn);
  SweepPicture picture{.series = setting_names(series),
                       .across = axis_words(along),
                       .logarithmic = figure.logarithmic,
                       .title = result.study.title};
  for (const std::string& measure : measures) {
    SweepPanel panel{.measure = measure_axis(measure)};
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

// Accuracy against switch time along the same parameter; every participant at every value is a dot.
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

// The accuracy of decisions against their confidence; from the table "reliability".
SweepPicture reliability_picture(const StudyResult& result) {
  const ResultTable& table = table_of(result, "reliability");
  const std::vector<NamedValues> series = distinct_settings(table, {"tracker", "calibrated"});
  const MeasureAxis up{.title = "accuracy of these decisions", .decimals = 3};
  SweepPicture picture{.series = setting_names(series),
                       .panels = {{.measure = up}},
                       .across = "probability of the decided speaker",
                       .diagonal = true,
                       .title = "Reliability: accuracy of decisions against their probability"};
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

constexpr double wide = 180;   // millimetres: a page of paper
constexpr double narrow = 92;  // a telephone, where letters of 7 points are still read

// The drawing's legend says what its signs are; this says what they stand for.
std::string with_published(const std::string& caption, const Drawing& drawing) {
  const bool stars = std::ranges::find(drawing.groups, "published", &Group::name) != drawing.groups.end();
  return caption + (stars ? " Open stars: published values." : "");
}

// Most bytes of a page would be these hints a second time; tables and the wide drawing have the values.
Drawing without_participant_hints(Drawing drawing) {
  for (Group& group : drawing.groups) {
    if (group.name != "participants") continue;
    for (Shape& shape : group.shapes) {
      if (auto* path = std::get_if<Polyline>(&shape)) path->hint.clear();
      if (auto* circle = std::get_if<Circle>(&shape)) circle->hint.clear();
    }
  }
  return drawing;
}

// `draw` takes a width.
template <typename Draw>
StudyDrawing drawn(const std::string& name, const std::string& table, const std::string& caption, Draw draw) {
  StudyDrawing drawing{.name = name,
                       .table = table,
                       .wide = draw(FigureOptions{wide}),
                       .narrow = without_participant_hints(draw(FigureOptions{narrow}))};
  drawing.caption = with_published(caption, drawing.wide);
  return drawing;
}

StudyDrawing comparison(const StudyResult& result, const std::string& stamp) {
  const ResultTable& table = table_of(result, "tracking");
  const std::vector<NamedValues> settings = distinct_settings(table, result.study.figure.series);
  StripPicture picture{.rows = setting_names(settings), .title = result.study.title, .subtitle = "", .stamp = stamp};
  for (const std::string& measure : shown_measures(result)) {
    StripPanel panel{.measure = measure_axis(measure)};
    for (const NamedValues& setting : settings) {
      panel.strips.push_back(
          {plotted_values(table, setting, measure), published_mark(published_at(result, table, setting, measure))});
    }
    picture.panels.push_back(std::move(panel));
  }
  const bool other_decoders = std::ranges::any_of(result.study.published, &PublishedValue::any_decoder);
  return drawn(result.study.name, "tracking",
               std::string("Dots: participants; vertical bars: means; bands: interquartile ranges.") +
                   (other_decoders ? " The table says with which decoder a value was published." : ""),
               [&](const FigureOptions& options) { return draw_strips(picture, options); });
}

// Many ranges and dots would hide the lines; the table has them.
bool keep_means_where_crowded(SweepPicture& picture) {
  constexpr std::size_t most = 40;
  std::size_t points = 0;
  for (const auto& series : picture.panels.front().series) points += series.size();
  if (points <= most) return false;
  for (SweepPanel& panel : picture.panels) {
    for (auto& series : panel.series) {
      for (SweepPoint& point : series) point.values = {.mean = point.values.mean};
    }
  }
  return true;
}

StudyDrawing sweep(const StudyResult& result, const std::string& stamp) {
  SweepPicture picture = sweep_picture(result, shown_measures(result));
  picture.stamp = stamp;
  const std::string spread =
      keep_means_where_crowded(picture) ? "" : "; error bars: interquartile ranges; faint dots: participants";
  return drawn(result.study.name, main_table(result.study), "Lines: means over participants" + spread + ".",
               [&](const FigureOptions& options) { return draw_sweep(picture, options); });
}

StudyDrawing trade_off(const StudyResult& result, const std::string& stamp) {
  TradeOffPicture picture = trade_off_picture(result);
  picture.stamp = stamp;
  return drawn(
      result.study.name + "_trade_off", "tracking",
      "Lines: means over participants as p varies; faint dots: every participant at every p. The upper left is best.",
      [&](const FigureOptions& options) { return draw_trade_off(picture, options); });
}

// The settings of a series that no other one beats are points; the band is the interval of its frontier.
TradeOffCurve frontier_curve(const StudyResult& result, const NamedValues& series) {
  const ResultTable& table = table_of(result, "tracking");
  const std::vector<NamedValues> settings = distinct_settings(table, varying_parameters(table), series);
  const std::vector<std::string> names = setting_names(settings);
  TradeOffCurve curve;
  for (std::size_t k = 0; k < settings.size(); ++k) {
    curve.sweep.push_back({plotted_values(table, settings[k], "accuracy").mean,
                           plotted_values(table, settings[k], frontier_time).mean, names[k]});
  }
  std::ranges::stable_sort(curve.sweep, {}, &TradeOffPoint::switch_time);
  if (curve.sweep.size() == 1) {
    curve.in_use = curve.sweep.front();
    curve.sweep.clear();
    return curve;
  }
  double best = -1;
  std::erase_if(curve.sweep, [&](const TradeOffPoint& one) {
    return one.accuracy.value_or(-1) <= std::exchange(best, std::max(best, one.accuracy.value_or(-1)));
  });
  constexpr std::size_t count = 40;
  std::vector<double> times;
  const double shortest = curve.sweep.front().switch_time.value_or(1);
  const double longest = curve.sweep.back().switch_time.value_or(1);
  for (std::size_t k = 0; k < count; ++k) {
    times.push_back(shortest * std::pow(longest / shortest, static_cast<double>(k) / (count - 1)));
  }
  const auto band = evaluate::frontier_at(frontier_points(result, series), times);
  for (std::size_t k = 0; k < count; ++k) {
    if (band[k]) curve.band.push_back({times[k], band[k]->lower, band[k]->upper});
  }
  return curve;
}

StudyDrawing frontiers(const StudyResult& result, const std::string& stamp) {
  const ResultTable& table = table_of(result, "tracking");
  const std::vector<NamedValues> series = distinct_settings(table, result.study.figure.series);
  const std::vector<std::string> names = setting_names(series);
  TradeOffPicture picture{.chance = chance_of(table).value_or(0),
                          .title = result.study.title,
                          .stamp = stamp,
                          .time = measure_title(measure_axis(frontier_time)),
                          .others = "operating point"};
  for (std::size_t k = 0; k < series.size(); ++k) {
    picture.curves.push_back(frontier_curve(result, series[k]));
    picture.curves.back().name = names[k];
  }
  return drawn(result.study.name, "tracking",
               "Points: means over participants at the operating points that no other of the method beats; bands: 95 % "
               "intervals of the best accuracy within the time. Methods are compared listener by listener, so "
               "differences are surer than bands suggest. The upper left is best.",
               [&](const FigureOptions& options) { return draw_trade_off(picture, options); });
}

// The results with those rows alone whose value along the axis is a number, or those where it is a word.
StudyResult rows_along(StudyResult result, bool numbers) {
  for (NamedTable& one : result.tables) {
    if (one.name != "tracking") continue;
    const std::size_t column = one.table.column(result.study.figure.along);
    std::erase_if(one.table.rows, [&](const auto& row) { return number_in(row[column]).has_value() != numbers; });
  }
  return result;
}

StudyDrawing comparison_off_the_axis(const StudyResult& result, const std::string& stamp) {
  return comparison(rows_along(result, false), stamp);
}

StudyDrawing trade_off_along_the_axis(const StudyResult& result, const std::string& stamp) {
  return trade_off(rows_along(result, true), stamp);
}

StudyDrawing reliability(const StudyResult& result, const std::string& stamp) {
  SweepPicture picture = reliability_picture(result);
  picture.stamp = stamp;
  return drawn(result.study.name + "_reliability", "reliability",
               "Calibrated posteriors lie on the diagonal; below it, the method is overconfident.",
               [&](const FigureOptions& options) { return draw_sweep(picture, options); });
}

StudyDrawing close_up(const StudyResult& result, const std::string& stamp) {
  SwitchPicture picture = switch_picture(read_traces(table_of(result, "trace")));
  picture.title = result.study.title;
  picture.stamp = stamp;
  return drawn(result.study.name, "trace",
               "The posterior probability of every method around a switch of attention. The ribbon on top shows who "
               "was attended.",
               [&](const FigureOptions& options) { return draw_switch(picture, options); });
}

using Draw = StudyDrawing (*)(const StudyResult&, const std::string&);

std::vector<Draw> drawn_for(StudyPicture picture) {
  switch (picture) {
    case StudyPicture::comparison:
      return {comparison};
    case StudyPicture::sweep:
    case StudyPicture::lags:
      return {sweep};
    case StudyPicture::trade_off:
      return {sweep, trade_off};
    case StudyPicture::frontier:
      return {comparison_off_the_axis, trade_off_along_the_axis};
    case StudyPicture::frontiers:
      return {frontiers};
    case StudyPicture::reliability:
      return {comparison, reliability};
    case StudyPicture::trace:
      return {close_up};
  }
  return {};
}

}  // namespace

std::vector<std::string> shown_measures(const StudyResult& result) {
  const StudyPicture kind = result.study.figure.picture;
  if (kind == StudyPicture::trace) return {};
  const ResultTable& table = table_of(result, main_table(result.study));
  std::vector<std::string> measures{"accuracy", "switch_time"};
  if (kind == StudyPicture::lags) measures = {"correlation"};
  if (kind == StudyPicture::reliability) measures = {"brier", "ece"};
  if (kind == StudyPicture::frontiers) measures = {"accuracy", frontier_time};
  if (!result.study.figure.measures.empty()) measures = result.study.figure.measures;
  std::erase_if(measures, [&](const std::string& measure) {
    const std::size_t column = table.column(measure);
    return measure.ends_with("_time") &&
           std::ranges::none_of(table.rows, [&](const auto& row) { return number_in(row[column]).has_value(); });
  });
  return measures;
}

std::vector<std::string> setting_columns(const StudyResult& result) {
  const StudyFigure& figure = result.study.figure;
  std::vector<std::string> columns = figure.series;
  if (figure.picture == StudyPicture::lags) columns.emplace_back("lag");
  const bool has_axis = figure.picture == StudyPicture::sweep || figure.picture == StudyPicture::trade_off ||
                        figure.picture == StudyPicture::frontier;
  if (!has_axis && figure.picture != StudyPicture::frontiers) return columns;
  if (has_axis && figure.along != "raw_accuracy") {
    columns.push_back(figure.along);
    return columns;
  }
  // Settings differ in any parameter where across is the accuracy, and on a frontier.
  const ResultTable& table = table_of(result, "tracking");
  for (const std::string& name : varying_parameters(table)) {
    if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
  }
  return columns;
}

evaluate::OperatingPoints frontier_points(const StudyResult& result, const NamedValues& series) {
  return evaluate::operating_points(table_of(result, "tracking"), series, {"accuracy", frontier_time});
}

StudyDrawings draw_study(const StudyResult& result, const std::string& stamp) {
  StudyDrawings all;
  for (const Draw draw : drawn_for(result.study.figure.picture)) {
    try {
      all.drawings.push_back(draw(result, stamp));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data) throw;
      all.missing.push_back(std::string("One figure is missing here: ") + error.what());
    }
  }
  return all;
}

}  // namespace heed::report
