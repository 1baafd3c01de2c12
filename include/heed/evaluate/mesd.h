// SPDX-License-Identifier: MIT
// MESD, the minimal expected switch duration (Geirnaert, Francart, Bertrand 2020): how soon a gain control
// on top of a decoder could follow a switch at best, in one number for the whole trade-off of accuracy and
// window length. The gain control is a chain of K states, a step up for a right window, down for a wrong one.
#pragma once

#include <heed/data/units.h>

#include <optional>
#include <span>

namespace heed::evaluate {

struct GainChainOptions {
  double comfort = 0.65;    // gain, 0 to 1, that has to be kept up ...
  double confidence = 0.8;  // ... for this share of the time
  int fewest_states = 5;    // fewer make steps that are heard
  friend bool operator==(const GainChainOptions&, const GainChainOptions&) = default;
};

// States are counted from 1 (the wrong speaker alone) to `states` (the right one alone).
struct GainChain {
  int states = 0;  // K, the fewest that are comfortable
  int target = 0;  // where the comfortable gains begin: a switch has been followed
};

// The highest state that the chain, left to run, keeps to with probability `confidence`: kbar.
// Throws invalid_argument unless .5 < accuracy <= 1 and states >= 1.
[[nodiscard]] int confident_state(double accuracy, int states, const GainChainOptions& options = {});

// The smallest chain whose confident state has a comfortable gain. Nothing for accuracies that do not exceed
// one half (by 1e-5: such chains would have hundreds of thousands of states). Throws invalid_argument for an
// accuracy outside [0, 1] or options outside (0, 1).
[[nodiscard]] std::optional<GainChain> optimal_gain_chain(double accuracy, const GainChainOptions& options = {});

// Mean number of windows until the chain first reaches state `to` from state `from` < `to`; any accuracy
// in (0, 1]. Throws invalid_argument otherwise.
[[nodiscard]] double expected_hitting_time(double accuracy, int from, int to);

// Mean time from a switch to the target state, for decisions every `window`; from where the chain stands when
// the other speaker becomes the right one. Nothing where there is no optimal chain.
[[nodiscard]] std::optional<Seconds> expected_switch_duration(double accuracy, Seconds window,
                                                              const GainChainOptions& options = {});

struct CurvePoint {
  Seconds window{};
  double accuracy = 0;  // P(the attended speaker's score is larger than the other's)
};

struct Mesd {
  Seconds duration{};   // the MESD itself
  Seconds window{};     // window length that gives it ...
  double accuracy = 0;  // ... the curve's accuracy there ...
  GainChain chain{};    // ... and the chain to use
};

// The smallest expected switch duration over 1000 equally spaced window lengths between the first and the last
// point, accuracies interpolated linearly. Throws bad_data without a point, for window lengths that do not grow
// from point to point or are not positive, accuracies outside [0, 1], and where none exceeds one half.
[[nodiscard]] Mesd minimal_expected_switch_duration(std::span<const CurvePoint> curve,
                                                    const GainChainOptions& options = {});

}  // namespace heed::evaluate
