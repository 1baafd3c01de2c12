// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <live/connections/line_reader.h>
#include <live/connections/signals_blocked.h>
#include <live/sources/attention_control.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace heed::live {
namespace {

constexpr std::size_t longest_line = 1024;
constexpr Seconds long_time{3600};  // after which it is waited for again

std::string_view trimmed(std::string_view line) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

}  // namespace

AttentionControl::AttentionControl(const std::string& address, std::vector<std::string> speakers,
                                   std::function<void(Speaker)> attend, std::function<void(const std::string&)> tell)
    : speakers_(std::move(speakers)), attend_(std::move(attend)), tell_(std::move(tell)) {
  const Address parsed = parse_address(address, EndKind::source);
  if (parsed.scheme != "-" && parsed.scheme != "tcp" && parsed.scheme != "unix") {
    throw Error(ErrorKind::invalid_argument,
                "control=" + address + ": attention is moved by lines of -, unix:PATH or tcp://HOST:PORT");
  }
  // Opened here, so that whoever made it is told of a port in use.
  auto listener = parsed.scheme == "-" ? nullptr : std::make_shared<Listener>(parsed);
  const SignalsBlocked blocked;
  thread_ = std::thread([this, listener] {
    try {
      if (!listener) return read_lines(STDIN_FILENO);
      while (!stop_) read_lines(listener->accept(&stop_).get());
    } catch (const Error& error) {
      if (!stop_) say(error.what());  // the listener attends on as it did
    }
  });
}

AttentionControl::~AttentionControl() {
  stop_ = true;
  waker_.wake();
  thread_.join();
}

void AttentionControl::say(const std::string& text) const {
  if (tell_) tell_(text);
}

void AttentionControl::read_lines(int descriptor) {
  LineReader lines(descriptor, longest_line);
  std::string_view line;
  while (true) {
    const LineReader::Came came = lines.next(line, waker_, long_time);
    if (came == LineReader::Came::line || came == LineReader::Came::rest) obey(trimmed(line));
    if (came != LineReader::Came::line && came != LineReader::Came::nothing) return;
  }
}

void AttentionControl::obey(std::string_view line) {
  if (line.empty()) return;
  const auto found = std::ranges::find(speakers_, line);
  if (found != speakers_.end()) {
    return attend_(static_cast<Speaker>(found - speakers_.begin()));
  }
  std::string known;
  for (const std::string& speaker : speakers_) known += (known.empty() ? "" : ", ") + speaker;
  say("there is no speaker '" + std::string(line) + "'; attention stays where it is. Name one of " + known);
}

}  // namespace heed::live
