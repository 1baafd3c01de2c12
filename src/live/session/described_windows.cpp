// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/session/described_windows.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace heed::live {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

void check_names(const std::vector<std::string>& names, const char* kind) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    throw Error(ErrorKind::bad_data,
                "two " + std::string(kind) + " are called '" + *name + "'; give each its own name");
  }
}

}  // namespace

decode::WindowLayout windows_of(const StreamDescription& stream, const SessionOptions& options) {
  if (stream.speakers.size() < 2) {
    throw Error(ErrorKind::bad_data, "attention is decided between two or more speakers; name them");
  }
  check_names(stream.speakers, "speakers");
  check_names(stream.channels, "channels");
  if (options.rail && !(*options.rail > 0)) refuse("the rail must be above 0 microvolts; 200000 is usual");
  if (stream.content == StreamContent::signals) {
    decode::check_layout(options.window);
    return options.window;
  }
  const decode::WindowLayout windows(stream.window, stream.hop.value_or(stream.window));
  // Pauses are filled in by windows.
  constexpr Seconds shortest{0.001};
  for (const Seconds length : {windows.window, windows.hop}) {
    if (!(length >= shortest) || !std::isfinite(length.value)) refuse("windows and hops must last 1 ms or longer");
  }
  if (windows.hop > windows.window) refuse("a hop longer than the window leaves EEG out; send shorter hops");
  return windows;
}

StreamContent tracked_content(const StreamDescription& stream, const SessionOptions& options) {
  return options.adaptive ? StreamContent::log_likelihoods : stream.content;
}

ClockOptions clock_of_windows(ClockOptions options, Seconds hop) {
  options.jitter = 0.45 * hop;
  return options;
}

Steering::Pace pace_of(const decode::WindowLayout& windows) {
  return {windows.steps ? std::max(windows.window, Seconds{1}) : windows.window, windows.hop};
}

ScoreType type_of(const StreamDescription& stream, const SessionOptions& options) {
  if (stream.content != StreamContent::signals) return ScoreType::correlation;
  return decode::score_type(options.decoder.value_or(Decoder{}), options.window);
}

}  // namespace heed::live
