// SPDX-License-Identifier: MIT
// Options of `heed live` for its page and its demonstration, and the browser that shows it.
#pragma once

#include <heed/data/units.h>
#include <heed/decode/window_sums.h>
#include <live/demo.h>
#include <live/page/live_page.h>
#include <live/run.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace heed::app {

struct PageFlags {
  bool page = false;
  std::string port;    // empty: the usual one
  std::string listen;  // empty: the loopback device
  bool demo = false;
  std::vector<std::string> talkers;  // sound files
  std::optional<double> seconds;
  bool no_browser = false;
};

void add_page_flags(CLI::App& verb, PageFlags& flags);

// Throws invalid_argument for options that do not go together.
void check_page_flags(const PageFlags& flags, const std::string& source);

// nullptr: no page is asked for.
[[nodiscard]] std::unique_ptr<live::LivePage> open_page(const PageFlags& flags);
// Says where the page is, and opens it in a browser where a demonstration wants one.
void announce_page(const PageFlags& flags, const live::LivePage& page);

// How a page shows a session.
struct PageView {
  live::LivePage* page = nullptr;  // nullptr: none
  std::optional<double> speed = 1;
  std::optional<live::DemoControls> demo{};
  std::function<void()> announce{};  // once the session is about to begin; empty: it was announced before
};

// The page follows the session for as long as this lives.
class PageWatch {
 public:
  PageWatch(const PageView& view, live::Source& source, live::Session& session, live::ParameterDesk& desk,
            const live::RunReport& report, live::SinkList& sinks);
  ~PageWatch();
  PageWatch(const PageWatch&) = delete;
  PageWatch& operator=(const PageWatch&) = delete;

  [[nodiscard]] live::Source& source() const noexcept { return overheard_ ? *overheard_ : source_; }

 private:
  live::LivePage* page_;
  live::Source& source_;
  std::unique_ptr<live::Source> overheard_;
};

// Throws for talkers that nobody could listen to, as live::demo_talkers, and for windows as decode::check_layout.
[[nodiscard]] live::DemoOptions demo_options(const PageFlags& flags, const decode::WindowLayout& window);

// One session after the other, as visitors change the listener or the number of talkers. kept: the session is kept in
// files, so listener and talkers stay. play: runs a session to its end; false: no other is to follow.
using PlayDemo = std::function<bool(live::DemoStage&, const live::DemoControls&)>;
int show_demo(live::DemoOptions options, bool kept, const PlayDemo& play);

}  // namespace heed::app
