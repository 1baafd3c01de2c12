// SPDX-License-Identifier: MIT
// The verbs of the program: each adds itself to the command line and leaves what is to be done in `chosen`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace heed::app {

// Set by the verb that was typed; gives the exit code. Runs after the whole line has been parsed.
using Chosen = std::function<int()>;

void add_track(CLI::App& program, Chosen& chosen);
void add_evaluate(CLI::App& program, Chosen& chosen);
void add_compare(CLI::App& program, Chosen& chosen);
void add_mesd(CLI::App& program, Chosen& chosen);
void add_simulate(CLI::App& program, Chosen& chosen);
void add_info(CLI::App& program, Chosen& chosen);
void add_validate(CLI::App& program, Chosen& chosen);
void add_convert(CLI::App& program, Chosen& chosen);
void add_preprocess(CLI::App& program, Chosen& chosen);
void add_population(CLI::App& program, Chosen& chosen);
void add_train(CLI::App& program, Chosen& chosen);
void add_score(CLI::App& program, Chosen& chosen);
void add_rescore(CLI::App& program, Chosen& chosen);
void add_bids(CLI::App& program, Chosen& chosen);
void add_reproduce(CLI::App& program, Chosen& chosen);
void add_study(CLI::App& program, Chosen& chosen);
void add_report(CLI::App& program, Chosen& chosen);
void add_doctor(CLI::App& program, Chosen& chosen);
void add_help(CLI::App& program, Chosen& chosen);
void add_manual(CLI::App& program, Chosen& chosen);
void add_completion(CLI::App& program, Chosen& chosen);

}  // namespace heed::app
