// SPDX-License-Identifier: MIT
// What figures of studies say of their values, under the mouse and to those who cannot see them. What is NaN is not
// there.
#pragma once

#include <report/study/plotted_values.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heed::report {

[[nodiscard]] std::optional<double> known(const std::optional<double>& value);
// Of those that are not NaN.
[[nodiscard]] std::vector<ParticipantValue> known(const std::vector<ParticipantValue>& participants);
[[nodiscard]] std::optional<evaluate::Quartiles> known(const std::optional<evaluate::Quartiles>& middle_half);

// "accuracy (%)"
[[nodiscard]] std::string measure_title(const MeasureAxis& measure);
// "94.0 %"
[[nodiscard]] std::string value_text(const MeasureAxis& measure, double value);
// "1 participant", "8 participants"
[[nodiscard]] std::string participant_count(std::size_t participants);
// "mean accuracy 94.0 %, middle half 91.2 to 97.0 %, 8 participants"; there must be a mean.
[[nodiscard]] std::string mean_text(const MeasureAxis& measure, const PlottedValues& values);
// "middle half of accuracy 91.2 to 97.0 %"
[[nodiscard]] std::string middle_half_text(const MeasureAxis& measure, const evaluate::Quartiles& middle_half);
// "accuracy 89.0 % (Table II)"
[[nodiscard]] std::string published_text(const MeasureAxis& measure, const PublishedMark& mark);

// "window length = 5 s" of an axis "window length (s)", "p = 0.001" of one without a unit.
[[nodiscard]] std::string across_text(const std::string& axis_title, double value);
// "5 s", "0.001"
[[nodiscard]] std::string across_value(const std::string& axis_title, double value);

}  // namespace heed::report
