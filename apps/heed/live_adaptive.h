// SPDX-License-Identifier: MIT
// Options of `heed live` for a decoder that learns while it listens.
#pragma once

#include <heed/io/bids_dataset.h>
#include <heed/live/session.h>
#include <live/adaptive_start.h>
#include <live/address.h>

#include <optional>
#include <string>

#include "eeg/folder_verbs.h"

namespace heed::app {

// --adapt: on, off, or the half-life of a tracking model in seconds.
struct AdaptFlags {
  std::string word;  // empty: not said
  [[nodiscard]] bool is_off() const { return word == "off"; }
  [[nodiscard]] bool is_on() const { return word == "on"; }
  // Nothing: on, off, or not said. Throws invalid_argument for another word.
  [[nodiscard]] std::optional<double> half_life() const;
};

// What such a session is to start from; nothing: the decoder is another one. Reads the population, and `kept` where it
// is there from a session before. Throws invalid_argument for options that do not go together.
struct AdaptiveRequestParts {
  const AdaptFlags& adapt;
  const PopulationFlags& population;
  const pipeline::DecoderRequest& decoder;
  const io::RunSelection& selection;
  const std::string& kept;  // file of --save-decoder
  Seconds window;
  bool other_decoder;   // a model or scores of somebody else
  bool tracking_model;  // --tracking
};
[[nodiscard]] std::optional<live::AdaptiveStartRequest> adaptive_request(const AdaptiveRequestParts& parts,
                                                                         const live::Address& address);

// "starts from 8 listeners of pop.json", "starts from nothing"
[[nodiscard]] std::string start_words(const live::AdaptiveStartRequest& request);

}  // namespace heed::app
