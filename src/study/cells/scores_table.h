// SPDX-License-Identifier: MIT
// A participant's scores in several window lengths as one tidy table, and back, to the bit.
#pragma once

#include <data/result_table.h>
#include <heed/data/scored.h>

#include <span>
#include <string>
#include <vector>

namespace heed::study {

[[nodiscard]] ResultTable scores_table(std::span<const ScoredParticipant> lengths);

// Throws bad_data or not_found for a table that scores_table() did not make.
[[nodiscard]] std::vector<ScoredParticipant> scores_of_table(const ResultTable& table, const std::string& id);

}  // namespace heed::study
