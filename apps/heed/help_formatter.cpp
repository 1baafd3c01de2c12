// SPDX-License-Identifier: MIT
#include "help_formatter.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "command_tree.h"

namespace heed::app {
namespace {

constexpr std::size_t column = 30;
constexpr std::size_t width = 80;

// The name in the left column, the description wrapped in the right one.
std::string two_columns(const std::string& left, const std::string& right) {
  std::string text = "  " + left;
  std::string line;
  if (text.size() + 2 <= column) {
    line = text + std::string(column - text.size(), ' ');
    text.clear();
  } else {
    text += "\n";
    line = std::string(column, ' ');
  }
  std::istringstream words(right);
  for (std::string word; words >> word;) {
    const bool first = line.size() == column;
    if (!first && line.size() + 1 + word.size() > width) {
      text += line + "\n";
      line = std::string(column, ' ') + word;
    } else {
      line += (first ? "" : " ") + word;
    }
  }
  return text + line + "\n";
}

bool too_many(const std::vector<std::string>& choices) {
  constexpr std::size_t beside_the_name = 50;
  return fmt::format("{}", fmt::join(choices, "|")).size() > beside_the_name;
}

// CLI11 writes "TEXT:{linear,exact}" and "INT:INT in [1 - 17]"; people read "linear|exact" and "NUMBER".
std::string value_name(const CLI::Option& option) {
  const auto choices = choices_of(option);
  if (too_many(choices)) return "NAME";
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  const std::string type = option.get_type_name();
  const std::string plain = type.substr(0, type.find(':'));
  return plain == "FLOAT" || plain == "INT" || plain == "UINT" ? "NUMBER" : plain;
}

}  // namespace

HelpFormatter::HelpFormatter() {
  label("Positionals", "Input");
  label("SUBCOMMAND", "VERB");
}

std::string value_of(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  std::string fallback = option.get_default_str();
  // CLI11 writes lists in brackets.
  if (fallback.starts_with('[') && fallback.ends_with(']')) fallback = fallback.substr(1, fallback.size() - 2);
  return value_name(option) + (fallback.empty() ? "" : ", default " + fallback);
}

std::string description_of(const CLI::Option& option) {
  const auto choices = choices_of(option);
  if (!too_many(choices)) return option.get_description();
  return fmt::format("{}. One of {}", option.get_description(), fmt::join(choices, ", "));
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return two_columns(make_option_name(option, is_positional) + make_option_opts(option), description_of(*option));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const std::string value = value_of(*option);
  return value.empty() ? "" : " " + value;
}

// CLI11 leaves two empty lines between groups.
std::string HelpFormatter::make_help(const CLI::App* verb, std::string name, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(verb, std::move(name), mode);
  constexpr std::string_view gap = "\n\n\n";
  for (auto at = text.find(gap); at != std::string::npos; at = text.find(gap, at)) text.erase(at, 1);
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
  return two_columns(verb->get_name(), verb->get_description());
}

}  // namespace heed::app
