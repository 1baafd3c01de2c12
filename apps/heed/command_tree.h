// SPDX-License-Identifier: MIT
// The program's own verbs and options, walked: manual pages and completion come from here, so that
// they cannot drift from what the program takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace heed::app {

struct CommandNode {
  std::string words;  // "heed simulate scores"
  const CLI::App* app;
};

// The program and every verb below it, parents first.
std::vector<CommandNode> all_commands(const CLI::App& program);

// Verbs directly below a command.
std::vector<const CLI::App*> verbs_below(const CLI::App& command);

// Options in the order of the help, positional ones too.
std::vector<const CLI::Option*> options_of(const CLI::App& command);

// Takes a value, so it is not a mere switch.
bool takes_value(const CLI::Option& option);

// The values there are to choose from; empty where any will do.
std::vector<std::string> choices_of(const CLI::Option& option);

// What was typed, option by option; defaults are left out, and so is what changes no result (--threads, --cache ...).
std::string typed_command(const CLI::App& verb);

}  // namespace heed::app
