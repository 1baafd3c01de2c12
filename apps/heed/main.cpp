// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "exit_code.h"
#include "help_formatter.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* examples = R"(Examples:
  heed simulate scores --participants 13 --seed 1 -o cohort     make scores with known attention
  heed compare cohort                                           which method follows attention best
  heed track sub-01_scores.tsv --method smooth -o sub-01_posterior.tsv
  heed evaluate sub-01_posterior.tsv                            how well did it follow

'heed help VERB' tells more about a verb.)";

// What was typed up to the verb, for the line that sends the user to its help.
std::string verb_of(const CLI::App& program) {
  std::string words = "heed";
  const CLI::App* at = &program;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    words += " " + at->get_name();
  }
  return words;
}

int say(int code, const std::string& message) {
  fmt::print(stderr, "heed: {}\n", message);
  return code;
}

int parse_failure(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
  return say(exit_usage, fmt::format("{} ('{} --help' shows how)", error.what(), verb_of(program)));
}

int run(int argc, char** argv) {
  CLI::App program{"heed decides who a listener is listening to, from EEG", "heed"};
  Chosen chosen;
  program.formatter(std::make_shared<HelpFormatter>());  // verbs inherit it
  program.set_help_flag("-h,--help", "Print this help");
  program.set_version_flag("--version", "heed " + std::string(version()), "Print the version");
  program.require_subcommand(1);
  program.footer(examples);
  add_track(program, chosen);
  add_evaluate(program, chosen);
  add_compare(program, chosen);
  add_simulate(program, chosen);
  add_doctor(program, chosen);
  add_help(program, chosen);
  add_manual(program, chosen);
  add_completion(program, chosen);
  if (argc == 1) {
    fmt::print("{}", program.help());
    return exit_usage;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parse_failure(program, error);
  }
  const int code = chosen();
  // A full disk behind a redirected stdout must not look like success.
  if (std::fflush(stdout) != 0) return say(exit_io, "writing the output failed; is the disk full?");
  return code;
}

}  // namespace
}  // namespace heed::app

int main(int argc, char** argv) {
  using namespace heed::app;
  try {
    return run(argc, argv);
  } catch (const heed::Error& error) {
    return say(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return say(exit_unavailable, "out of memory");
  } catch (const std::exception& error) {
    return say(exit_software, std::string("internal error: ") + error.what());
  }
}
