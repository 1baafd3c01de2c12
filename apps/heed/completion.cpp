// SPDX-License-Identifier: MIT
// `heed completion bash|zsh|fish`: a completion script written from the command line's own description.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_tree.h"
#include "verbs.h"

namespace heed::app {
namespace {

// What may follow a command: its verbs and options, and the words its input is chosen from.
std::string words_after(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* verb : verbs_below(command)) words.push_back(verb->get_name());
  for (const CLI::Option* option : options_of(command)) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    if (!option->get_positional()) continue;
    std::ranges::copy(choices_of(*option), std::back_inserter(words));
    if (option->get_single_name() != "verb") continue;
    for (const CLI::App* verb : verbs_below(*command.get_parent())) words.push_back(verb->get_name());
  }
  return fmt::format("{}", fmt::join(words, " "));
}

// A case for each option whose value is one of a few words.
std::string value_cases(const std::vector<CommandNode>& nodes) {
  std::string cases;
  for (const CommandNode& node : nodes) {
    for (const CLI::Option* option : options_of(*node.app)) {
      const auto choices = choices_of(*option);
      if (choices.empty() || option->get_positional()) continue;
      cases += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", node.words, "--" + option->get_single_name(),
                           fmt::join(choices, " "));
    }
  }
  return cases;
}

// One function for bash and, through bashcompinit, zsh: finds the longest verb typed, then offers its words or files.
std::string bash_script(const CLI::App& program) {
  const auto nodes = all_commands(program);
  std::string verbs;
  std::string words;
  for (const CommandNode& node : nodes) {
    if (node.app != &program) verbs += fmt::format("      \"{}\") command=\"$next\" ;;\n", node.words);
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", node.words, words_after(*node.app));
  }
  return R"(_heed() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="heed" words="" word next
  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    next="$command $word"
    case "$next" in
)" + verbs +
         R"(    esac
  done
  COMPREPLY=()
  case "$command $previous" in
)" + value_cases(nodes) +
         R"(  esac
  if [[ -n "$words" ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
    return
  fi
  case "$command" in
)" + words +
         R"(  esac
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
  if [[ "$current" != -* ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _heed heed
)";
}

// Works sourced, and as the file _heed of a folder that zsh loads functions from, where the first call has to complete
// as well.
std::string zsh_script(const CLI::App& program) {
  return "#compdef heed\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script(program) +
         "if [[ \"${funcstack[1]}\" == _heed ]]; then _bash_complete -o filenames -F _heed; fi\n";
}

std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish_script(const CLI::App& program) {
  std::string script = "# completion of heed for fish\n";
  for (const CommandNode& node : all_commands(program)) {
    const bool top = node.app == &program;
    const std::string when = top ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + node.app->get_name();
    for (const CLI::App* verb : verbs_below(*node.app)) {
      script += fmt::format("complete -c heed -n {} -a {} -d {}\n", fish_quoted(when), verb->get_name(),
                            fish_quoted(verb->get_description()));
    }
    for (const CLI::Option* option : options_of(*node.app)) {
      for (const std::string& name : option->get_lnames()) {
        script += fmt::format("complete -c heed -n {} -l {}{} -d {}\n", fish_quoted(when), name,
                              takes_value(*option) ? " -r" : "", fish_quoted(option->get_description()));
      }
    }
  }
  return script;
}

}  // namespace

void add_completion(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("completion", "Print a completion script for a shell");
  verb->footer(
      "Examples:\n  heed completion bash > ~/.local/share/bash-completion/completions/heed\n"
      "  heed completion fish > ~/.config/fish/completions/heed.fish");
  auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb->callback([&program, &chosen, shell] {
    chosen = [&program, shell] {
      const auto script = *shell == "fish" ? fish_script : *shell == "zsh" ? zsh_script : bash_script;
      fmt::print("{}", script(program));
      return 0;
    };
  });
}

}  // namespace heed::app
