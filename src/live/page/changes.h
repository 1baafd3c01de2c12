// SPDX-License-Identifier: MIT
// What a viewer may change, read from the JSON that a browser sends: a few named numbers within their ranges, and
// nothing else.
#pragma once

#include <heed/live/session.h>

#include <optional>
#include <string>
#include <string_view>

namespace heed::live {

inline constexpr double least_switch_probability = 1e-4;
inline constexpr double most_switch_probability = 0.2;

// What is not there stays as it is.
struct ParameterChange {
  std::optional<double> switch_probability{};
  std::optional<double> enhanced{};    // dB
  std::optional<double> suppressed{};  // dB
  std::optional<bool> paused{};
  friend bool operator==(const ParameterChange&, const ParameterChange&) = default;
};
// {"switch_probability": 0.01, "enhanced": 0, "suppressed": -12, "paused": true}. Throws bad_data: not such an object,
// another name, a number of no sense.
[[nodiscard]] ParameterChange parse_parameter_change(std::string_view json);

struct PageParameters {
  TrackingOptions tracking{};
  SteeringOptions steering{};
};
// Throws invalid_argument, with the range, where a parameter would leave it.
[[nodiscard]] PageParameters changed(PageParameters parameters, const ParameterChange& change);

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
[[nodiscard]] DemoWish parse_demo_wish(std::string_view json, Index speakers);

}  // namespace heed::live
