// SPDX-License-Identifier: MIT
// Options of `heed live` for its page and its demonstration, and the browser that shows it.
#pragma once

#include <heed/data/units.h>
#include <live/page/live_page.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
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

// Says where the page is, and opens it in a browser where a demonstration wants one; nullptr: no page is asked for.
[[nodiscard]] std::unique_ptr<live::LivePage> open_page(const PageFlags& flags);

}  // namespace heed::app
