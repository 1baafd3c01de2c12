// SPDX-License-Identifier: MIT
// How the program writes JSON: what does not exist is null.
#pragma once

#include <heed/data/model.h>
#include <heed/decode/adaptive_decoder.h>
#include <pipeline/unknown_switching.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace heed::app {

template <typename Value>
nlohmann::ordered_json json_value(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_value(const std::optional<SwitchPosterior>& found) {
  return found ? nlohmann::ordered_json::parse(pipeline::switching_json(*found)) : nlohmann::ordered_json(nullptr);
}

// How much an adaptive decoder has learnt; times in seconds of listening, after forgetting.
inline nlohmann::ordered_json json_value(const decode::LearningState& learnt, Seconds window) {
  std::optional<double> guarded;
  if (learnt.guarded) guarded = static_cast<double>(*learnt.guarded) * window.value;
  return {{"labelled", learnt.labelled_windows * window.value},
          {"eeg", learnt.eeg_windows * window.value},
          {"population_share", learnt.population_share},
          {"learning", learnt.learning},
          {"guarded", json_value(guarded)},
          {"decoders", learnt.decoders},
          {"mu_attended", learnt.emission.mu_attended},
          {"mu_unattended", learnt.emission.mu_unattended},
          {"sigma", learnt.emission.sigma_attended}};
}

// The emission's fields of the model file, all the way down, in the spelling of the program's JSON; temperature and
// dependence beside them.
[[nodiscard]] nlohmann::ordered_json parameters_json(const Model& model);

// Indented, with a line end. File names may not be UTF-8: such bytes are replaced rather than refused.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heed::app
