// SPDX-License-Identifier: MIT
// `heed bids`: a BIDS App. What its two levels share.
#pragma once

#include <string>
#include <vector>

#include "decoding/decoder_options.h"

namespace heed::app {

struct BidsFlags {
  std::string dataset;
  std::string output;
  std::string level;
  std::vector<std::string> participants;
  std::vector<std::string> sessions;
  std::vector<std::string> tasks;
  std::size_t threads = 0;
  std::string work;  // empty: the common cache
  bool skip_validation = false;
  double window = 1;
  std::string switch_every;  // group level
  SignalFlags signals;
  DecoderFlags decoder;
  std::string command;  // as it was typed, for the foot of pages
};

[[nodiscard]] io::RunSelection selection(const BidsFlags& flags);

// Both give the exit code.
int run_participant_level(const BidsFlags& flags);
int run_group_level(const BidsFlags& flags);

}  // namespace heed::app
