// SPDX-License-Identifier: MIT
// Help that fits a terminal of 80 columns, in heed's words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace heed::app {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_help(const CLI::App* verb, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
};

// "SECONDS, default 5" or "" for a switch.
std::string value_of(const CLI::Option& option);

// The description, with the choices where there are too many to stand beside the option's name.
std::string description_of(const CLI::Option& option);

}  // namespace heed::app
