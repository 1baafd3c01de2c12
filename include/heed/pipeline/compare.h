// SPDX-License-Identifier: MIT
// The paper's comparison (its Table II) for anybody's scores: every method on every participant, the
// emission fitted to the others, mean and SD over participants, Wilcoxon against the first method.
#pragma once

#include <heed/data/scored.h>
#include <heed/evaluate/participant_metrics.h>
#include <heed/evaluate/summary.h>
#include <heed/pipeline/artificial_switches.h>
#include <heed/pipeline/chain_choice.h>
#include <heed/pipeline/emission_choice.h>
#include <heed/pipeline/method_choice.h>
#include <heed/track/method.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

struct CompareOptions {
  std::vector<track::Method> methods{};  // empty: all that can be; the first is what the others are tested against
  track::MethodOptions method{};         // gain states not given: for each participant by the others
  ChainChoice chain{};
  EmissionChoice emission{};
  bool join = false;                             // a participant's trials end to end, before they are cut
  std::optional<Seconds> trial{};                // cut trials of this length; nothing: as recorded
  std::optional<SwitchInterval> switch_every{};  // artificial switches; nothing: as recorded
  int repeats = 1;                               // draws of random intervals, averaged; fixed intervals need one
  std::uint64_t seed = 1;
};

// How far probabilities are from what comes true.
struct CalibrationErrors {
  std::optional<double> brier{};
  std::optional<double> expected{};  // ECE
};

struct ParticipantResult {
  std::string id{};
  evaluate::ParticipantMetrics metrics{};
  CalibrationErrors calibration{};
  std::optional<CalibrationErrors> uncalibrated{};  // without the temperature, where one was fitted and is used
  std::optional<double> chance_bound{};             // an accuracy a guesser exceeds in 5 % of such recordings
  std::optional<int> gain_states{};                 // of the Markov chain; nothing for the other methods
};

struct MethodResult {
  track::Method method = track::Method::raw;
  std::vector<ParticipantResult> participants{};
  evaluate::Summary accuracy{};
  evaluate::Summary switch_time{};
  CalibrationErrors calibration{};  // means over participants
  std::optional<CalibrationErrors> uncalibrated{};
  double missed = 0;  // switches never noticed, over all participants
  double switches = 0;
  std::optional<evaluate::Wilcoxon> accuracy_test{};  // against the first method; nothing for itself
  std::optional<evaluate::Wilcoxon> switch_time_test{};
};

struct Comparison {
  std::vector<MethodResult> methods{};
  std::size_t speakers = 0;
  Seconds window{1};
  double chance = 0;  // 1 / speakers
  Notes notes{};
  std::vector<double> temperatures{};                     // [k] of participant k's emission; 1: not calibrated
  std::vector<std::optional<double>> lag_correlations{};  // [k-1] at lag k, as recorded (emission/independence.h)
};

// Called now and then with the work done and all there is.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// Participants must agree in speakers, window length and score type. Throws bad_data where a
// participant has no label, since then nothing can be measured, and unsupported for a method asked for by name
// that their scores do not allow.
[[nodiscard]] Comparison compare(std::span<const ScoredParticipant> participants, const CompareOptions& options,
                                 const Progress& progress = {});

}  // namespace heed::pipeline
