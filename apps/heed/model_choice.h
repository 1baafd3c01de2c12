// SPDX-License-Identifier: MIT
// Which model `heed track` uses: given, fitted to labels of others or of the scores themselves, or learnt without.
#pragma once

#include <heed/data/error.h>
#include <heed/pipeline/model_fit.h>
#include <io/text_file.h>

#include <optional>
#include <string>
#include <vector>

#include "model_options.h"

namespace heed::app {

struct ModelFlags {
  EmissionFlags emission;
  std::vector<std::string> fit_from;
};

// What the model is for. Refers to the caller's data.
struct ToTrack {
  const std::string& file;
  const ScoredParticipant& participant;
  const hmm::Chain& chain;
};

// `model` is the one of --model. Notes say what was chosen for the user and what is doubtful about it.
pipeline::FittedModel choose_model(const ModelFlags& flags, const std::optional<Model>& model, const ToTrack& scores,
                                   pipeline::Notes& notes);

// Errors of work on the scores name their file.
template <typename Work>
auto naming(const std::string& file, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw error.within(io::input_name(file));
  }
}

}  // namespace heed::app
