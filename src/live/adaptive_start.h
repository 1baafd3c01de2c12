// SPDX-License-Identifier: MIT
// What a session without a calibration starts from: a population, what was kept of the listener, or nothing
// (docs/adaptation.md).
#pragma once

#include <heed/live/session.h>
#include <heed/pipeline/population.h>
#include <pipeline/scoring/lender.h>

#include <optional>
#include <string>

namespace heed::live {

struct AdaptiveStartRequest {
  // Of the signals; what is not said is the population's, but filters are causal unless others are asked for.
  pipeline::DecoderRequest decoder{};
  pipeline::PopulationRequest population{};  // nothing is given: from nothing
  std::string listener{};                    // whose entries in the population are not used
  // Of a recording: whoever heard a trial's sounds does not lend to it. Of a folder, or of trials that are there.
  std::optional<pipeline::FolderRequest> replayed{};
  std::optional<pipeline::PriorRequest> heard{};
  std::optional<LearntListener> learnt{};  // of the same listener, in a session before
  Seconds window{1};
  bool learn = true;
};

// How signals will be prepared: to be known before a source is opened. Throws invalid_argument for a decoder that
// cannot learn.
[[nodiscard]] Preprocessing adaptive_signals(const AdaptiveStartRequest& request);

// For the channels of this stream. Throws bad_data where the population, or what was learnt, is of other channels;
// invalid_argument where it is of other signals or windows.
[[nodiscard]] AdaptiveSession adaptive_session(const StreamDescription& stream, const AdaptiveStartRequest& request,
                                               Notes& notes);
// The same for signals that are prepared already.
[[nodiscard]] AdaptiveSession adaptive_session(const std::vector<std::string>& channels,
                                               const AdaptiveStartRequest& request, Notes& notes);

// What such a decoder has learnt since it started from there, to be kept.
[[nodiscard]] LearntListener learnt_listener(const AdaptiveSession& session, const decode::AdaptiveDecoder& decoder,
                                             Seconds window);

}  // namespace heed::live
