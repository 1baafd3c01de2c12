// SPDX-License-Identifier: MIT
// What decoding a participant gave, scores in several window lengths, as the text of a tidy table and back, to the bit.
#pragma once

#include <study/cohorts/study_cohort.h>

#include <string>
#include <string_view>

namespace heed::study {

// Of scores that are not empty.
[[nodiscard]] std::string text_of_scores(const DecodedScores& decoded);

// Throws bad_data for a text that text_of_scores() did not make.
[[nodiscard]] DecodedScores parse_scores(std::string_view text, const std::string& id);

}  // namespace heed::study
