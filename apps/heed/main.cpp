// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "exit_code.h"
#include "help_formatter.h"
#include "suggestion.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* main_examples = R"(Examples:
  heed simulate scores --participants 13 --seed 1 -o cohort     simulate scores with known attention
  heed compare cohort                                           which method follows attention best
  heed track sub-01_scores.tsv --method smooth -o sub-01_posterior.tsv
  heed evaluate sub-01_posterior.tsv                            how well did it follow

'heed help VERB' explains a verb.)";

// Always one line: a file's name may hold a line end.
int say(int code, std::string message) {
  std::ranges::replace(message, '\n', ' ');
  tell("heed: {}\n", message);
  return code;
}

int finish(int code) {
  flush_output();
  return code;
}

int parse_failure(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return finish(program.exit(error));  // --help, --version
  return say(exit_usage,
             fmt::format("{} ('{} --help' shows how)", complaint(program, error), typed_verb(program).words));
}

// CLI11 would take the default for an option given as "" or --option=.
bool lacks_value(std::string_view word) { return word.empty() || (word.starts_with("--") && word.ends_with('=')); }

int run(int argc, char** argv) {
  CLI::App program{"heed works out which speaker a listener is attending to, from EEG", "heed"};
  Chosen chosen;
  program.formatter(std::make_shared<HelpFormatter>());  // verbs inherit it
  program.set_help_flag("-h,--help", "Print this help");
  program.set_version_flag("--version", "heed " + std::string(version()), "Print the version");
  program.require_subcommand(1);
  program.group("Verbs");  // verbs inherit it
  program.footer(main_examples);
#define HEED_ADD_VERB(name) add_##name(program, chosen);
  HEED_VERBS(HEED_ADD_VERB)
  const std::span words(argv + 1, static_cast<std::size_t>(argc - 1));
  if (words.empty()) {
    tell("{}", program.help());
    return exit_usage;
  }
  if (std::ranges::any_of(words, lacks_value)) {
    return say(exit_usage, "a word of the command line is empty; is a shell variable unset?");
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parse_failure(program, error);
  }
  return finish(chosen());
}

// Destructors and exit handlers of libraries allocate, too. Where there is no memory for them the process ends at once,
// but by a sentence and an exit code; the next run removes what it leaves.
std::atomic<bool> memory_ran_out = false;

void remember_shortage() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

[[noreturn]] void end_out_of_memory() noexcept {
  (void)std::fflush(stdout);
  tell_text("heed: out of memory\n");  // nothing is allocated for it
  std::_Exit(exit_unavailable);
}

[[noreturn]] void end_by_exception() {
  if (memory_ran_out) end_out_of_memory();
  std::abort();
}

// Matrices of ten megabytes come and go by the hundred. Pages that are given back are cleared when they are wanted
// again, which was a fifth of a score's time. So much at the end of the heap is kept instead.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int megabyte = 1 << 20;
  (void)::mallopt(M_MMAP_THRESHOLD, 32 * megabyte);  // the most it takes; else the next line makes it 128 kB
  (void)::mallopt(M_TRIM_THRESHOLD, 128 * megabyte);
#endif
}

}  // namespace
}  // namespace heed::app

int main(int argc, char** argv) {
  using namespace heed::app;
  open_standard_streams();
  keep_freed_memory();
  std::set_new_handler(remember_shortage);
  std::set_terminate(end_by_exception);
  // Past a limit on file sizes a write then fails as on a full disk, with a message and nothing left behind.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const heed::Error& error) {
    return say(exit_code(error.kind()), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return say(exit_io, error.what());
  } catch (const std::system_error& error) {  // of fmt::print
    return say(exit_io, std::string("standard output: ") + error.what() + "; is the disk full?");
  } catch (const std::bad_alloc&) {
    end_out_of_memory();
  } catch (const std::exception& error) {
    return say(exit_software, std::string("internal error: ") + error.what());
  }
}
