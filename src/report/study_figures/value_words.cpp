// SPDX-License-Identifier: MIT
#include <report/ink/text.h>
#include <report/study_figures/value_words.h>

#include <cmath>

namespace heed::report {
namespace {

std::string unit_after(const MeasureAxis& measure) { return measure.unit.empty() ? "" : " " + measure.unit; }

std::string bare(const MeasureAxis& measure, double value) {
  return fixed_label(measure.factor * value, measure.decimals);
}

std::string reach(const MeasureAxis& measure, const evaluate::Quartiles& middle_half) {
  return bare(measure, middle_half.lower) + " to " + bare(measure, middle_half.upper) + unit_after(measure);
}

// Where " (unit)" begins at the end of a title; npos where it has none.
std::size_t unit_begin(const std::string& title) {
  return title.ends_with(')') ? title.rfind(" (") : std::string::npos;
}

}  // namespace

std::optional<double> known(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<ParticipantValue> known(const std::vector<ParticipantValue>& participants) {
  std::vector<ParticipantValue> result;
  for (const ParticipantValue& one : participants) {
    if (std::isfinite(one.value)) result.push_back(one);
  }
  return result;
}

std::optional<evaluate::Quartiles> known(const std::optional<evaluate::Quartiles>& middle_half) {
  return middle_half && std::isfinite(middle_half->lower) && std::isfinite(middle_half->upper) ? middle_half
                                                                                               : std::nullopt;
}

std::string measure_title(const MeasureAxis& measure) {
  return measure.unit.empty() ? measure.title : measure.title + " (" + measure.unit + ")";
}

std::string value_text(const MeasureAxis& measure, double value) { return bare(measure, value) + unit_after(measure); }

std::string participant_count(std::size_t participants) {
  return std::to_string(participants) + (participants == 1 ? " participant" : " participants");
}

std::string mean_text(const MeasureAxis& measure, const PlottedValues& values) {
  std::string text = "mean " + measure.title + " " + value_text(measure, *values.mean);
  if (const auto middle_half = known(values.middle_half)) text += ", middle half " + reach(measure, *middle_half);
  const std::size_t participants = known(values.participants).size();
  return participants == 0 ? text : text + ", " + participant_count(participants);
}

std::string middle_half_text(const MeasureAxis& measure, const evaluate::Quartiles& middle_half) {
  return "middle half of " + measure.title + " " + reach(measure, middle_half);
}

std::string published_text(const MeasureAxis& measure, const PublishedMark& mark) {
  const std::string text = measure.title + " " + value_text(measure, mark.value);
  return mark.place.empty() ? text : text + " (" + mark.place + ")";
}

std::string across_text(const std::string& axis_title, double value) {
  return axis_title.substr(0, unit_begin(axis_title)) + " = " + across_value(axis_title, value);
}

std::string across_value(const std::string& axis_title, double value) {
  const std::size_t begin = unit_begin(axis_title);
  if (begin == std::string::npos) return number_label(value);
  return number_label(value) + " " + axis_title.substr(begin + 2, axis_title.size() - begin - 3);
}

}  // namespace heed::report
