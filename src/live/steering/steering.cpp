// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/gains.h>
#include <heed/live/steering.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::live {
namespace {

using evaluate::GainRule;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

GainRule checked_rule(Index speakers, Seconds window, const SteeringOptions& options) {
  const GainRule rule = evaluate::make_gain_rule(speakers, window, options.gains);
  if (options.patience < 1) {
    refuse("the watchdog must wait for at least 1 window, not " + std::to_string(options.patience));
  }
  if (!(options.relaxed_in.value > 0)) refuse("relaxing the gains must take longer than 0 s");
  const auto& gains = options.gains;
  const auto safe = [&](double gain) { return std::clamp(gain, gains.lowest_decibel, gains.highest_decibel); };
  const double equal = rule.decibels().front();
  // Of several speakers, one alone may be doubted: decibels per nat then lower it beyond `suppressed`.
  const bool relative = gains.map == core::GainMap::decibels_per_nat;
  const double beyond =
      relative ? (gains.enhanced_decibel - gains.suppressed_decibel) * (1 - (2 / static_cast<double>(speakers))) : 0;
  const double farthest = std::max(std::abs(safe(gains.enhanced_decibel) - equal),
                                   std::abs(safe(gains.suppressed_decibel - beyond) - equal));
  const double least = farthest / options.relaxed_in.value;
  if (gains.slew_decibel_per_second < least) {
    refuse("a slew limit of " + data::shown(gains.slew_decibel_per_second) + " dB/s is too slow: to be equal within " +
           data::shown(options.relaxed_in.value) + " s, gains must be allowed to move by " + data::shown(least) +
           " dB/s");
  }
  return rule;
}

}  // namespace

Steering::Steering(Index speakers, const Pace& pace, const SteeringOptions& options)
    : options_(options),
      pace_(pace),
      rule_(checked_rule(speakers, pace.hop, options)),
      equal_(static_cast<std::size_t>(speakers), 1.0 / static_cast<double>(speakers)) {}

std::span<const double> Steering::gains() const noexcept { return rule_.decibels(); }

// No more than a hop at once: decisions that come in a burst share the time that passed, and after a long pause a
// gain moves by one step, not by a jump.
void Steering::move(std::span<const double> target, Seconds now) noexcept {
  const Seconds passed = started_ ? std::clamp(now - moved_, Seconds{0}, pace_.hop) : pace_.hop;
  rule_.step(target, passed.value);
  moved_ = started_ ? std::max(moved_, now) : now;
  started_ = true;
}

void Steering::decided(std::span<const double> posterior, bool held, Seconds now) noexcept {
  heard(now);
  silent_windows_ = held ? silent_windows_ + 1 : 0;
  if (!held) standing_ = Standing::tracking;
  // Windows that overlap miss the same samples: their length counts, not their number.
  const Seconds silent = static_cast<double>(silent_windows_) * pace_.hop;
  if (silent >= static_cast<double>(options_.patience) * pace_.window) standing_ = Standing::unknown;
  const bool steers = standing_ == Standing::tracking && !options_.paused;
  move(steers ? posterior : std::span<const double>(equal_), now);
}

void Steering::calibrating(Seconds now, Standing standing) noexcept {
  heard(now);
  standing_ = standing;
  move(equal_, now);
}

void Steering::heard(Seconds now) noexcept { heard_ = std::max(heard_, now); }

bool Steering::wait(Seconds now) noexcept {
  const bool silent = started_ && now - heard_ >= static_cast<double>(options_.patience) * pace_.window;
  if (!silent) return false;
  const bool changed = standing_ != Standing::unknown;
  standing_ = Standing::unknown;
  const double farthest = std::ranges::max(gains()) - std::ranges::min(gains());
  move(equal_, now);
  return changed || std::ranges::max(gains()) - std::ranges::min(gains()) != farthest;
}

void Steering::adopt(const Steering& other) noexcept {
  GainRule rule = other.rule_;
  rule.start_from(rule_);
  rule_ = rule;
  options_ = other.options_;
}

}  // namespace heed::live
