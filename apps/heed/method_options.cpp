// SPDX-License-Identifier: MIT
#include "method_options.h"

#include "model_options.h"

namespace heed::app {

void add_method_flags(CLI::App& verb, MethodFlags& flags) {
  const auto* group = "Method";
  verb.add_option("--lag", flags.lag, "fixed-lag: seconds of the future each decision waits for")
      ->check(refuse_negative)
      ->capture_default_str()
      ->group(group);
  verb.add_option("--gain-states", flags.gain_states,
                  "markov-chain: number of gains between two speakers; more waver less and follow later (default: by "
                  "how well windows of other listeners are decided, else 17)")
      ->check(CLI::Range(2, 1000000))
      ->group(group);
  verb.add_option("--gain-step", flags.gain_step,
                  "probabilistic-gain: what a window that is sure moves the gain by; larger follows sooner and wavers "
                  "more")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--state-space-compatible", flags.state_space_compatible,
                "state-space: last smoothed variance 0, as in the published demo")
      ->group(group);
}

track::MethodOptions method_options(const MethodFlags& flags) {
  return {.lag = Seconds{flags.lag},
          .gain_states = flags.gain_states,
          .gain_step = flags.gain_step,
          .state_space = {.compatible = flags.state_space_compatible}};
}

}  // namespace heed::app
