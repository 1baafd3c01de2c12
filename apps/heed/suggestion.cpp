// SPDX-License-Identifier: MIT
#include "suggestion.h"

#include <data/text.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "command_tree.h"

namespace heed::app {
namespace {

// A value that would do, for options without a default.
std::string example_of(const CLI::Option& option) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> examples{{{"switch-probability", "0.001"},
                                                                                    {"initial", "0.5,0.5"},
                                                                                    {"mu-attended", "0.12"},
                                                                                    {"mu-unattended", "0.04"},
                                                                                    {"sigma", "0.3"},
                                                                                    {"class-priors", "0.5,0.5"},
                                                                                    {"accuracy", "0.6"},
                                                                                    {"components", "2"},
                                                                                    {"mixture-seed", "1"},
                                                                                    {"gain-states", "17"},
                                                                                    {"trial", "600"}}};
  if (!option.get_default_str().empty()) return option.get_default_str();
  const std::string& name = option.get_single_name();
  const auto* found = std::ranges::find(examples, name, &std::pair<std::string_view, std::string_view>::first);
  return found != examples.end() ? std::string(found->second) : "";
}

// The option a complaint of CLI11 is about.
const CLI::Option* option_in(const CLI::App& verb, const std::string& message) {
  const CLI::Option* longest = nullptr;
  for (const CLI::Option* option : options_of(verb)) {
    const bool named = message.find(option->get_name()) != std::string::npos;
    if (named && (longest == nullptr || option->get_name().size() > longest->get_name().size())) longest = option;
  }
  return longest;
}

bool is_number(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value);
}

// "Value abc not in range 1 to 17" of CLI11; the limits, where they are worth telling.
std::string limits_in(const std::string& message) {
  const std::string_view words = "not in range ";
  const std::size_t at = message.find(words);
  const std::size_t to = message.find(" to ", at == std::string::npos ? 0 : at);
  if (at == std::string::npos || to == std::string::npos) return "";
  const double low = std::strtod(message.c_str() + at + words.size(), nullptr);
  const double high = std::strtod(message.c_str() + to + 4, nullptr);
  return high < 1e300 ? fmt::format("must lie between {:g} and {:g}", low, high)
                      : fmt::format("must be above {:g}", low);
}

// "--recipe: heeed not in {paper,heed}" of CLI11: the words that would do.
std::vector<std::string> choices_in(const std::string& message) {
  const std::string_view words = " not in {";
  const std::size_t at = message.find(words);
  if (at == std::string::npos || !message.ends_with('}')) return {};
  const std::size_t start = at + words.size();
  return CLI::detail::split(message.substr(start, message.size() - start - 1), ',');
}

std::string without(std::string text, std::string_view ending) {
  if (text.ends_with(ending)) text.resize(text.size() - ending.size());
  return text;
}

std::string with_example(const CLI::Option& option, const std::string& problem) {
  const std::string example = example_of(option);
  return problem + (example.empty() ? "" : fmt::format("; write e.g. {} {}", option.get_name(), example));
}

// "--lag: 1 required FLOAT missing" of CLI11.
std::string about_missing_value(const CLI::App& verb, const CLI::ParseError& error) {
  const CLI::Option* option = option_in(verb, error.what());
  const bool value_is_missing = std::string_view(error.what()).ends_with("missing");
  if (option == nullptr || !value_is_missing) return error.what();
  return with_example(*option, option->get_name() + " needs a value");
}

// A word that is not among those to choose from, a value that is no number, or one beyond the limits of its option.
std::string about_value(const CLI::App& verb, const CLI::ParseError& error) {
  const CLI::Option* option = option_in(verb, error.what());
  const std::string limits = limits_in(error.what());
  if (const auto choices = choices_in(error.what()); option != nullptr && !choices.empty()) {
    const auto is_choice = [&](const std::string& word) { return std::ranges::find(choices, word) != choices.end(); };
    const auto wrong = std::ranges::find_if_not(option->results(), is_choice);
    const std::string word = wrong == option->results().end() ? "" : *wrong;
    return fmt::format("{}: '{}' is not one of ({}){}", option->get_name(), word, fmt::join(choices, ", "),
                       did_you_mean(word, choices));
  }
  const bool conversion = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ConversionError);
  if (option == nullptr || (!conversion && limits.empty())) return error.what();
  const std::string given = fmt::format("{}", fmt::join(option->results(), " "));
  const std::string fault = limits.empty() || !is_number(given) ? "is not a number" : limits;
  return with_example(*option, fmt::format("{}: '{}' {}", option->get_name(), given, fault));
}

std::string about_unknown(const CLI::App& verb, const std::string& word, bool verb_is_missing) {
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    return "no option '" + name + "'" + did_you_mean(name, option_names(verb));
  }
  if (verb_is_missing) return "no verb '" + word + "'" + did_you_mean(word, verb_names(verb));
  // 'heed study rum plan': a folder of a verb's name has been taken for the verb, the verb for a word too many.
  const CLI::App* above = verb.get_parent();
  const std::string meant = above == nullptr ? "" : did_you_mean(word, verb_names(*above));
  if (!meant.empty()) return "no verb '" + word + "'" + meant;
  return "'" + word + "' is not expected here: nothing more can be given to this verb";
}

}  // namespace

std::vector<std::string> verb_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_below(command)) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(command)) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  return data::did_you_mean(word, words);
}

TypedVerb typed_verb(const CLI::App& program) {
  TypedVerb result{&program, "heed"};
  while (!result.verb->get_subcommands().empty()) {
    result.verb = result.verb->get_subcommands().front();
    result.words += " " + result.verb->get_name();
  }
  return result;
}

// CLI11 says what is missing first; a user who mistyped a word wants to hear of that word.
std::string complaint(const CLI::App& program, const CLI::ParseError& error) {
  const auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  const CLI::App& verb = *typed_verb(program).verb;
  if (is(CLI::ExitCodes::ConversionError) || is(CLI::ExitCodes::ValidationError)) return about_value(verb, error);
  if (is(CLI::ExitCodes::ArgumentMismatch)) return about_missing_value(verb, error);
  if (!is(CLI::ExitCodes::RequiredError) && !is(CLI::ExitCodes::ExtrasError)) return error.what();
  const bool verb_is_missing = verb.get_require_subcommand_min() > 0;
  const std::vector<std::string> unknown = program.remaining(true);
  if (unknown.empty() && verb_is_missing) return "a verb is missing";
  if (unknown.empty()) return without(error.what(), " is required") + " is missing";
  return about_unknown(verb, unknown.front(), verb_is_missing);
}

}  // namespace heed::app
