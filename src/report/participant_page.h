// SPDX-License-Identifier: MIT
// The page of one participant: how well attention was decoded, whether the data can be trusted, and what the
// decoder listens to.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <heed/report/drawing.h>
#include <report/page.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// What one tracker reached; accuracy within [0, 1], switch time in seconds. Nothing: it does not exist.
struct TrackerResult {
  std::string method{};
  std::optional<double> accuracy{};
  std::optional<double> switch_time{};
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
  std::optional<double> accuracy{};  // nothing: who was attended is not known
  Index windows = 0;                 // labelled ones
  double chance = 0.5;
  std::optional<double> bound{};
  std::optional<double> p_value{};
};

struct AlignmentResult {
  Drawing drawing{};      // draw_alignment
  std::string verdict{};  // one sentence, with the likely offset if there is one
  // False makes the verdict a warning; nothing: it cannot be told.
  std::optional<bool> in_step = true;
};

struct ParticipantPage {
  std::string id{};       // "01": shown as sub-01
  std::string dataset{};  // name of the dataset
  std::string decoder{};  // in words, e.g. "least squares, ridge 0.1, leave-one-run-out"
  Seconds window{1};
  std::vector<std::string> speakers{};
  RawAccuracy raw{};
  std::vector<TrackerResult> trackers{};  // all runs together
  std::vector<RunResult> runs{};
  std::optional<AlignmentResult> alignment{};
  std::optional<Drawing> topography{};  // draw_topography
  std::vector<Drawing> attention{};     // draw_attention
  std::vector<std::string> warnings{};  // shown first
  std::vector<std::string> notes{};     // shown last
  Provenance provenance{};
};

// HTML. Throws invalid_argument if runs differ in their trackers.
[[nodiscard]] std::string participant_page(const ParticipantPage& page);

}  // namespace heed::report
