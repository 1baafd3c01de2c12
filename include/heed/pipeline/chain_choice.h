// SPDX-License-Identifier: MIT
// How a user says which Markov chain to use, and the chain that comes of it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <heed/hmm/chain.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// How the default switch probability, .001 for one second, grows with the window.
enum class SwitchScaling {
  linear,  // .001 tau, the paper's
  exact,   // what tau steps of the one-second chain amount to
};

struct ChainChoice {
  std::optional<double> switch_probability{};  // per window and per target speaker; higher is quicker and less steady
  SwitchScaling scaling = SwitchScaling::linear;
  std::optional<Matrix> transition{};  // row = from; instead of the sticky chain
  std::string transition_file{};       // where it came from, named in errors
  std::vector<double> initial{};       // empty: uniform
};

// Throws invalid_argument or bad_data where the choice makes no chain for so many speakers.
[[nodiscard]] hmm::Chain make_chain(const ChainChoice& choice, Index speakers, Seconds window);

}  // namespace heed::pipeline
