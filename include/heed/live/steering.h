// SPDX-License-Identifier: MIT
// From posteriors to gains, made safe: core's GainRule (map, slew limit, hard range), a state "unknown" in which all
// gains relax to the same, and a watchdog that brings it about when nothing comes in. docs/live.md, steering.
#pragma once

#include <heed/core/gain.h>
#include <heed/data/units.h>
#include <heed/live/decision.h>

#include <span>
#include <vector>

namespace heed::live {

struct SteeringOptions {
  core::GainOptions<double> gains{};
  int patience = 2;       // windows without evidence, or of silence at the input, before the state is unknown
  Seconds relaxed_in{5};  // gains are equal so long after that; the slew limit must allow it
  bool paused = false;    // all gains go to the one of an undecided posterior and stay there, whatever is decided
  friend bool operator==(const SteeringOptions&, const SteeringOptions&) = default;
};

// Never allocates after it is made. Time is that of arrival, any clock that does not run backwards: a session is told.
class Steering {
 public:
  // Of windows of which one is decided every hop. Throws invalid_argument for options that no GainRule takes, a
  // patience below 1, and a slew limit too slow to relax in time.
  struct Pace {
    Seconds window{};
    Seconds hop = window;
  };
  Steering(Index speakers, const Pace& pace, const SteeringOptions& options);

  // A window was decided at `now`. `held`: it was missing.
  void decided(std::span<const double> posterior, bool held, Seconds now) noexcept;
  // While a decoder or an emission is learnt: gains stay equal.
  void calibrating(Seconds now, Standing standing = Standing::calibrating) noexcept;
  // Something came in.
  void heard(Seconds now) noexcept;
  // Time passes. True where gains moved or the standing changed.
  bool wait(Seconds now) noexcept;

  [[nodiscard]] Standing standing() const noexcept { return standing_; }
  [[nodiscard]] std::span<const double> gains() const noexcept;  // dB
  // From now on; gains go on from where they are. Not checked again: for options that made a Steering of as many
  // speakers.
  void adopt(const Steering& other) noexcept;

 private:
  void move(std::span<const double> target, Seconds now) noexcept;

  SteeringOptions options_;
  Pace pace_;
  core::GainRule<double, 64> rule_;
  std::vector<double> equal_;  // the posterior of somebody who knows nothing
  Standing standing_ = Standing::unknown;
  int silent_windows_ = 0;
  bool started_ = false;
  Seconds heard_{};
  Seconds moved_{};
};

}  // namespace heed::live
