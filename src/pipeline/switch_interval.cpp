// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/tsv.h>
#include <pipeline/switch_interval.h>

#include <cmath>
#include <optional>

namespace heed::pipeline {
namespace {

Error refused(const std::string& option, const std::string& text) {
  return {
      ErrorKind::invalid_argument,
      option + " " + text + ": give seconds, e.g. 300, or a range of whole seconds, the shorter first, e.g. 60-125"};
}

}  // namespace

SwitchInterval parse_interval(const std::string& option, const std::string& text) {
  const auto dash = text.find('-');
  const auto shortest = io::parse_number(text.substr(0, dash));
  const auto longest = dash == std::string::npos ? shortest : io::parse_number(text.substr(dash + 1));
  if (!shortest || !longest || !(*shortest > 0) || *longest < *shortest) throw refused(option, text);
  const bool range = *longest > *shortest;
  if (range && (std::floor(*shortest) != *shortest || std::floor(*longest) != *longest)) throw refused(option, text);
  return {Seconds{*shortest}, Seconds{*longest}};
}

}  // namespace heed::pipeline
