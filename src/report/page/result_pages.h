// SPDX-License-Identifier: MIT
// The pages of `heed bids`: of one participant, how well attention was decoded, whether the data can be trusted and
// what the decoder responds to; of a whole dataset, methods compared over participants. And the words that pages share.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/note.h>
#include <heed/data/units.h>
#include <heed/evaluate/gains.h>
#include <heed/evaluate/summary.h>
#include <heed/report/drawing.h>
#include <report/page/page.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::report {

// What one tracker reached; accuracy within [0, 1], switch time in seconds. Nothing: it does not exist.
struct TrackerResult {
  std::string method{};
  std::optional<double> accuracy{};  // from each noticed switch to the next
  std::optional<double> switch_time{};
  std::optional<double> whole_accuracy{};  // over all windows
};

struct RunResult {
  std::string name{};
  Seconds duration{};
  Index windows = 0;
  std::optional<double> raw_accuracy{};
  std::vector<TrackerResult> trackers{};  // the same methods in the same order in every run
};

// Raw accuracy of a participant, and what a guesser would reach (evaluate::Chance).
struct RawAccuracy {
  std::optional<double> accuracy{};  // nothing: it is unknown who was attended
  Index windows = 0;                 // labelled ones
  double chance = 0.5;
  std::optional<double> bound{};
  std::optional<double> p_value{};
};

// What gains that follow one method are worth: of one participant, or mean and spread over several.
struct GainRow {
  std::string method{};
  evaluate::Summary benefit{};         // dB
  evaluate::Summary wrong_emphasis{};  // dB s per minute
  evaluate::Summary travel{};          // dB per minute
  evaluate::Summary wrong_share{};     // within [0, 1]
};
[[nodiscard]] GainRow gain_row(std::string method, std::span<const evaluate::GainWorth> gains);

struct GainTable {
  std::string map{};  // from posteriors to gains, in words
  std::vector<GainRow> rows{};
};

struct AlignmentResult {
  Drawing drawing{};      // draw_alignment
  std::string verdict{};  // one sentence, with the likely offset if there is one
  // False makes the verdict a warning; nothing: it is unclear.
  std::optional<bool> in_step = true;
};

struct ParticipantPage {
  std::string id{};       // "01": shown as sub-01
  std::string dataset{};  // name of the dataset
  std::string decoder{};  // in words, e.g. "least squares, ridge 0.1, leave-one-run-out"
  std::string windows = "windows of 1 s";
  std::vector<std::string> speakers{};
  RawAccuracy raw{};
  std::vector<TrackerResult> trackers{};  // all runs together
  std::vector<RunResult> runs{};
  GainTable gains{};  // without a row: not shown
  std::optional<AlignmentResult> alignment{};
  std::optional<Drawing> topography{};  // draw_topography
  std::vector<Drawing> attention{};     // draw_attention
  Notes warnings{};                     // shown first
  Notes notes{};                        // shown last
  Provenance provenance{};
};

// HTML. Throws invalid_argument if runs differ in their trackers.
[[nodiscard]] std::string participant_page(const ParticipantPage& page);

// Accuracies within [0, 1], times in seconds.
struct MethodResult {
  std::string method{};
  evaluate::Summary accuracy{};
  evaluate::Summary switch_time{};
  // Wilcoxon's signed-rank test against the reference; nothing for that one, or where it cannot be made.
  std::optional<double> accuracy_p{};
  std::optional<double> switch_time_p{};
  evaluate::Summary whole_accuracy{};
};

struct GroupParticipant {
  std::string id{};                                 // "01": shown as sub-01
  std::string page{};                               // relative address of the participant's page; empty: none
  Index windows = 0;                                // labelled ones
  std::vector<std::optional<double>> accuracies{};  // one per method, in their order
  std::optional<double> chance_bound{};             // of the first method
  std::optional<double> p_value{};
};

struct LeftOut {
  std::string id{};
  std::string reason{};  // with the remedy
};

struct GroupPage {
  std::string dataset{};
  std::string decoder{};  // in words
  std::string windows = "windows of 1 s";
  std::string evidence{};               // the evidence scale in words; empty: it is not known
  double chance = 0.5;                  // accuracy of a guesser
  std::vector<MethodResult> methods{};  // raw first: participants are sorted by it, and the bounds are for it
  std::string reference{};              // the method that p compares with; empty: the first
  GainTable gains{};                    // without a row: not shown
  std::vector<GroupParticipant> participants{};
  std::optional<Drawing> trade_off{};  // draw_trade_off
  std::vector<LeftOut> left_out{};     // failed or missing
  Notes warnings{};
  Notes notes{};
  Provenance provenance{};
};

// HTML. Throws invalid_argument unless every participant has one accuracy per method. Without any accuracy the figure
// of participants is left out.
[[nodiscard]] std::string group_page(const GroupPage& page);

// "0.012", "< 0.001"
[[nodiscard]] TableCell p_cell(const std::optional<double>& p);
[[nodiscard]] std::string participant_name(const std::string& id);  // "sub-01", from "01" or "sub-01"

// As callouts of one tone, in order; what is said of several participants is said once.
void append_notes(Section& section, const Notes& notes, Tone tone);

}  // namespace heed::report
