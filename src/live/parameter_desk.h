// SPDX-License-Identifier: MIT
// Where the parameters of a session that runs are kept and changed, whoever asks: a viewer of the page, OSC, and the
// calibration, each on a thread of its own. What one of them sets stays when another changes something else.
#pragma once

#include <heed/live/session.h>

#include <mutex>
#include <optional>

namespace heed::live {

inline constexpr double least_switch_probability = 1e-4;
inline constexpr double most_switch_probability = 0.2;

// What is not there stays as it is.
struct ParameterChange {
  std::optional<double> switch_probability{};  // per window
  std::optional<double> enhanced_decibel{};
  std::optional<double> suppressed_decibel{};
  std::optional<bool> paused{};
  friend bool operator==(const ParameterChange&, const ParameterChange&) = default;
};

struct SessionParameters {
  TrackingOptions tracking{};
  SteeringOptions steering{};
};
// Throws invalid_argument, with the range, where a parameter would leave it.
[[nodiscard]] SessionParameters changed(SessionParameters parameters, const ParameterChange& change);

class ParameterDesk {
 public:
  // What the session was made with; it must outlive whoever changes something.
  ParameterDesk(Session& session, SessionParameters parameters);

  [[nodiscard]] SessionParameters parameters() const;
  // What holds from the next window on. Throws as changed() does; nothing is changed then.
  SessionParameters change(const ParameterChange& change);
  // The decoder of a calibration, with the parameters as they are now.
  void hand_over(const Decoder& decoder);

 private:
  Session& session_;
  mutable std::mutex mutex_;
  SessionParameters parameters_;
};

}  // namespace heed::live
