// SPDX-License-Identifier: MIT
// What a user who mistyped a word may have meant, and complaints about the command line in heed's own words.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

// Of verbs directly below a command, and of all options of it with their dashes.
std::vector<std::string> verb_names(const CLI::App& command);
std::vector<std::string> option_names(const CLI::App& command);

// ", did you mean 'track'?" for the nearest of the known words; empty where none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

// What is wrong with the line, for people. Names the verb's option and a value that would do where a value was
// refused, and what may have been meant by an unknown word.
std::string complaint(const CLI::App& program, const CLI::ParseError& error);

// The verb typed, as far as it was understood, and its words: "heed simulate scores".
struct TypedVerb {
  const CLI::App* verb;
  std::string words;
};
TypedVerb typed_verb(const CLI::App& program);

}  // namespace heed::app
