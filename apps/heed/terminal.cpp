// SPDX-License-Identifier: MIT
#include "terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

namespace heed::app {
namespace {

std::string padded(const std::string& cell, std::size_t to, bool left) {
  const std::string room(to - std::min(to, text_width(cell)), ' ');
  return left ? cell + room : room + cell;
}

// Of UTF-8; no code where the first byte begins none.
struct Character {
  std::optional<char32_t> code;
  std::size_t bytes = 1;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return {byte(0)};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) return {};
  char32_t code = byte(0) & (0x7FU >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(k) & 0x3FU);
  }
  return {code, bytes};
}

bool is_obeyed(char32_t code) {
  if (code == U'\n' || code == U'\t') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string clock_time(double seconds) {
  const auto whole = std::lround(seconds);
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace

void open_standard_streams() noexcept {
  // The direction nobody uses: reading from such an input and writing to such an output fail, as they should.
  constexpr std::array directions = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;                             // NOLINT(*-vararg)
    (void)open("/dev/null", directions[static_cast<std::size_t>(stream)]);  // NOLINT(*-vararg): the lowest free number
  }
}

std::string visible(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (!next.code || (next.bytes == 1 && is_obeyed(*next.code))) {
      result += fmt::format("\\x{:02x}", byte);
    } else if (is_obeyed(*next.code)) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(*next.code));
    } else {
      result += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return result;
}

void tell_text(std::string_view text) noexcept {
  try {
    const std::string shown = visible(text);
    (void)std::fwrite(shown.data(), 1, shown.size(), stderr);
  } catch (const std::bad_alloc&) {  // what is told of missing memory is heed's own
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

void warn(std::string_view message) { tell("heed: note: {}\n", message); }

void warn(const Note& note) { warn(data::shown(note)); }

void flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw Error(ErrorKind::io, "standard output: writing failed; is the disk full?");
}

std::string milliseconds_text(Seconds time) {
  const double milliseconds = 1e3 * time.value;
  return milliseconds < 10 ? fmt::format("{:.2g} ms", milliseconds) : fmt::format("{:.0f} ms", milliseconds);
}

std::string count_text(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

std::optional<std::size_t> terminal_columns(int descriptor) {
  if (isatty(descriptor) != 1) return std::nullopt;
  constexpr std::size_t usual = 80;
  winsize size{};
  const bool told = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;  // NOLINT(*-vararg)
  return told ? size.ws_col : usual;
}

bool terminal_shows_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread so far
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    constexpr auto nowhere = std::string_view::npos;
    return locale.find("UTF-8") != nowhere || locale.find("utf8") != nowhere;
  }
  return false;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string wrapped(const std::vector<std::string>& words, std::size_t width, std::size_t margin) {
  std::string text;
  std::string line(margin, ' ');
  for (const std::string& word : words) {
    const bool first = line.size() == margin;
    if (!first && text_width(line) + 1 + text_width(word) > width) {
      text += line + "\n";
      line.assign(margin, ' ');
    }
    line += (line.size() == margin ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string shown(std::optional<double> value, int decimals) {
  if (!value) return "n/a";
  const std::string text = fmt::format("{:.{}f}", *value, decimals);
  return text.find_first_of("123456789") == std::string::npos && text.starts_with('-') ? text.substr(1) : text;
}

std::string shown_with_spread(std::optional<double> mean, std::optional<double> spread, int decimals) {
  if (!mean || !spread) return shown(mean, decimals);
  return fmt::format("{:.{}f} ± {:.{}f}", *mean, decimals, *spread, decimals);
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], text_width(row[c]));
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "   ";
      line += padded(row[c], widths[c], c == 0);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

ProgressBar::ProgressBar(std::string title)
    : title_(std::move(title)), terminal_(isatty(STDERR_FILENO) == 1), started_(Clock::now()), drawn_(started_) {}

ProgressBar::~ProgressBar() {
  if (visible_) (void)std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(std::size_t done, std::size_t total) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  const auto pause = terminal_ ? Clock::duration(100ms) : Clock::duration(10s);
  if (now - started_ < 2s || now - drawn_ < pause || done == 0) return;
  drawn_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  if (!terminal_) {
    return tell("{}: {:.0f} %, {} left\n", title_, 100 * share, clock_time(elapsed * (1 - share) / share));
  }
  visible_ = true;
  constexpr std::size_t length = 30;
  const auto filled = static_cast<std::size_t>(share * length);
  const std::string line =
      fmt::format("\r\033[K{} [{}{}] {:3.0f} %  {} left", title_, std::string(filled, '#'),
                  std::string(length - filled, '.'), 100 * share, clock_time(elapsed * (1 - share) / share));
  (void)std::fputs(line.c_str(), stderr);
  (void)std::fflush(stderr);
}

}  // namespace heed::app
