// SPDX-License-Identifier: MIT
// What a viewer may change, read from the JSON that a browser sends: a few named numbers within their ranges, and
// nothing else.
#pragma once

#include <live/parameter_desk.h>

#include <optional>
#include <string>
#include <string_view>

namespace heed::live {

// {"switch_probability": 0.01, "enhanced": 0, "suppressed": -12, "paused": true}. Throws bad_data: not such an object,
// another name, a number of no sense.
[[nodiscard]] ParameterChange parse_parameter_change(std::string_view text);

// Who listens in a demonstration, between how many talkers.
enum class ListenerProfile { clear, hard };
struct DemoSetup {
  ListenerProfile listener = ListenerProfile::clear;
  int talkers = 2;
  friend bool operator==(const DemoSetup&, const DemoSetup&) = default;
};

struct DemoWish {
  std::optional<Speaker> attend{};
  bool lose_eeg = false;
  std::optional<ListenerProfile> listener{};
  std::optional<int> talkers{};  // 2 or 3
  friend bool operator==(const DemoWish&, const DemoWish&) = default;
};
// {"attend": 1}, {"lose_eeg": true}, {"listener": "hard", "talkers": 3}. Throws bad_data.
[[nodiscard]] DemoWish parse_demo_wish(std::string_view text, Index speakers);

}  // namespace heed::live
