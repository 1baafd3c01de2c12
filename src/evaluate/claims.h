// SPDX-License-Identifier: MIT
// Do results show what was claimed? Means over participants at the settings of a claim, the same participants compared
// by Wilcoxon's test where two settings are.
#pragma once

#include <data/study.h>
#include <heed/evaluate/summary.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::evaluate {

struct ClaimVerdict {
  std::optional<bool> holds{};  // nothing: the results do not tell (no such rows, or no values)
  std::string evidence{};  // for people: "97.3 % against 94.0 %, p = 0.008", "rank correlation with the axis -1.00"
};

// `results` is the table the claim is about: "tracking", of independence "lags". Rows belong to a setting if they equal
// all its values; rows of one participant are averaged. Greater: a difference that is not significant (p >= .05) does
// not tell; of other listeners the means decide. Rises and falls: the last mean lies beyond the first, and
// Spearman's rank correlation of means and axis is at least .7 in that direction.
[[nodiscard]] ClaimVerdict judge(const Claim& claim, const ResultTable& results);

// [k] of participants[k]: the mean of a measure over the rows at a setting; nothing where there is none.
struct MeasuredParticipants {
  std::vector<std::string> participants{};  // in order of appearance in the whole table
  std::vector<std::optional<double>> values{};
};
[[nodiscard]] MeasuredParticipants measured(const ResultTable& results, const NamedValues& setting,
                                            const std::string& measure);

}  // namespace heed::evaluate
