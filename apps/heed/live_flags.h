// SPDX-License-Identifier: MIT
// Options of `heed live`, but for those of its page and its cables.
#pragma once

#include <heed/evaluate/gains.h>
#include <heed/live/steering.h>

#include <optional>
#include <string>
#include <vector>

#include "eeg/folder_verbs.h"
#include "live_adaptive.h"
#include "live_cables.h"
#include "live_page.h"
#include "model_options.h"

namespace heed::app {

struct LiveFlags {
  std::string source;
  std::vector<std::string> outputs;
  std::string decoder_file;
  std::string tracking_file;
  std::string speed = "1";
  std::string record;
  io::RunSelection selection;
  std::optional<double> window;
  std::optional<double> hop;
  std::optional<double> step;
  std::optional<double> calibrate;
  std::string calibrate_by = "label-free";
  std::vector<std::string> attention_markers;
  std::string save_decoder;
  pipeline::DecoderRequest decoder{.kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal};
  PopulationFlags population;
  double lag = 0;
  AdaptFlags adapt;
  ChainFlags chain;
  std::string map = evaluate::map_word({});
  live::SteeringOptions steering;
  std::vector<std::string> sounds;
  double audio_offset = 0;
  std::string marker;
  double rail = 200'000;
  int digits = 6;
  bool scores = false;
  bool json = false;
  bool dry_run = false;
  PageFlags page;
  CableFlags cables;
};

void add_live_flags(CLI::App& verb, LiveFlags& flags);

// Throws invalid_argument for options that do not go together.
void check_live_flags(const LiveFlags& flags);

}  // namespace heed::app
