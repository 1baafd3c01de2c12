// SPDX-License-Identifier: MIT
// What people see: tables that line up, warnings, and a progress bar, or lines where there is no terminal.
#pragma once

#include <fmt/format.h>
#include <heed/data/note.h>
#include <heed/data/units.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::app {

// Gives standard input, output and error that the caller closed a place of their own: the next file to be opened would
// be taken for them. What is written to a closed standard output still fails.
void open_standard_streams() noexcept;

// Escape sequences, and characters that turn the direction of text, are spelled out: names in files may hold them, and
// a terminal would obey. So are bytes that are not UTF-8.
std::string visible(std::string_view text);

// What people read on standard output. What other programs read, JSON and scripts, is printed as it is.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("{}", visible(fmt::format(format, std::forward<Values>(values)...)));
}

// What is told while the program works, on stderr. A log that cannot be written never changes the outcome.
void tell_text(std::string_view text) noexcept;
template <typename... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  tell_text(fmt::format(format, std::forward<Values>(values)...));
}

// One line on stderr.
void warn(std::string_view message);
void warn(const Note& note);

// Sends what was printed on its way. Throws io where that fails: a full disk behind a redirected standard
// output must not look like success.
void flush_output();

// "0.42 ms", "1000 ms"
std::string milliseconds_text(Seconds time);

// "1 participant", "3 participants"; "switch" becomes "switches".
std::string count_text(std::size_t count, std::string_view noun);

// Columns of the terminal behind a descriptor, standard output or error; nothing if it is no terminal.
std::optional<std::size_t> terminal_columns(int descriptor);
// Whether the locale is one of UTF-8, by the environment.
bool terminal_shows_utf8();

// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t text_width(std::string_view text);
// Words with blanks between them, in lines of at most `width` characters, each after `margin` blanks.
std::string wrapped(const std::vector<std::string>& words, std::size_t width, std::size_t margin);

// A number with so many decimals; "n/a" where there is none.
std::string shown(std::optional<double> value, int decimals);
// "12.3 ± 4.5"; the spread is left out where there is none.
std::string shown_with_spread(std::optional<double> mean, std::optional<double> spread, int decimals);

// Columns padded to their widest cell; the first to the left, the others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Appears on stderr once the work has taken two seconds, with the time left. Where stderr is no terminal, as in a log,
// there is a line every ten seconds instead.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool terminal_;
  bool visible_ = false;
  Clock::time_point started_;
  Clock::time_point drawn_;
};

}  // namespace heed::app
