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

#include "study/known_verdicts.h"
#include "study/setting_lookup.h"
#include "study/toml_document.h"
#include "study/tracking/tables.h"

namespace heed::study {
namespace {

constexpr std::size_t largest_study_file = std::size_t{1} << 20U;

constexpr std::array<std::pair<std::string_view, StudyMeasure>, 3> measure_words{
    {{"tracking", StudyMeasure::tracking},
     {"trace", StudyMeasure::trace},
     {"independence", StudyMeasure::independence}}};

struct Picture {
  std::string_view name;
  StudyPicture picture;
  StudyMeasure measure;
};
// The first of a measure is its default.
constexpr std::array<Picture, 8> pictures{{{"comparison", StudyPicture::comparison, StudyMeasure::tracking},
                                           {"sweep", StudyPicture::sweep, StudyMeasure::tracking},
                                           {"trade_off", StudyPicture::trade_off, StudyMeasure::tracking},
                                           {"frontier", StudyPicture::frontier, StudyMeasure::tracking},
                                           {"frontiers", StudyPicture::frontiers, StudyMeasure::tracking},
                                           {"reliability", StudyPicture::reliability, StudyMeasure::tracking},
                                           {"trace", StudyPicture::trace, StudyMeasure::trace},
                                           {"lags", StudyPicture::lags, StudyMeasure::independence}}};

// Does something whose errors know nothing of the file.
template <typename Action>
auto at_its_line(const TomlTable& table, std::size_t line, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw table.wrong(line, error.what());
  }
}

// A number or a word; true and false are the words yes and no.
TableValue read_value(const TomlTable& table, const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::number:
      return node.number;
    case TomlKind::text:
      return node.text;
    case TomlKind::truth:
      return node.truth ? "yes" : "no";
    case TomlKind::list:
    case TomlKind::table:
      break;
  }
  throw table.wrong(node.line, R"(not a single value; write a number or a "word")");
}

StudyMeasure read_measure(const TomlTable& document) {
  const std::string word = document.text("measure").value_or("tracking");
  const auto* found = std::ranges::find(measure_words, word, &std::pair<std::string_view, StudyMeasure>::first);
  if (found != measure_words.end()) return found->second;
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
  table.allow_only(sweeps ? std::vector<std::string_view>{"picture", "series", "measures", "along", "logarithmic"}
                          : std::vector<std::string_view>{"picture", "series", "measures"});
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
  // The settings of one series are the points of its frontier.
  if (figure.picture == StudyPicture::frontiers || lookup.told_apart_by(shown)) return;
  throw table.wrong(line, "series does not tell all settings apart; name every parameter that varies, or leave it out");
}

// The columns of results there may be statements of: numbers, of which p is the first.
std::vector<std::string> measures_of(StudyMeasure measure) {
  if (measure == StudyMeasure::independence) return {"correlation"};
  if (measure == StudyMeasure::trace) return {};
  std::vector<std::string> columns = empty_tracking_table().columns;
  columns.erase(columns.begin(), std::ranges::find(columns, "p"));  // parameters and who it was
  return columns;
}

// A column of the results that a key names.
std::string checked_column(const TomlTable& table, std::string_view key, const std::string& word,
                           StudyMeasure measure) {
  const std::vector<std::string> measures = measures_of(measure);
  const std::vector<std::string_view> names(measures.begin(), measures.end());
  if (std::ranges::find(names, word) != names.end()) return word;
  const std::string meant = data::did_you_mean(word, names);
  throw table.wrong(table.find(key)->line, "no measure '" + word + "' in the results" + meant);
}

void read_measures(const TomlTable& table, StudyMeasure measure, StudyFigure& figure) {
  constexpr std::size_t most = 3;
  for (const std::string& word : table.texts("measures")) {
    figure.measures.push_back(checked_column(table, "measures", word, measure));
  }
  if (figure.measures.size() > most) {
    throw table.wrong(table.find("measures")->line, "a figure shows at most three measures; leave some out");
  }
}

StudyFigure read_figure(const TomlTable& document, const SettingLookup& lookup, StudyMeasure measure) {
  const TomlNode nothing;
  const TomlTable table = document.table("figure").value_or(TomlTable(nothing, "", ""));
  StudyFigure figure{.picture = read_picture(table, measure)};
  read_axis_across(table, lookup, figure);
  read_series(table, lookup, figure);
  if (measure == StudyMeasure::independence) figure.series.emplace_back(centring_name);
  read_measures(table, measure, figure);
  return figure;
}

// ---- published values and claims, each about settings the grids hold ----

// As the paper prints it; results hold shares.
bool is_per_cent(std::string_view measure) {
  return measure == "accuracy" || measure == "whole_accuracy" || measure == "miss_rate";
}

NamedValues read_at(const TomlTable& table, std::string_view key) {
  NamedValues values;
  const std::optional<TomlTable> at = table.table(key);
  if (!at) return values;
  for (const TomlNode& one : at->entries()) values.push_back({.name = one.key, .value = read_value(*at, one)});
  return values;
}

