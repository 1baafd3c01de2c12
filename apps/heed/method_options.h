// SPDX-License-Identifier: MIT
// Options of the methods themselves, the same for every verb that tracks.
#pragma once

#include <heed/track/method.h>

#include <CLI/CLI.hpp>
#include <optional>

namespace heed::app {

struct MethodFlags {
  double lag = track::MethodOptions{}.lag.value;
  std::optional<int> gain_states;
  double gain_step = track::MethodOptions{}.gain_step;
  bool state_space_compatible = false;
};

void add_method_flags(CLI::App& verb, MethodFlags& flags);

track::MethodOptions method_options(const MethodFlags& flags);

}  // namespace heed::app
