// SPDX-License-Identifier: MIT
// What a study's table holds of its participants at a setting. Rows belong to a setting if they equal all its values.
#pragma once

#include <data/study.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::evaluate {

// [k] of participants[k]: the mean of a measure over the rows at a setting; nothing where there is none.
struct MeasuredParticipants {
  std::vector<std::string> participants{};  // in order of appearance in the whole table
  std::vector<std::optional<double>> values{};
};
[[nodiscard]] MeasuredParticipants measured(const ResultTable& results, const NamedValues& setting,
                                            const std::string& measure);

// The same of rows that are known, for whoever asks often.
struct TableParticipants {
  std::vector<std::string> names{};
  std::vector<std::size_t> of_row{};  // number of the participant
};
[[nodiscard]] TableParticipants participants_in(const ResultTable& results);
[[nodiscard]] std::vector<std::size_t> rows_at(const ResultTable& results, const NamedValues& setting);
[[nodiscard]] MeasuredParticipants measured(const ResultTable& results, const TableParticipants& participants,
                                            std::span<const std::size_t> rows, const std::string& measure);

// The numbers that an axis has in the rows at a setting, rising.
[[nodiscard]] std::vector<double> places_along(const ResultTable& results, const NamedValues& setting,
                                               const std::string& along);

}  // namespace heed::evaluate