// [[published]] gives one or more measures, each with its spread where there is one.
std::vector<PublishedValue> values_in(const TomlTable& table, StudyMeasure measure) {
  const std::vector<std::string> measures = measures_of(measure);
  std::vector<std::string> spreads;
  spreads.reserve(measures.size());
  for (const std::string& one : measures) spreads.push_back(one + "_sd");
  std::vector<std::string_view> keys{"at", "place", "decoder", "any_decoder", "headline"};
  keys.insert(keys.end(), measures.begin(), measures.end());
  keys.insert(keys.end(), spreads.begin(), spreads.end());
  table.allow_only(keys);
  std::vector<PublishedValue> values;
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const std::optional<double> value = table.number(measures[k]);
    std::optional<double> sd = table.number(spreads[k]);
    if (sd && !value) throw table.wrong("'" + spreads[k] + "' without '" + measures[k] + "'; add it");
    if (!value) continue;
    const double unit = is_per_cent(measures[k]) ? 100 : 1;
    if (sd) sd = *sd / unit;
    values.push_back({.measure = measures[k], .value = *value / unit, .sd = sd});
  }
  if (values.empty()) throw table.wrong("published gives no measure; add e.g. accuracy = 89.0, or correlation = 0.1");
  return values;
}

// The decoder whose scores a number was obtained with: named, or that of its setting, or the paper's baseline.
std::string published_decoder(const TomlTable& table, const NamedValues& setting) {
  const auto named = std::ranges::find(setting, "decoder", &NamedValue::name);
  const std::string usual(pipeline::name(pipeline::DecoderKind::cca));
  const std::string word = named != setting.end() ? data::text_of(named->value) : usual;
  std::string given = table.text("decoder").value_or(word == "baseline" ? usual : word);
  const auto is_given = [&](pipeline::DecoderKind kind) { return pipeline::name(kind) == given; };
  if (std::ranges::any_of(pipeline::all_decoders, is_given)) return given;
  throw table.wrong(table.find("decoder")->line, "no decoder '" + given + "'; write ls, cca or csp");
}

// What a kind of claim is made of beside measure, at, text and place.
struct Kind {
  std::string_view name;
  ClaimKind kind;
  std::vector<std::string_view> needed;
  [[nodiscard]] bool needs(std::string_view key) const { return std::ranges::find(needed, key) != needed.end(); }
};
const std::vector<Kind>& claim_kinds() {
  static const std::vector<Kind> kinds{{"greater", ClaimKind::greater, {"than"}},
                                       {"less", ClaimKind::less, {"than"}},
                                       {"alike", ClaimKind::alike, {"than"}},
                                       {"rises", ClaimKind::rises, {"along"}},
                                       {"falls", ClaimKind::falls, {"along"}},
                                       {"makes_up", ClaimKind::makes_up, {"than", "without_loss"}},
                                       {"levels_off", ClaimKind::levels_off, {"along"}},
                                       {"rises_with", ClaimKind::rises_with, {"along", "with"}},
                                       {"changes_less", ClaimKind::changes_less, {"than", "along", "from", "to"}},
                                       {"below", ClaimKind::below, {"bound"}},
                                       {"above", ClaimKind::above, {"bound"}},
                                       {"never_above", ClaimKind::never_above, {"along", "from", "bound"}},
                                       {"better_frontier", ClaimKind::better_frontier, {"than", "with"}},
                                       {"same_frontier", ClaimKind::same_frontier, {"than", "with"}}};
  return kinds;
}

const Kind& read_kind(const TomlTable& table) {
  const std::string word = table.needed_text("kind");
  const auto found = std::ranges::find(claim_kinds(), word, &Kind::name);
  if (found != claim_kinds().end()) return *found;
  std::string known;
  for (const Kind& one : claim_kinds()) known.append(known.empty() ? "" : ", ").append(one.name);
  throw table.wrong(table.find("kind")->line, "no kind of claim '" + word + "'; there are " + known);
}

void check_keys(const TomlTable& table, const Kind& kind) {
  std::vector<std::string_view> allowed{"kind", "text",        "measure", "at",      "place",
                                        "says", "says_if_not", "of",      "headline"};
  allowed.insert(allowed.end(), kind.needed.begin(), kind.needed.end());
  table.allow_only(allowed);
  for (const std::string_view key : kind.needed) {
    if (table.find(key) != nullptr) continue;
    throw table.wrong("a claim of kind " + std::string(kind.name) + " needs '" + std::string(key) + "'; add it");
  }
}

