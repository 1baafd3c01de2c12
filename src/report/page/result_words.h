// SPDX-License-Identifier: MIT
// Numbers in words and cells, the same on every page.
#pragma once

#include <heed/data/units.h>
#include <heed/evaluate/summary.h>
#include <report/page.h>
#include <report/participant_page.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// "62.5 %"
[[nodiscard]] std::string per_cent(double share);
// "p = 0.012", "p < 0.001"; in a table without the letter
[[nodiscard]] std::string p_words(double p);
[[nodiscard]] Cell p_cell(const std::optional<double>& p);
// "72.1 ± 5.3", the mean alone for one value; every number times the factor
[[nodiscard]] Cell mean_cell(const evaluate::Summary& summary, double factor);
// "3 runs", "1 run"
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);
[[nodiscard]] std::string participant_name(const std::string& id);  // "sub-01", from "01" or "sub-01"
[[nodiscard]] std::string seconds_words(Seconds time);              // "1 s", "0.25 s"

// What the raw accuracy means: better than guessing, or not, or not known.
[[nodiscard]] Note chance_note(const RawAccuracy& raw, Seconds window);

// Text as notes of one tone, in order.
void append_notes(Section& section, const std::vector<std::string>& texts, Tone tone);

}  // namespace heed::report
