// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <study/setting.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "study/parameters.h"

namespace heed::study {
namespace {

using data::shown;

// More than anybody waits for; less than fills the memory.
constexpr std::size_t most_settings = 100000;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

// What no parameter can know alone.
void check_together(const Setting& setting) {
  const bool artificial = setting.switches == Switches::artificial;
  const SwitchInterval& interval = setting.switch_interval;
  if (artificial && interval.shortest < setting.window) {
    refuse("switches every " + shown(interval.shortest.value) + " s in windows of " + shown(setting.window.value) +
           " s; choose shorter windows or a longer switch_interval");
  }
  if (setting.calibrated && setting.emission != pipeline::EmissionFit::labels) {
    refuse(
        "calibrated with an emission fitted without labels; calibration needs labels: write calibrated in a grid of "
        "its own, with emission labels");
  }
  if (setting.recipe != pipeline::Recipe::paper && setting.decoder &&
      setting.decoder != pipeline::DecoderKind::least_squares) {
    refuse("recipe " + std::string(pipeline::name(setting.recipe)) + " is one of least squares; leave decoder out");
  }
  const double most = 1.0 / setting.speakers.value_or(2);
  if (setting.switch_probability > most) {
    refuse("switch_probability " + shown(*setting.switch_probability) + " with " +
           std::to_string(setting.speakers.value_or(2)) + " speakers; it is at most one by their number, " +
           shown(most));
  }
  if (setting.switch_probability || setting.switch_rule != SwitchRule::once_an_interval) return;
  if (!artificial) refuse("switch_probability once-an-interval needs a switch_interval in seconds, e.g. 60");
  const double p = setting.window / (0.5 * (interval.shortest + interval.longest));
  if (p > most) refuse("once an interval is a switch_probability of " + shown(p) + ", more than " + shown(most));
}

// The k-th combination of a grid's values, the last axis running fastest.
NamedValues combination(const StudyGrid& grid, std::size_t k) {
  NamedValues values(grid.size());
  for (std::size_t a = grid.size(); a-- > 0;) {
    const GridAxis& axis = grid[a];
    values[a] = {.name = axis.name, .value = axis.values[k % axis.values.size()]};
    k /= axis.values.size();
  }
  return values;
}

std::size_t combinations_in(const StudyGrid& grid) {
  std::size_t count = 1;
  for (const GridAxis& axis : grid) {
    if (axis.values.empty()) refuse(axis.name + " has no values; write at least one or leave it out");
    count *= axis.values.size();
    if (count > most_settings) {
      refuse("a grid of more than " + std::to_string(most_settings) + " settings; split it into several studies");
    }
  }
  return count;
}

std::string values_in_words(const Setting& setting) {
  std::string words;
  for (const NamedValue& one : setting.named) words += data::text_of(one.value) + '\t';
  return words;
}

}  // namespace

Setting make_setting(const NamedValues& values) {
  Setting setting{.named = default_values()};
  std::vector<bool> is_given(setting.named.size(), false);
  for (const NamedValue& given : values) {
    read_parameter(given, setting);
    const auto place = std::ranges::find(setting.named, given.name, &NamedValue::name) - setting.named.begin();
    const auto k = static_cast<std::size_t>(place);
    if (is_given[k]) refuse(given.name + " is given twice; leave one out");
    is_given[k] = true;
    setting.named[k].value = given.value;
  }
  check_together(setting);
  return setting;
}

std::vector<Setting> settings_of(const Study& study) {
  std::vector<Setting> settings;
  std::unordered_set<std::string> seen;
  for (const StudyGrid& grid : study.grids) {
    const std::size_t count = combinations_in(grid);
    for (std::size_t k = 0; k < count; ++k) {
      Setting setting = make_setting(combination(grid, k));
      if (seen.insert(values_in_words(setting)).second) settings.push_back(std::move(setting));
    }
  }
  return settings;
}

}  // namespace heed::study
