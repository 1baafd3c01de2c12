// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/study/strip_figure.h>
#include <report/study/sweep_figure.h>
#include <report/study_page/result_rows.h>
#include <report/study_page/setting_words.h>
#include <report/study_page/study_drawings.h>
#include <report/study_page/sweep_drawings.h>
#include <report/study_page/trace_picture.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace heed::report {
namespace {

constexpr double wide = 180;   // millimetres: a page of paper
constexpr double narrow = 92;  // a telephone, where letters of 7 points are still read

// The drawing's legend says what its signs are; this says what they stand for.
std::string with_published(const std::string& caption, const Drawing& drawing) {
  const bool stars = std::ranges::find(drawing.groups, "published", &Group::name) != drawing.groups.end();
  return caption + (stars ? " Open stars: published." : "");
}

// Most bytes of a page would be these hints a second time; tables and the wide drawing have the values.
Drawing without_participant_hints(Drawing drawing) {
  for (Group& group : drawing.groups) {
    if (group.name != "participants") continue;
    for (Shape& shape : group.shapes) {
      if (auto* path = std::get_if<Path>(&shape)) path->hint.clear();
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
  StripPicture picture{
      .rows = setting_names(settings), .panels = {}, .title = result.study.title, .subtitle = "", .stamp = stamp};
  for (const std::string& measure : shown_measures(result)) {
    StripPanel panel{.measure = measure_axis(measure), .strips = {}};
    for (const NamedValues& setting : settings) {
      panel.strips.push_back(
          {plotted_values(table, setting, measure), published_mark(published_at(result, table, setting, measure))});
    }
    picture.panels.push_back(std::move(panel));
  }
  return drawn(result.study.name, "tracking",
               "Every dot is a participant; bar and band are their mean and their middle half.",
               [&](const FigureOptions& options) { return draw_strips(picture, options); });
}

StudyDrawing sweep(const StudyResult& result, const std::string& stamp) {
  SweepPicture picture = sweep_picture(result, shown_measures(result));
  picture.stamp = stamp;
  return drawn(result.study.name, main_table(result.study),
               "Means over participants; error bars: their interquartile range; faint dots: each of them.",
               [&](const FigureOptions& options) { return draw_sweep(picture, options); });
}

StudyDrawing trade_off(const StudyResult& result, const std::string& stamp) {
  TradeOffPicture picture = trade_off_picture(result);
  picture.stamp = stamp;
  return drawn(
      result.study.name + "_trade_off", "tracking",
      "Lines: means over participants along p; faint dots: every participant at every p. The better the nearer "
      "to the upper left.",
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
               "A belief that keeps its word lies on the diagonal; below it, more is believed than comes true.",
               [&](const FigureOptions& options) { return draw_sweep(picture, options); });
}

StudyDrawing close_up(const StudyResult& result, const std::string& stamp) {
  SwitchPicture picture = switch_picture(read_traces(table_of(result, "trace")));
  picture.title = result.study.title;
  picture.stamp = stamp;
  return drawn(result.study.name, "trace",
               "The belief of every method around a switch of attention; the ribbon on top is the truth.",
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
  std::erase_if(measures, [&](const std::string& measure) {
    const std::size_t column = table.column(measure);
    return measure == "switch_time" &&
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
  if (!has_axis) return columns;
  if (figure.along != "raw_accuracy") {
    columns.push_back(figure.along);
    return columns;
  }
  // Across is the accuracy of settings that differ in any parameter.
  const ResultTable& table = table_of(result, "tracking");
  for (std::size_t k = 0; k < table.column("participant"); ++k) {
    const std::string& name = table.columns[k];
    const bool varies = distinct_settings(table, {name}).size() > 1;
    if (varies && std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
  }
  return columns;
}

StudyDrawings draw_study(const StudyResult& result, const std::string& stamp) {
  StudyDrawings all;
  for (const Draw draw : drawn_for(result.study.figure.picture)) {
    try {
      all.drawings.push_back(draw(result, stamp));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data) throw;
      all.missing.push_back(std::string("A figure is missing here: ") + error.what());
    }
  }
  return all;
}

}  // namespace heed::report
