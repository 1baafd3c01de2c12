// SPDX-License-Identifier: MIT
// How long attention stays, drawn in the same way for scores and for recordings.
#pragma once

#include <heed/data/random.h>
#include <heed/data/scored.h>

#include <string>

namespace heed::sim {

// Throws invalid_argument with this message.
void require(bool condition, const std::string& message);

// Throws invalid_argument unless both ends are positive, in order and, where they differ, whole seconds.
void check_interval(const SwitchInterval& interval);

Seconds draw_interval(const SwitchInterval& interval, RandomStream& random);

}  // namespace heed::sim
