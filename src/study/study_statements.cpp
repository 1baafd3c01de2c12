// SPDX-License-Identifier: MIT
#include "study/study_statements.h"

#include <data/text.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "study/tracking/tables.h"

namespace heed::study {
namespace {

// The columns of results there may be statements of: what comes after the setting and the participant.
std::vector<std::string> measures_of(StudyMeasure measure) {
  if (measure == StudyMeasure::independence) return {"correlation"};
  if (measure == StudyMeasure::trace) return {};
  std::vector<std::string> columns = empty_tracking_table().columns;
  columns.erase(columns.begin(), std::ranges::find(columns, "participant") + 1);
  return columns;
}

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
  std::vector<std::string_view> keys{"at", "place", "headline"};
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

// What a kind of claim is made of beside measure, at, text and place.
struct Kind {
  std::string_view name;
  ClaimKind kind;
  std::string_view also;
};
constexpr std::array<Kind, 7> kinds{{{"greater", ClaimKind::greater, "than"},
                                     {"alike", ClaimKind::alike, "than"},
                                     {"rises", ClaimKind::rises, "along"},
                                     {"falls", ClaimKind::falls, "along"},
                                     {"levels_off", ClaimKind::levels_off, "along"},
                                     {"below", ClaimKind::below, "bound"},
                                     {"above", ClaimKind::above, "bound"}}};

const Kind& read_kind(const TomlTable& table) {
  const std::string word = table.needed_text("kind");
  const auto* found = std::ranges::find(kinds, word, &Kind::name);
  if (found != kinds.end()) return *found;
  throw table.wrong(
      table.find("kind")->line,
      "no kind of claim '" + word + "'; there are greater, alike, rises, falls, levels_off, below, above");
}

std::string read_measure(const TomlTable& table, StudyMeasure measure) {
  std::string word = table.needed_text("measure");
  const std::vector<std::string> measures = measures_of(measure);
  const std::vector<std::string_view> names(measures.begin(), measures.end());
  if (std::ranges::find(names, word) != names.end()) return word;
  const std::string meant = data::did_you_mean(word, names);
  throw table.wrong(table.find("measure")->line, "no measure '" + word + "' in the results" + meant);
}

Claim read_claim(const TomlTable& table, const SettingLookup& lookup, StudyMeasure measure) {
  const Kind& kind = read_kind(table);
  table.allow_only({"kind", "text", "measure", "at", "place", kind.also});
  if (table.find(kind.also) == nullptr) {
    throw table.wrong("a claim of kind " + std::string(kind.name) + " needs '" + std::string(kind.also) + "'; add it");
  }
  Claim claim{.kind = kind.kind,
              .text = table.needed_text("text"),
              .measure = read_measure(table, measure),
              .setting = read_at(table, "at"),
              .other = {},
              .along = kind.also == "along" ? table.needed_text("along") : "",
              .bound = kind.also == "bound" ? table.number("bound").value_or(0) : 0,
              .place = table.text("place").value_or("")};
  const std::size_t least = claim.kind == ClaimKind::levels_off ? 3 : 2;
  at_its_line(table, table.line(), [&] {
    claim.setting = lookup.complete(claim.setting, {.along = claim.along, .least = least});
    if (kind.also == "than") claim.other = lookup.complete(read_at(table, "than"), {});
  });
  if (kind.also == "than" && claim.other == claim.setting) {
    throw table.wrong("'at' and 'than' are the same setting; name what differs");
  }
  return claim;
}

std::vector<TomlTable> statements(const TomlTable& document, const char* key, StudyMeasure measure) {
  std::vector<TomlTable> tables = document.tables(key);
  if (tables.empty() || !measures_of(measure).empty()) return tables;
  throw tables.front().wrong("a trace has no measures to state anything of; leave [[" + std::string(key) + "]] out");
}

}  // namespace

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

std::vector<PublishedValue> read_published(const TomlTable& document, const SettingLookup& lookup,
                                           StudyMeasure measure) {
  std::vector<PublishedValue> published;
  for (const TomlTable& table : statements(document, "published", measure)) {
    const std::vector<PublishedValue> values = values_in(table, measure);
    const NamedValues setting =
        at_its_line(table, table.line(), [&] { return lookup.complete(read_at(table, "at"), {}); });
    for (PublishedValue value : values) {
      value.setting = setting;
      value.place = table.text("place").value_or("");
      value.headline = table.truth("headline").value_or(false);
      published.push_back(std::move(value));
    }
  }
  return published;
}

std::vector<Claim> read_claims(const TomlTable& document, const SettingLookup& lookup, StudyMeasure measure) {
  std::vector<Claim> claims;
  for (const TomlTable& table : statements(document, "claim", measure)) {
    claims.push_back(read_claim(table, lookup, measure));
  }
  return claims;
}

}  // namespace heed::study
