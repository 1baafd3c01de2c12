// SPDX-License-Identifier: MIT
#include "live_page.h"

#include <fcntl.h>
#include <heed/data/error.h>
#include <spawn.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <mutex>
#include <utility>

#include "terminal.h"

namespace heed::app {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

std::optional<int> port_of(const PageFlags& flags) {
  if (flags.port.empty()) return std::nullopt;
  int port = 0;
  const char* end = flags.port.data() + flags.port.size();
  const auto [stop, failure] = std::from_chars(flags.port.data(), end, port);
  if (failure != std::errc{} || stop != end || port < 0 || port > 65535) {
    refuse("--page " + flags.port +
           ": not a port; give a number from 0 (any that is free) to 65535, or put --page after the source");
  }
  return port;
}

// False: there is no program that opens addresses, and the visitor does it.
bool opened_in_browser(const std::string& url) {
  std::string program = "xdg-open";
  std::string address = url;
  std::array<char*, 3> arguments{program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t actions{};
  (void)::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    (void)::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t process = 0;
  const int problem = ::posix_spawnp(&process, "xdg-open", &actions, nullptr, arguments.data(), environ);
  (void)::posix_spawn_file_actions_destroy(&actions);
  return problem == 0;
}

// What a visitor asked for, until the session that is running has ended.
class WantedSetup {
 public:
  void ask(const live::DemoSetup& setup) {
    const std::lock_guard lock(mutex_);
    setup_ = setup;
  }
  [[nodiscard]] std::optional<live::DemoSetup> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(setup_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<live::DemoSetup> setup_{};
};

}  // namespace

void add_page_flags(CLI::App& verb, PageFlags& flags) {
  const auto* group = "Page";
  verb.add_option_function<std::string>(
          "--page",
          [&flags](const std::string& port) {
            flags.page = true;
            flags.port = port;
          },
          "Show the session in a browser, at http://127.0.0.1:PORT (4333, or another that is free)")
      ->expected(0, 1)
      ->trigger_on_parse()
      ->type_name("[PORT]")
      ->group(group);
  verb.add_option("--listen", flags.listen,
                  "Let other machines see the page: an IP address of this machine, or 0.0.0.0 for all of them; "
                  "viewers need the token in the address that is printed")
      ->type_name("ADDRESS")
      ->group(group);
  verb.add_flag("--demo", flags.demo,
                "A simulated listener between two talkers, on the page; no source and no decoder are needed")
      ->group(group);
  verb.add_option("--talkers", flags.talkers, "demo: a sound file for each of two or three talkers")
      ->type_name("FILE")
      ->expected(2, 3)
      ->group(group);
  verb.add_option("--seconds", flags.seconds, "demo: end after this many seconds")
      ->check(CLI::PositiveNumber)
      ->group(group);
  verb.add_flag("--no-browser", flags.no_browser, "demo: do not open the page")->group(group);
}

void check_page_flags(const PageFlags& flags, const std::string& source) {
  (void)port_of(flags);
  if (!flags.demo && source.empty()) refuse("a live session needs a source, such as simulated: or lsl:NAME, or --demo");
  if (flags.demo && !source.empty()) refuse("--demo brings its own source; leave " + source + " out");
  if (!flags.demo && (!flags.talkers.empty() || flags.seconds || flags.no_browser)) {
    refuse("--talkers, --seconds and --no-browser need --demo");
  }
  if (!flags.listen.empty() && !flags.page && !flags.demo) refuse("--listen needs --page");
}

std::unique_ptr<live::LivePage> open_page(const PageFlags& flags) {
  if (!flags.page && !flags.demo) return nullptr;
  live::PageOptions options{.port = port_of(flags)};
  if (!flags.listen.empty()) options.address = flags.listen;
  return std::make_unique<live::LivePage>(options);
}

void announce_page(const PageFlags& flags, const live::LivePage& page) {
  tell("The page is at {}\n", page.url());
  if (flags.listen == "0.0.0.0" || flags.listen == "::") {
    tell("From another machine, write this machine's address instead of 127.0.0.1.\n");
  }
  if (flags.demo && !flags.no_browser && !opened_in_browser(page.url())) tell("Open it in a browser.\n");
}

PageWatch::PageWatch(const PageView& view, live::Source& source, live::Session& session, live::ParameterDesk& desk,
                     const live::RunReport& report, live::SinkList& sinks)
    : page_(view.page), source_(source) {
  if (page_ == nullptr) return;
  overheard_ = page_->listening(source);
  const live::ShownSession shown{session, *overheard_, report, desk, view.speed, view.demo};
  page_->show(shown);
  sinks.add(page_->sink(shown));
}

PageWatch::~PageWatch() {
  if (page_ != nullptr) page_->hide();
}

live::DemoOptions demo_options(const PageFlags& flags, const decode::WindowLayout& window) {
  decode::check_layout(window);
  live::DemoOptions options{.window = window};
  if (!flags.talkers.empty()) {
    const std::vector<std::filesystem::path> files(flags.talkers.begin(), flags.talkers.end());
    options.talkers = live::demo_talkers(files);
    options.setup.talkers = static_cast<int>(files.size());
  }
  if (flags.seconds) options.duration = Seconds{*flags.seconds};
  return options;
}

int show_demo(live::DemoOptions options, bool kept, const PlayDemo& play) {
  const bool fixed = kept || options.duration;  // a time that was given is of one session
  for (std::optional<live::DemoSetup> setup = options.setup; setup;) {
    options.setup = *setup;
    live::DemoStage stage = live::make_demo_stage(options);
    live::SimulatedListener& listener = *stage.source;
    WantedSetup wanted;
    live::DemoControls controls{.setup = options.setup,
                                .attend = [&](Speaker speaker) { listener.attend(speaker); },
                                .lose_eeg = [&] { listener.lose_eeg({10}); },
                                .own_sounds = !options.talkers.empty()};
    if (!fixed) {
      controls.change = [&](const live::DemoSetup& asked) {
        wanted.ask(asked);
        listener.end();
      };
    }
    if (!play(stage, controls)) break;
    setup = wanted.take();
  }
  return 0;
}

}  // namespace heed::app
