// SPDX-License-Identifier: MIT
// `heed manual [VERB ...]`: a manual page in roff, written from the command line's own description.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_tree.h"
#include "help_formatter.h"
#include "verbs.h"

namespace heed::app {
namespace {

// roff takes a leading dot or quote for a request, a backslash for an escape and '-' for a hyphen.
std::string roff(std::string_view text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_start = c == '\n';
  }
  return result;
}

std::string page_name(std::string_view words) {
  std::string name(words);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string option_head(const CLI::Option& option) {
  const std::string value = value_of(option);
  return option.get_name(true, true) + (value.empty() ? "" : " " + value);
}

std::string options_section(const CLI::App& command) {
  std::string text = ".SH OPTIONS\n";
  for (const CLI::Option* option : options_of(command)) {
    text += fmt::format(".TP\n.B {}\n{}\n", roff(option_head(*option)), roff(description_of(*option)));
  }
  return text;
}

std::string verbs_section(const CommandNode& node) {
  const auto verbs = verbs_below(*node.app);
  if (verbs.empty()) return "";
  std::string text = ".SH VERBS\n";
  for (const CLI::App* verb : verbs) {
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page_name(node.words + " " + verb->get_name())),
                        roff(verb->get_description()));
  }
  return text;
}

std::string page(const CommandNode& node) {
  const std::string name = page_name(node.words);
  std::string text = fmt::format(".TH {} 1 \"\" \"heed {}\" \"heed manual\"\n", roff(name), version());
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(node.app->get_description()));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n[OPTIONS]{}\n", roff(node.words),
                      verbs_below(*node.app).empty() ? "" : " VERB");
  text += options_section(*node.app) + verbs_section(node);
  if (!node.app->get_footer().empty()) text += ".SH EXAMPLES\n.nf\n" + roff(node.app->get_footer()) + "\n.fi\n";
  text +=
      ".SH EXIT STATUS\n0 success, 1 some participants failed, 2 usage, 65 bad data, 66 no input,\n"
      "69 unavailable, 73 cannot create output, 74 input or output failed.\n";
  return text;
}

}  // namespace

void add_manual(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("manual", "Print the manual page of a verb, in roff");
  verb->footer("Examples:\n  heed manual track | man -l -\n  heed manual simulate scores > heed-simulate-scores.1");
  auto words = std::make_shared<std::vector<std::string>>();
  auto list = std::make_shared<bool>(false);
  verb->add_option("verb", *words, "The verb; without one, the program");
  verb->add_flag("--list", *list, "List the names of all pages");
  verb->callback([&program, &chosen, words, list] {
    chosen = [&program, words, list] {
      std::string wanted = "heed";
      for (const std::string& word : *words) wanted += " " + word;
      const auto nodes = all_commands(program);
      if (*list) {
        for (const CommandNode& node : nodes) fmt::print("{}\n", node.words);
        return 0;
      }
      const auto found = std::ranges::find(nodes, wanted, &CommandNode::words);
      if (found == nodes.end())
        throw Error(ErrorKind::invalid_argument, "no verb '" + wanted + "'; 'heed manual --list' lists them");
      fmt::print("{}", page(*found));
      return 0;
    };
  });
}

}  // namespace heed::app
