// SPDX-License-Identifier: MIT
// Many studies on one page: a headline table of ours beside the published numbers, then a section a study with its
// figures, tables, and whether what was claimed holds here. One HTML file that loads nothing: scripts and uPlot are in
// it, traces can be zoomed, and without scripts or on paper there are the same figures, still.
#pragma once

#include <data/study.h>
#include <heed/report/drawing.h>
#include <report/page/page.h>

#include <string>
#include <vector>

namespace heed::report {

struct StudyReport {
  std::string title{};
  std::string cohort{};                // in words: "13 simulated listeners, two speakers, 4 trials of 10 min"
  bool simulated = false;              // then every figure says so
  std::vector<StudyResult> studies{};  // those with an obstacle are listed with it
  Notes notes{};
  std::vector<Fact> facts{};  // seed, participants, switches ...
  Provenance provenance{};
};

struct NamedDrawing {
  std::string name{};  // of the study, and what it shows where it has several: "switch_probability_trade_off"
  Drawing drawing{};
};

struct StudyPages {
  std::string html{};
  std::vector<NamedDrawing> figures{};  // those of the page; it links to figures/NAME.svg
  std::vector<NamedTable> tables{};     // their data; it links to tables/NAME.tsv
};

// Throws not_found for results without the columns their study's figure names.
[[nodiscard]] StudyPages study_pages(const StudyReport& report);

}  // namespace heed::report
