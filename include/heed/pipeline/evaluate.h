// SPDX-License-Identifier: MIT
// How well posteriors follow the attention that is known, all that `heed evaluate` and heed.evaluate say; and how well
// windows of each length are decided, with what a gain control could make of it at best: heed mesd and heed.mesd.
#pragma once

#include <heed/data/note.h>
#include <heed/data/scored.h>
#include <heed/evaluate/calibration.h>
#include <heed/evaluate/chance.h>
#include <heed/evaluate/gains.h>
#include <heed/evaluate/mesd.h>
#include <heed/evaluate/summary.h>
#include <heed/evaluate/switch_metric.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/model_choice.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

struct EvaluateRequest {
  std::span<const TrackedParticipant> participants{};
  // What the posteriors were made from tells whether windows are independent; empty: that is not asked.
  std::span<const ScoredParticipant> scores{};
  std::vector<evaluate::GainOptions> gains{};  // maps from posteriors to gains whose worth is asked for
};

struct EvaluatedParticipant {
  std::string id{};
  std::size_t speakers = 0;
  evaluate::ParticipantMetrics metrics{};
  evaluate::Calibration calibration{};       // of no window where decisions alone are known
  std::vector<evaluate::GainWorth> gains{};  // of each map that was asked for

  // An accuracy a guesser exceeds in 5 % of such recordings.
  [[nodiscard]] std::optional<double> chance_bound() const;
};

struct Evaluation {
  std::vector<EvaluatedParticipant> participants{};
  evaluate::Summary accuracy{};
  evaluate::Summary switch_time{};
  std::vector<std::string> gain_maps{};                   // in words: 2dB/nat
  std::vector<std::optional<double>> lag_correlations{};  // [k-1] at lag k; empty: not asked for
  // How many times over the scores' evidence counts (emission/evidence_scale.h), and in words; nothing: as above.
  std::optional<double> evidence_scale{};
  std::string evidence_words{};
  Notes notes{};  // of scores that depend on each other, and of posteriors that claim too much
};

// Trials without posteriors have decisions alone: there is nothing to calibrate then. Throws bad_data for a participant
// without a labelled window, and for scores of somebody who was not tracked.
[[nodiscard]] Evaluation evaluate_posteriors(const EvaluateRequest& request);

// As JSON (docs/formats.md). What does not exist is null; names that are not UTF-8 have such bytes replaced.
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);
// Of participants[k].
[[nodiscard]] std::string participant_json(const Evaluation& evaluation, std::size_t k);

struct MesdRequest {
  std::span<const io::WindowedScores> participants{};  // each in several window lengths, the shortest first
  evaluate::GainChainOptions options{};
  Interruption interruption{};
};

// Windows of one length.
struct DecidedWindows {
  Seconds window{};
  evaluate::DecisionCounts counts{};
  std::optional<double> chance_bound{};  // an accuracy a guesser exceeds in 5 % of such recordings
};

struct SwitchDurations {
  std::string id{};
  std::size_t speakers = 0;
  std::vector<DecidedWindows> curve{};
  std::optional<evaluate::Mesd> mesd{};  // nothing where the curve gives none
};

struct MesdResult {
  std::vector<SwitchDurations> participants{};
  evaluate::Summary mesd{};  // over those who have one, in seconds
  Notes notes{};             // who has none, and why
};

// Throws bad_data for a length without a labelled window, and where nobody's curve gives an MESD.
[[nodiscard]] MesdResult measure_mesd(const MesdRequest& request);

[[nodiscard]] std::string switch_durations_json(const MesdResult& result);
// window, accuracy, states and target beside the MESD itself.
[[nodiscard]] std::string mesd_json(const evaluate::Mesd& mesd);

}  // namespace heed::pipeline
