// SPDX-License-Identifier: MIT
#include "command_tree.h"

#include <data/text.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace heed::app {
namespace {

void walk(const CLI::App& command, const std::string& words, std::vector<CommandNode>& nodes) {
  nodes.push_back({words, &command});
  for (const CLI::App* verb : verbs_below(command)) walk(*verb, words + " " + verb->get_name(), nodes);
}

}  // namespace

std::vector<CommandNode> all_commands(const CLI::App& program) {
  std::vector<CommandNode> nodes;
  walk(program, program.get_name(), nodes);
  return nodes;
}

std::vector<const CLI::App*> verbs_below(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option*) { return true; });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// CLI11 keeps them in the name of the type only: "TEXT:{linear,exact}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  if (open == std::string::npos) return {};
  std::istringstream listed(type.substr(open + 1, type.rfind('}') - open - 1));
  std::vector<std::string> choices;
  for (std::string choice; std::getline(listed, choice, ',');) choices.push_back(choice);
  return choices;
}

std::string typed_command(const CLI::App& verb) {
  const std::array<std::string_view, 4> without_effect{"--threads", "--n_cpus", "--cache", "--no-cache"};
  std::string text = "heed " + verb.get_name();
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0 || std::ranges::find(without_effect, option->get_name()) != without_effect.end()) continue;
    if (!option->get_positional()) text += " " + option->get_name();
    if (option->get_expected_max() == 0) continue;  // a flag
    for (const std::string& value : option->results()) text += " " + data::shell_word(value);
  }
  return text;
}

}  // namespace heed::app
