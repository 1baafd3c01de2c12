// SPDX-License-Identifier: MIT
// What cohorts with EEG share: one participant decoded in all the ways that are wanted, the EEG prepared once for those
// that need the same signals.
#pragma once

#include <pipeline/preparation/preparation.h>
#include <pipeline/scoring/lender.h>
#include <study/cohorts/cohort_lender.h>
#include <study/cohorts/study_cohort.h>

#include <functional>

namespace heed::study {

// Where a participant's signals come from.
struct SignalSource {
  // Called once for each of ways_of(wanted), in that order: all decodings of the same signals share them.
  std::function<pipeline::PreparedParticipant(const Preprocessing&)> prepare{};
  // Who lends to the participant; called for recipes with a population where there are enough other listeners.
  std::function<const pipeline::Lender&(const pipeline::DecoderChoice&, Lending)> lender{};
  std::function<std::vector<pipeline::TrialSource>()> sources{};  // of the participant's trials; called with the lender
  std::size_t others = 0;                                         // listeners of the cohort beside the participant
};

// A decoding that cannot be learnt from these trials says why; so does one whose longest windows are too few. A recipe
// with a population does without where fewer than pipeline::fewest_others listeners heard other sounds than a test
// plays, and says so: as everywhere.
[[nodiscard]] std::vector<DecodedScores> decode_wanted(std::span<const ScoresWanted> wanted,
                                                       const SignalSource& signals);

// The ways signals are wanted in, each once.
[[nodiscard]] std::vector<Preprocessing> ways_of(std::span<const ScoresWanted> wanted);

// As the paper has it, but for what a setting names.
[[nodiscard]] pipeline::DecoderChoice choice_of(const Decoding& decoding);

// Why a decoding cannot be had from EEG: CSP tells left from right.
[[nodiscard]] std::optional<std::string> decoding_obstacle(const Decoding& decoding);

}  // namespace heed::study
