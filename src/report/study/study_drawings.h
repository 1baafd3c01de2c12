// SPDX-License-Identifier: MIT
// The figures of a study from its results, each wide for screens and paper and narrow for telephones.
#pragma once

#include <data/study.h>
#include <evaluate/frontier.h>
#include <heed/report/drawing.h>

#include <string>
#include <vector>

namespace heed::report {

struct StudyDrawing {
  std::string name{};   // of its files
  std::string table{};  // of the results it shows: "tracking"
  Drawing wide{};
  Drawing narrow{};
  std::string caption{};
};

struct StudyDrawings {
  std::vector<StudyDrawing> drawings{};  // in the order they are shown
  std::vector<std::string> missing{};    // why others could not be drawn: results that hold no value for them
};

// The stamp goes onto each of them. Throws not_found for results without the table or the columns that the study's
// figure names.
[[nodiscard]] StudyDrawings draw_study(const StudyResult& result, const std::string& stamp);

// Measures of the study that have a value, of those its figure shows.
[[nodiscard]] std::vector<std::string> shown_measures(const StudyResult& result);

// The time a frontier is over: windows of different lengths decide at their ends.
inline constexpr const char* frontier_time = "decided_time";
// All settings of a series, as the points of its frontier.
[[nodiscard]] evaluate::OperatingPoints frontier_points(const StudyResult& result, const NamedValues& series);

// Columns that tell the settings of its tables apart: series, then what is across.
[[nodiscard]] std::vector<std::string> setting_columns(const StudyResult& result);

}  // namespace heed::report
