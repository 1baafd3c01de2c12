// SPDX-License-Identifier: MIT
// Speech that is played again and again within a trial, found by its contents: whoever cuts such a trial into folds
// by time would train on the very speech that is held out.
#pragma once

#include <heed/data/trial.h>

#include <optional>

namespace heed::decode {

// After how many samples all speakers say the same again; nothing if they do not, or only after less than 4 s or more
// than half of the trial.
[[nodiscard]] std::optional<Index> repetition_of(const Trial& trial);

}  // namespace heed::decode
