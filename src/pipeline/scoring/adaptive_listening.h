// SPDX-License-Identifier: MIT
// Trials heard one after the other by a decoder that learns while it listens (docs/adaptation.md): every window is
// scored by a decoder that has not seen it, with the bits of a live session. And how such a decoder fares on each
// listener of a population, whom it knows from the others alone.
#pragma once

#include <heed/data/scored.h>
#include <heed/decode/adaptive_decoder.h>
#include <pipeline/scoring/lender.h>

#include <span>
#include <vector>

namespace heed::pipeline {

// What an adaptive decoder of a choice is like; the same offline and live.
struct AdaptiveSetup {
  LagRange lags{};
  decode::AdaptationOptions options{};
};
// `seconds`: of listening that a population counts as; nothing: the usual. Throws invalid_argument for a choice that
// cannot learn while it listens: not least squares, several targets, not the shrunk cosine, no fixed ridge.
[[nodiscard]] AdaptiveSetup adaptive_setup(const DecoderChoice& choice, Seconds window, std::optional<double> seconds);

struct AdaptiveListening {
  ScoredParticipant scores{};
  std::vector<ScoredParticipant> rivals{};        // by the scorer's rivals
  std::vector<LogLikelihoods> log_likelihoods{};  // [trial], as they were when the window was scored
  decode::LearningState learnt{};                 // at the end
};

// In the order of the trials. starts: one per trial; empty: from nothing. rivals: as AdaptiveScorer has them. Throws
// bad_data for one speaker, and where trials differ in channels or speakers.
[[nodiscard]] AdaptiveListening listen(const ParticipantTrials& participant, Seconds window, const AdaptiveSetup& setup,
                                       std::span<const LentStart> starts, std::span<const double> rivals = {});
// The same by a scorer that leans on the first start already; before every other trial it leans on that one's, the last
// serving all that follow.
[[nodiscard]] AdaptiveListening listen(const ParticipantTrials& participant, Seconds window,
                                       decode::AdaptiveScorer& scorer, std::span<const decode::AdaptiveStart> starts);

// For the channels and speakers of the first trial. Throws as listen() does.
[[nodiscard]] decode::AdaptiveScorer::Shape scorer_shape(const ParticipantTrials& participant, LagRange lags,
                                                         Seconds window);

// What the others lend for each of these trials: never from who heard its sounds. Throws as lend_start().
[[nodiscard]] std::vector<LentStart> starts_for(const ListenerPrior& prior, std::span<const Trial> trials,
                                                const decode::DecoderLags& lags);

// The numbers of seconds of listening that a population is tried as.
[[nodiscard]] std::vector<double> seconds_to_try();

// How one listener of a population fares by what the others know: with their decoder as it is, and with those that
// learn from there, one for each number of seconds. Trials without labels are passed over; nothing: all are. `sources`
// are of all the listener's trials. Throws as lend_start() and listen().
[[nodiscard]] std::optional<AdaptationTrial> adaptation_trial(ParticipantTrials trials,
                                                              std::vector<TrialSource> sources,
                                                              const Population& population,
                                                              const PopulationOptions& options,
                                                              std::span<const double> seconds);
// Says of whom that could not be done, and why.
[[nodiscard]] Note not_tried(const std::string& listener, const Error& why);

// Every participant of the folder, whose entries are in the population, with the seconds that those before them were
// tried with. A listener for whom nobody is left, or who cannot be scored, is left out with a note; so is one who could
// not be summed up. Throws where one who was summed up cannot be read any more.
void try_adaptation(const OpenFolder& folder, std::span<const ParticipantOutcome> summed_up,
                    const PopulationOptions& options, Population& population, heed::Notes& notes);

}  // namespace heed::pipeline
