// SPDX-License-Identifier: MIT
// Outcomes, wherever they are kept, become the tables of a study: setting by setting, participants in order.
#pragma once

#include <study/results/outcome.h>
#include <study/setting.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

using OutcomeSource = std::function<std::optional<Outcome>(OutcomePlace)>;  // nothing: missing
// More rows of a table; the first call for a table may have none.
using TableSink = std::function<void(const std::string& table, const ResultTable& rows)>;

struct LeftOut {
  std::string setting{};  // "tracker = viterbi, speakers = 3"
  std::string reason{};
};

// What a setting has of its own, for people.
[[nodiscard]] std::string words_of(const Setting& setting, const Study& study);

// Settings that are left out become notes; or the obstacle, without tables, where nothing of interest is left.
void judge_applicability(StudyResult& result, std::span<const LeftOut> left_out);

struct Assembled {
  Notes notes{};  // none twice
  std::vector<LeftOut> left_out{};
  std::size_t missing = 0;  // outcomes
};

[[nodiscard]] Assembled assemble(const Study& study, const OutcomeGrid& grid, const OutcomeSource& source,
                                 const TableSink& sink);

// The same with the tables in memory, and whether they show anything.
[[nodiscard]] StudyResult assemble_result(const Study& study, const OutcomeGrid& grid, const OutcomeSource& source);

}  // namespace heed::study
