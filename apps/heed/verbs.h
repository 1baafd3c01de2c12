// SPDX-License-Identifier: MIT
// The verbs of the program: each adds itself to the command line and leaves what is to be done in `chosen`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

// In the order of the help. A new verb is a file that defines its add_NAME, and its name here.
#define HEED_VERBS(verb)                                                                                         \
  verb(track) verb(evaluate) verb(compare) verb(mesd) verb(simulate) verb(info) verb(validate) verb(convert)     \
      verb(preprocess) verb(population) verb(train) verb(score) verb(rescore) verb(live) verb(export) verb(bids) \
          verb(reproduce) verb(study) verb(report) verb(doctor) verb(help) verb(manual) verb(completion)

namespace heed::app {

// Set by the verb that was typed; gives the exit code. Runs after the whole line has been parsed.
using Chosen = std::function<int()>;

#define HEED_DECLARE_VERB(name) void add_##name(CLI::App& program, Chosen& chosen);
HEED_VERBS(HEED_DECLARE_VERB)

// Below `heed simulate`.
void add_simulate_recording(CLI::App& simulate, Chosen& chosen);

}  // namespace heed::app