Claim read_claim(const TomlTable& table, const SettingLookup& lookup, const Study& study) {
  const Kind& kind = read_kind(table);
  check_keys(table, kind);
  Claim claim{.kind = kind.kind,
              .text = table.needed_text("text"),
              .measure = checked_column(table, "measure", table.needed_text("measure"), study.measure),
              .setting = read_at(table, "at"),
              .along = table.text("along").value_or(""),
              .with = kind.needs("with") ? checked_column(table, "with", table.needed_text("with"), study.measure) : "",
              .from = table.number("from").value_or(0),
              .to = table.number("to").value_or(0),
              .bound = table.number("bound").value_or(0),
              .place = table.text("place").value_or(""),
              .says = table.text("says").value_or(""),
              .says_if_not = table.text("says_if_not").value_or(""),
              .of = table.text("of").value_or(""),
              .headline = table.text("headline").value_or("")};
  at_its_line(table, table.line(), [&] {
    const auto complete = [&](const NamedValues& at, std::size_t least) {
      const bool frontiers = claim.kind == ClaimKind::better_frontier || claim.kind == ClaimKind::same_frontier;
      return frontiers ? lookup.complete_series(at, study.figure.series) : lookup.complete(at, {claim.along, least});
    };
    claim.setting = complete(claim.setting, claim.kind == ClaimKind::levels_off ? 3 : 2);
    if (kind.needs("than")) claim.other = complete(read_at(table, "than"), 2);
    if (kind.needs("without_loss")) claim.reference = lookup.complete(read_at(table, "without_loss"), {});
  });
  if (kind.needs("than") && claim.other == claim.setting) {
    throw table.wrong("'at' and 'than' are the same setting; name what differs");
  }
  return claim;
}

std::vector<TomlTable> statements(const TomlTable& document, const char* key, StudyMeasure measure) {
  std::vector<TomlTable> tables = document.tables(key);
  if (tables.empty() || !measures_of(measure).empty()) return tables;
  throw tables.front().wrong("a trace has no measures to state anything of; leave [[" + std::string(key) + "]] out");
}

std::vector<PublishedValue> read_published(const TomlTable& document, const SettingLookup& lookup,
                                           StudyMeasure measure) {
  std::vector<PublishedValue> published;
  for (const TomlTable& table : statements(document, "published", measure)) {
    const std::vector<PublishedValue> values = values_in(table, measure);
    const NamedValues setting =
        at_its_line(table, table.line(), [&] { return lookup.complete(read_at(table, "at"), {}); });
    const std::string decoder = published_decoder(table, setting);
    for (PublishedValue value : values) {
      value.setting = setting;
      value.place = table.text("place").value_or("");
      value.decoder = decoder;
      value.any_decoder = table.truth("any_decoder").value_or(false);
      value.headline = table.truth("headline").value_or(false);
      published.push_back(std::move(value));
    }
  }
  return published;
}

std::vector<Claim> read_claims(const TomlTable& document, const SettingLookup& lookup, const Study& study) {
  std::vector<Claim> claims;
  for (const TomlTable& table : statements(document, "claim", study.measure)) {
    claims.push_back(read_claim(table, lookup, study));
  }
  return claims;
}

// Texts of claims, each of which the study makes.
std::vector<std::string> read_grounds(const TomlTable& table, std::string_view key, const std::vector<Claim>& claims) {
  std::vector<std::string> texts = table.texts(key);
  std::vector<std::string_view> known;
  for (const Claim& claim : claims) known.emplace_back(claim.text);
  for (const std::string& text : texts) {
    if (std::ranges::find(known, text) != known.end()) continue;
    throw table.wrong(table.find(key)->line, "no claim '" + text + "'" + data::did_you_mean(text, known));
  }
  return texts;
}

std::vector<Reason> read_reasons(const TomlTable& document, const std::vector<Claim>& claims) {
  std::vector<Reason> reasons;
  for (const TomlTable& table : document.tables("reason")) {
    table.allow_only({"text", "holds", "fails"});
    reasons.push_back({.text = table.needed_text("text"),
                       .holds = read_grounds(table, "holds", claims),
                       .fails = read_grounds(table, "fails", claims)});
    if (!reasons.back().holds.empty() || !reasons.back().fails.empty()) continue;
    throw table.wrong(R"(the reason rests on no claim; add holds = ["..."] or fails = ["..."] with their texts)");
  }
  return reasons;
}

}  // namespace

Study parse_study(std::string_view toml, const std::string& origin) {
  const TomlNode tree = parse_toml(toml, origin);
  const TomlTable document(tree, origin, "");
  document.allow_only(
      {"title", "paper", "question", "only_when_named", "measure", "figure", "grid", "published", "claim", "reason"});
  Study study{.name = std::filesystem::path(origin).stem().string(),
              .title = document.needed_text("title"),
              .paper = document.text("paper").value_or(""),
              .question = document.text("question").value_or(""),
              .only_when_named = document.truth("only_when_named").value_or(false),
              .measure = read_measure(document)};
  read_grids(document, study);
  const SettingLookup lookup(settings_of(study), study.measure);
  study.figure = read_figure(document, lookup, study.measure);
  study.published = read_published(document, lookup, study.measure);
  study.claims = read_claims(document, lookup, study);
  study.reasons = read_reasons(document, study.claims);
  for (Claim& claim : study.claims) claim.known = known_verdicts(study.name, claim.text);
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
  const std::string near = data::did_you_mean(name, names);
  throw Error(ErrorKind::not_found, "no study '" + name + "'" + near + (near.empty() ? "; there are " : " There are ") +
                                        known + ", or give a file that ends in .toml");
}

Study find_study(const std::string& name) {
  const StudyText text = find_study_text(name);
  return parse_study(text.toml, text.origin);
}

}  // namespace heed::study
