// SPDX-License-Identifier: MIT
// What gains are worth to whoever listens: how much louder the attended speaker is than the others, how much of the
// time somebody else is emphasised, and how much the gains move (docs/mathematics.md, gains). Any number of speakers.
// And the words for the maps of core's GainRule: decibels, amplitude, decision, 2dB/nat, dead-zone, intelligibility.
#pragma once

#include <heed/core/gain.h>
#include <heed/data/scored.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::evaluate {

using GainOptions = core::GainOptions<double>;
using GainRule = core::GainRule<double, 64>;

// Throws invalid_argument with the reason where no GainRule takes the options, and where they leave a gain no room to
// move.
[[nodiscard]] GainRule make_gain_rule(Index speakers, Seconds step, const GainOptions& options = {});

// The map that a word names, with its numbers in place of the usual ones: 2dB/nat, dead-zone or dead-zone:0.9,
// intelligibility or intelligibility:6 (margin in dB) or intelligibility:6:0.1 (and slope per dB). All other options
// are `options`. Throws invalid_argument.
[[nodiscard]] GainOptions with_map(std::string_view word, GainOptions options = {});
// The word for the map of some options, with the numbers that are not the usual ones.
[[nodiscard]] std::string map_word(const GainOptions& options);
// Gains from 0 dB down to -range, never cut off by the safety range. Throws invalid_argument unless it is positive.
[[nodiscard]] GainOptions with_range(double range, GainOptions options = {});

// Gains in dB of every window (windows x speakers), as a rule would set them from window to window. Where a trial has
// decisions alone, they are taken for certain.
[[nodiscard]] Matrix gains_of(const TrackedTrial& trial, Index speakers, const GainOptions& options = {});

// Of trials, which add. B is the gain of the attended speaker above the mean power gain of the others, in dB.
class GainWorth {
 public:
  // B below this is emphasis of somebody else that nobody overlooks.
  static constexpr double clearly_wrong = -3;

  // A trial; gains are windows x speakers, in dB. Throws Error if there is not one label per row, a label names no
  // column, or a gain is not finite.
  static GainWorth measure(MatrixView gains, std::span<const Speaker> attended, Seconds hop);
  // All trials of a participant; an Error names the trial.
  static GainWorth measure(const TrackedParticipant& participant, const GainOptions& options = {});

  GainWorth& operator+=(const GainWorth& other) noexcept;

  // Of labelled time; nothing where there is none.
  [[nodiscard]] std::optional<double> benefit() const noexcept;         // mean B, dB
  [[nodiscard]] std::optional<double> wrong_emphasis() const noexcept;  // 60 mean max(0, -B), dB s per minute
  [[nodiscard]] std::optional<double> wrong_share() const noexcept;     // of the time B < -3 dB
  // Of all time: the largest change of a difference between two gains, summed up, dB per minute.
  [[nodiscard]] std::optional<double> travel() const noexcept;

 private:
  double seconds_ = 0;
  double labelled_ = 0;       // seconds
  double benefit_ = 0;        // dB s
  double wrong_ = 0;          // dB s
  double clearly_wrong_ = 0;  // seconds
  double travel_ = 0;         // dB
};

}  // namespace heed::evaluate
