// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/text_file.h>
#include <study/setting.h>
#include <study/study_file.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "study/built_in.h"
#include "study/setting_lookup.h"
#include "study/study_statements.h"
#include "study/toml_document.h"

namespace heed::study {
namespace {

constexpr std::size_t largest_study_file = std::size_t{1} << 20U;

constexpr std::array<std::pair<std::string_view, StudyMeasure>, 3> measures{
    {{"tracking", StudyMeasure::tracking},
     {"trace", StudyMeasure::trace},
     {"independence", StudyMeasure::independence}}};

struct Picture {
  std::string_view name;
  StudyPicture picture;
  StudyMeasure measure;
};
// The first of a measure is its default.
constexpr std::array<Picture, 7> pictures{{{"comparison", StudyPicture::comparison, StudyMeasure::tracking},
                                           {"sweep", StudyPicture::sweep, StudyMeasure::tracking},
                                           {"trade_off", StudyPicture::trade_off, StudyMeasure::tracking},
                                           {"frontier", StudyPicture::frontier, StudyMeasure::tracking},
                                           {"reliability", StudyPicture::reliability, StudyMeasure::tracking},
                                           {"trace", StudyPicture::trace, StudyMeasure::trace},
                                           {"lags", StudyPicture::lags, StudyMeasure::independence}}};

StudyMeasure read_measure(const TomlTable& document) {
  const std::string word = document.text("measure").value_or("tracking");
  const auto* found = std::ranges::find(measures, word, &std::pair<std::string_view, StudyMeasure>::first);
  if (found != measures.end()) return found->second;
  throw document.wrong(document.find("measure")->line,
                       "no measure '" + word + "'; write tracking, trace or independence");
}

void read_axis_value(const TomlTable& table, const TomlNode& node, GridAxis& axis) {
  const NamedValue one{.name = axis.name, .value = read_value(table, node)};
  Setting scratch;
  at_its_line(table, node.line, [&] { read_parameter(one, scratch); });
  if (std::ranges::find(axis.values, one.value) != axis.values.end()) {
    throw table.wrong(node.line, axis.name + " lists " + data::text_of(one.value) + " twice; leave one out");
  }
  axis.values.push_back(one.value);
}

GridAxis read_axis(const TomlTable& table, const TomlNode& entry) {
  GridAxis axis{.name = entry.key, .values = {}};
  if (entry.kind != TomlKind::list) {
    read_axis_value(table, entry, axis);
    return axis;
  }
  for (const TomlNode& one : entry.parts) read_axis_value(table, one, axis);
  if (!axis.values.empty()) return axis;
  throw table.wrong(entry.line, entry.key + " has no values; write at least one or leave it out");
}

void read_grids(const TomlTable& document, Study& study) {
  for (const TomlTable& table : document.tables("grid")) {
    StudyGrid grid;
    for (const TomlNode& entry : table.entries()) grid.push_back(read_axis(table, entry));
    if (grid.empty()) throw table.wrong("the grid is empty; write below it e.g. window = [1, 2]");
    at_its_line(table, table.line(), [&] { (void)settings_of(Study{.grids = {grid}}); });
    study.grids.push_back(std::move(grid));
  }
  if (study.grids.empty()) {
    throw document.wrong("the study has no grid; add [[grid]] and below it e.g. window = [1, 2]");
  }
}

StudyPicture read_picture(const TomlTable& figure, StudyMeasure measure) {
  const auto fits = [&](const Picture& one) { return one.measure == measure; };
  const auto* first = std::ranges::find_if(pictures, fits);
  const std::optional<std::string> word = figure.text("picture");
  if (!word) return first->picture;
  const auto* found = std::ranges::find(pictures, *word, &Picture::name);
  if (found != pictures.end() && fits(*found)) return found->picture;
  std::string known;
  for (const Picture& one : pictures) {
    if (fits(one)) known.append(known.empty() ? "" : ", ").append(one.name);
  }
  throw figure.wrong(figure.find("picture")->line,
                     "no picture '" + *word + "' of what this study measures; there are " + known);
}

// raw_accuracy stands for the parameter that changes it.
std::string parameter_along(const StudyFigure& figure) {
  return figure.along == "raw_accuracy" ? "accuracy_shift" : figure.along;
}

void read_axis_across(const TomlTable& table, const SettingLookup& lookup, StudyFigure& figure) {
  const bool sweeps = figure.picture == StudyPicture::sweep || figure.picture == StudyPicture::trade_off ||
                      figure.picture == StudyPicture::frontier;
  table.allow_only(sweeps ? std::vector<std::string_view>{"picture", "series", "along", "logarithmic"}
                          : std::vector<std::string_view>{"picture", "series"});
  if (!sweeps) return;
  figure.along = table.needed_text("along");
  figure.logarithmic = table.truth("logarithmic").value_or(false);
  const bool words_allowed = figure.picture == StudyPicture::frontier;  // they are compared
  at_its_line(table, table.find("along")->line, [&] { lookup.check_axis(parameter_along(figure), words_allowed); });
}

void read_series(const TomlTable& table, const SettingLookup& lookup, StudyFigure& figure) {
  const std::string along = parameter_along(figure);
  figure.series = table.texts("series");
  const std::size_t line = table.find("series") != nullptr ? table.find("series")->line : table.line();
  for (const std::string_view name : parameter_names()) {
    if (table.find("series") == nullptr && lookup.varies(name) && name != along) figure.series.emplace_back(name);
  }
  for (const std::string& name : figure.series) {
    const auto names = parameter_names();
    if (std::ranges::find(names, name) != names.end()) continue;
    throw table.wrong(line, "no parameter '" + name + "'" + data::did_you_mean(name, names));
  }
  std::vector<std::string> shown = figure.series;
  if (!along.empty()) shown.push_back(along);
  if (lookup.told_apart_by(shown)) return;
  throw table.wrong(line, "series does not tell all settings apart; name every parameter that varies, or leave it out");
}

StudyFigure read_figure(const TomlTable& document, const SettingLookup& lookup, StudyMeasure measure) {
  const TomlNode nothing;
  const TomlTable table = document.table("figure").value_or(TomlTable(nothing, "", ""));
  StudyFigure figure{.picture = read_picture(table, measure)};
  read_axis_across(table, lookup, figure);
  read_series(table, lookup, figure);
  return figure;
}

}  // namespace

Study parse_study(std::string_view toml, const std::string& origin) {
  const TomlNode tree = parse_toml(toml, origin);
  const TomlTable document(tree, origin, "");
  document.allow_only({"title", "paper", "question", "measure", "figure", "grid", "published", "claim"});
  Study study{.name = std::filesystem::path(origin).stem().string(),
              .title = document.needed_text("title"),
              .paper = document.text("paper").value_or(""),
              .question = document.text("question").value_or(""),
              .measure = read_measure(document)};
  read_grids(document, study);
  const SettingLookup lookup(settings_of(study), study.measure);
  study.figure = read_figure(document, lookup, study.measure);
  study.published = read_published(document, lookup, study.measure);
  study.claims = read_claims(document, lookup, study.measure);
  return study;
}

std::vector<std::string_view> built_in_studies() {
  std::vector<std::string_view> names;
  for (const BuiltInStudy& one : built_in_texts()) names.push_back(one.name);
  return names;
}

StudyText find_study_text(const std::string& name) {
  if (name.ends_with(".toml")) return {name, io::read_text_file(name, largest_study_file)};
  for (const BuiltInStudy& one : built_in_texts()) {
    if (one.name == name) return {"studies/" + name + ".toml", std::string(one.toml)};
  }
  const std::vector<std::string_view> names = built_in_studies();
  std::string known;
  for (const std::string_view one : names) known.append(known.empty() ? "" : ", ").append(one);
  throw Error(ErrorKind::not_found, "no study '" + name + "'" + data::did_you_mean(name, names) + "; there are " +
                                        known + ", or give a file that ends in .toml");
}

Study find_study(const std::string& name) {
  const StudyText text = find_study_text(name);
  return parse_study(text.toml, text.origin);
}

}  // namespace heed::study
