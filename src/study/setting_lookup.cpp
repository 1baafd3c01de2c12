// SPDX-License-Identifier: MIT
#include "study/setting_lookup.h"

#include <data/text.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace heed::study {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

// Different values, in order of appearance.
std::vector<TableValue> values_among(const std::vector<Setting>& settings, std::string_view parameter) {
  std::vector<TableValue> values;
  for (const Setting& setting : settings) {
    const TableValue value = value_of(setting, parameter);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

void keep_those_at(std::vector<Setting>& settings, const NamedValue& one) {
  std::erase_if(settings, [&](const Setting& setting) { return value_of(setting, one.name) != one.value; });
}

std::string listed(const std::vector<TableValue>& values) {
  std::string text;
  for (const TableValue& value : values) text += (text.empty() ? "" : ", ") + data::text_of(value);
  return text;
}

std::string in_words(const NamedValues& values) {
  std::string text;
  for (const NamedValue& one : values) {
    text += (text.empty() ? "" : ", ") + one.name + " = " + data::text_of(one.value);
  }
  return text;
}

void check_is_parameter(const std::string& name) {
  const auto names = parameter_names();
  if (std::ranges::find(names, name) != names.end()) return;
  refuse("no parameter '" + name + "'" + data::did_you_mean(name, names));
}

void check_lag(const TableValue& value) {
  const double lag = data::number_in(value).value_or(0);
  if (lag >= 1 && lag <= longest_correlation_lag && lag == std::floor(lag)) return;
  refuse("lag cannot be '" + data::text_of(value) + "'; write a whole number of windows from 1 to " +
         std::to_string(longest_correlation_lag));
}

void check_centring(const TableValue& value) {
  const std::string word = data::text_of(value);
  if (std::ranges::any_of(centrings, [&](const auto& one) { return one.first == word; })) return;
  refuse("centring cannot be '" + word + "'; write listener or trial");
}

}  // namespace

SettingLookup::SettingLookup(std::vector<Setting> settings, StudyMeasure measure)
    : settings_(std::move(settings)), has_lags_(measure == StudyMeasure::independence) {}

template <typename IsFree>
std::vector<Setting> SettingLookup::hold(NamedValues& at, IsFree is_free) const {
  std::vector<Setting> held = settings_;
  Setting scratch;
  for (const NamedValue& one : at) {
    if (has_lags_ && one.name == lag_name) {
      check_lag(one.value);
    } else if (has_lags_ && one.name == centring_name) {
      check_centring(one.value);
    } else {
      read_parameter(one, scratch);
      keep_those_at(held, one);
    }
  }
  if (held.empty()) refuse("no grid holds " + in_words(at));
  for (const NamedValue& one : named_values({})) {
    const std::vector<TableValue> values = values_among(held, one.name);
    if (is_free(one.name) || values.size() == 1) continue;
    if (std::ranges::find(values, one.value) == values.end()) {
      refuse("several settings are meant; say which " + one.name + ": " + listed(values));
    }
    at.push_back(one);
    keep_those_at(held, one);
  }
  return held;
}

NamedValues SettingLookup::complete(NamedValues at, const Line& line) const {
  if (has_lags_ && std::ranges::find(at, centring_name, &NamedValue::name) == at.end()) {
    at.push_back({.name = std::string(centring_name), .value = std::string(centrings.front().first)});
  }
  if (!line.along.empty() && std::ranges::find(at, line.along, &NamedValue::name) != at.end()) {
    refuse("'" + line.along + "' is held and runs along; leave it out of one of the two");
  }
  const std::vector<Setting> held = hold(at, [&](const std::string& name) { return name == line.along; });
  if (line.along.empty() || (has_lags_ && line.along == lag_name)) return at;
  SettingLookup(held, StudyMeasure::tracking).check_axis(line.along);
  if (held.size() >= line.least) return at;
  refuse("'" + line.along + "' has " + std::to_string(held.size()) + " values here; " + std::to_string(line.least) +
         " are needed");
}

NamedValues SettingLookup::complete_series(NamedValues at, const std::vector<std::string>& series) const {
  const auto is_free = [&](const std::string& name) { return std::ranges::find(series, name) == series.end(); };
  if (hold(at, is_free).size() >= 2) return at;
  refuse("a frontier needs two settings at least, and " + in_words(at) + " is one; add others to a grid");
}

bool SettingLookup::varies(std::string_view parameter) const { return values_among(settings_, parameter).size() > 1; }

bool SettingLookup::told_apart_by(const std::vector<std::string>& parameters) const {
  std::set<std::string> seen;
  return std::ranges::all_of(settings_, [&](const Setting& setting) {
    std::string words;
    for (const std::string& name : parameters) words += data::text_of(value_of(setting, name)) + '\t';
    return seen.insert(words).second;
  });
}

void SettingLookup::check_axis(const std::string& parameter, bool words_allowed) const {
  check_is_parameter(parameter);
  const std::vector<TableValue> values = values_among(settings_, parameter);
  if (values.size() < 2) refuse("'" + parameter + "' has a single value, " + listed(values) + "; add others to a grid");
  const auto word = std::ranges::find_if(values, [](const TableValue& one) { return !data::number_in(one); });
  if (word == values.end() || words_allowed) return;
  refuse("'" + parameter + "' cannot be an axis, for '" + data::text_of(*word) + "' is not a number");
}

}  // namespace heed::study
