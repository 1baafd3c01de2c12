// SPDX-License-Identifier: MIT
// What a session without a calibration starts from: a population, what was kept of the listener, or nothing
// (docs/adaptation.md).
#pragma once

#include <heed/live/session.h>
#include <heed/pipeline/population.h>

#include <optional>
#include <string>

namespace heed::live {

struct AdaptiveStartRequest {
  pipeline::DecoderRequest decoder{};  // of the signals; what is not said is the population's, but filters are causal
  pipeline::PopulationRequest population{};  // nothing is given: from nothing
  std::string listener{};                    // whose entries in the population are not used
  std::optional<pipeline::FolderRequest>
      replayed{};                          // of a recording: whoever heard a trial's sounds does not lend to it
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

}  // namespace heed::live
