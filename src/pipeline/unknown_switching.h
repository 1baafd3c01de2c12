// SPDX-License-Identifier: MIT
// Listeners whose switch probability nobody knows (hmm/bank.h): what goes with it, what is told of it, and what was
// found, as JSON.
#pragma once

#include <heed/pipeline/model_choice.h>

#include <string>

namespace heed::pipeline {

// What can be fitted while the switch probability is unknown: no temperature, which would fit p instead, and p itself
// only by the bank. Throws invalid_argument.
void check_unknown_switching(const EmissionChoice& emission, const ChainChoice& chain);
// Says at which p an emission is learnt without labels.
void note_unknown_switching(const EmissionChoice& emission, const ChainChoice& chain, Notes& notes);

// Tells which values of a bank so many speakers leave out.
void note_left_out(const hmm::Bank& bank, Notes& notes);

// What was found, as JSON: the values of p per second and per window, the seconds between switches that each means, how
// probable each is, and all of it in words.
[[nodiscard]] std::string switching_json(const SwitchPosterior& posterior);

}  // namespace heed::pipeline
