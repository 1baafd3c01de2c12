// SPDX-License-Identifier: MIT
// The table "trace" as the picture of one switch, and as the data that the page's script draws whole trials from.
#pragma once

#include <data/result_table.h>
#include <report/study/figures.h>

#include <string>
#include <vector>

namespace heed::report {

// One trial of one participant, all methods over the same windows.
struct TracedTrial {
  std::string name{};                  // "sub-07, trial 1"
  std::vector<double> onsets{};        // seconds
  double window = 1;                   // seconds
  std::vector<Speaker> attended{};     // one per window
  std::vector<MethodTrace> methods{};  // named in words
};

struct TracedTrials {
  std::vector<std::string> speakers{};
  std::vector<TracedTrial> trials{};
};

// Throws not_found for missing columns, bad_data where methods differ in their windows.
[[nodiscard]] TracedTrials read_traces(const ResultTable& table);

// From one minute before the first switch to a minute and a half after it, or until all methods have detected it; the
// first minutes where there is no switch.
[[nodiscard]] SwitchPicture switch_picture(const TracedTrials& traces);

// {"stamp": ..., "speakers": [...], "trials": [{"name", "time" (middles, s), "window", "attended" (speakers, -1:
// unknown), "methods": [{"name", "beliefs": [[a speaker's posteriors in ten thousandths, null: missing]]}]}]}
[[nodiscard]] std::string trace_json(const TracedTrials& traces, const std::string& stamp);

}  // namespace heed::report
