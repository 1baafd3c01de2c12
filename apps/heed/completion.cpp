// SPDX-License-Identifier: MIT
// `heed completion bash|zsh|fish`: a completion script written from the command line's own description.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_tree.h"
#include "verbs.h"

namespace heed::app {
namespace {

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(command)) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What may follow a command: its verbs, else its options.
std::string words_after(const CLI::App& command) {
  std::string words;
  for (const CLI::App* verb : verbs_below(command)) words += verb->get_name() + " ";
  for (const std::string& option : long_options(command)) words += option + " ";
  if (!words.empty()) words.pop_back();
  return words;
}

// One function for bash and, through bashcompinit, zsh: finds the longest verb typed, then offers its words or files.
std::string bash_script(const CLI::App& program) {
  std::string cases;
  for (const CommandNode& node : all_commands(program)) {
    cases += fmt::format("    \"{}\") words=\"{}\" ;;\n", node.words, words_after(*node.app));
  }
  return R"(_heed() {
  local current="${COMP_WORDS[COMP_CWORD]}" command="heed" words="" word next
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="$command $word"
    case "$next" in
)" +
         [&] {
           std::string verbs;
           for (const CommandNode& node : all_commands(program)) {
             if (node.app != &program) verbs += fmt::format("      \"{}\") command=\"$next\" ;;\n", node.words);
           }
           return verbs;
         }() +
         R"(    esac
  done
  case "$command" in
)" + cases +
         R"(  esac
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
  if [[ "$current" != -* ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _heed heed
)";
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
      if (*shell == "fish") {
        fmt::print("{}", fish_script(program));
      } else {
        fmt::print("{}{}", *shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "",
                   bash_script(program));
      }
      return 0;
    };
  });
}

}  // namespace heed::app
