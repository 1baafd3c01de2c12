// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <study/tracking/applicability.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace heed::study {
namespace {

// Values of an axis that is compared, among the settings that were run.
bool still_compares(const StudyResult& result, std::span<const Setting> settings, const std::string& axis) {
  std::set<std::string> planned;
  if (std::ranges::find(parameter_names(), axis) == parameter_names().end()) return true;
  for (const Setting& setting : settings) planned.insert(data::text_of(value_of(setting, axis)));
  if (planned.size() < 2) return true;
  for (const NamedTable& table : result.tables) {
    const auto column = std::ranges::find(table.table.columns, axis);
    if (column == table.table.columns.end()) continue;
    const auto place = static_cast<std::size_t>(column - table.table.columns.begin());
    std::set<std::string> found;
    for (const auto& row : table.table.rows) found.insert(data::text_of(row[place]));
    return found.size() > 1;
  }
  return true;
}

// Whether at least one of its claims can be judged by what was run.
bool tells_anything(const StudyResult& result) {
  const auto told = [&](const Claim& claim) { return evaluate::judge(claim, result.judged()).holds.has_value(); };
  return result.study.measure != StudyMeasure::tracking || result.study.claims.empty() ||
         std::ranges::any_of(result.study.claims, told);
}

// Of the settings left out; the first of those that are equally common.
std::string commonest_reason(std::span<const LeftOut> left_out) {
  const auto count = [&](const LeftOut& one) { return std::ranges::count(left_out, one.why, &LeftOut::why); };
  return std::ranges::max_element(left_out, {}, count)->why;
}

}  // namespace

std::string words_of(const Setting& setting, const Study& study) {
  std::string words;
  for (const StudyGrid& grid : study.grids) {
    for (const GridAxis& axis : grid) {
      if (axis.values.size() < 2) continue;
      const std::string text = axis.name + " = " + data::text_of(value_of(setting, axis.name));
      if (words.find(text) == std::string::npos) words += (words.empty() ? "" : ", ") + text;
    }
  }
  return words.empty() ? "its setting" : words;
}

void judge_applicability(StudyResult& result, std::span<const Setting> settings, std::span<const LeftOut> left_out) {
  if (left_out.empty()) return;
  const bool empty = std::ranges::all_of(result.tables, [](const NamedTable& t) { return t.table.rows.empty(); });
  std::vector<std::string> axes = result.study.figure.series;
  axes.push_back(result.study.figure.along);
  // One decoder's correlations tell something by themselves.
  const bool compares =
      result.study.measure == StudyMeasure::independence ||
      std::ranges::all_of(axes, [&](const std::string& axis) { return still_compares(result, settings, axis); });
  if (empty || !compares || !tells_anything(result)) {
    result.obstacle = commonest_reason(left_out);
    result.tables.clear();
    result.notes.clear();
    return;
  }
  // What is left out for one reason is said once.
  std::vector<std::pair<std::string, std::string>> reasons;  // why, and all that
  for (const LeftOut& one : left_out) {
    const auto known = std::ranges::find(reasons, one.why, &std::pair<std::string, std::string>::first);
    if (known == reasons.end()) {
      reasons.emplace_back(one.why, one.what);
    } else if (known->second.find(one.what) == std::string::npos) {
      known->second += "; " + one.what;
    }
  }
  for (const auto& [why, what] : reasons) {
    result.notes.push_back(std::string("Without ").append(what).append(": ").append(why).append("."));
  }
}

}  // namespace heed::study
