// SPDX-License-Identifier: MIT
// `heed help [VERB ...]`
#include <fmt/format.h>
#include <heed/data/error.h>

#include <memory>
#include <string>
#include <vector>

#include "suggestion.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* help_examples = R"(Examples:
  heed help                     all verbs
  heed help track               one verb, with its options and examples
  heed help simulate scores)";

const CLI::App& find_verb(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* at = &program;
  for (const std::string& word : words) {
    const auto verbs = at->get_subcommands([&](const CLI::App* verb) { return verb->get_name() == word; });
    if (verbs.empty()) {
      throw Error(ErrorKind::invalid_argument,
                  "no verb '" + word + "'" + did_you_mean(word, verb_names(*at)) + "; 'heed --help' lists them");
    }
    at = verbs.front();
  }
  return *at;
}

// Not App::help(), which of a program with a verb chosen tells only of that verb.
std::string help_of(const CLI::App& command, const std::string& words) {
  return command.get_formatter()->make_help(&command, words, CLI::AppFormatMode::Normal);
}

std::string prefix_of(const std::vector<std::string>& words) {
  std::string prefix = "heed";
  for (std::size_t k = 0; k + 1 < words.size(); ++k) prefix += " " + words[k];
  return prefix;
}

}  // namespace

void add_help(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("help", "Explain a verb, with examples");
  verb->footer(help_examples);
  auto words = std::make_shared<std::vector<std::string>>();
  verb->add_option("verb", *words, "The verb, e.g. 'track' or 'simulate scores'");
  verb->callback([&program, &chosen, words] {
    chosen = [&program, words] {
      const CLI::App& wanted = find_verb(program, *words);
      fmt::print("{}", help_of(wanted, words->empty() ? "heed" : prefix_of(*words) + " " + wanted.get_name()));
      return 0;
    };
  });
}

}  // namespace heed::app
