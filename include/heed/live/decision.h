// SPDX-License-Identifier: MIT
// What comes out of a live session, and who takes it: a Decision once per window, gains whenever they move without one,
// and counts of what happened. A Sink takes both; sinks that write to files, sockets or devices are opened by their
// address (docs/live.md).
#pragma once

#include <heed/data/series.h>
#include <heed/data/units.h>

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace heed::live {

// How far a decision can be trusted.
enum class Standing {
  calibrating,  // a decoder is still to be trained; gains stay equal
  tracking,     // who is attended follows from the windows
  unknown,      // too little was heard of late: gains relax to equal until windows come again
  learning,     // the decoder knows too little yet to be listened to; gains stay equal
};
[[nodiscard]] constexpr std::string_view name(Standing standing) noexcept {
  constexpr std::array<std::string_view, 4> names = {"calibrating", "tracking", "unknown", "learning"};
  return names[static_cast<std::size_t>(standing)];
}

// Views are valid during the call that hands the decision over.
struct Decision {
  Index window = 0;          // of its trial, from 0
  Index trial_number = 0;    // from 0
  std::string_view trial{};  // its name; empty: the stream is one trial
  Seconds onset{};           // of the window, on the source's clock
  Seconds end{};             // likewise
  std::span<const double> scores{};
  std::span<const double> log_likelihoods{};  // as the chain takes them: tempered
  std::span<const double> posterior{};        // causal
  Speaker decision = 0;                       // of the causal posterior; stays where it was on a tie
  std::span<const double> hindsight{};        // posterior of the window that ended `lag` earlier; empty: not asked for
  Speaker attended = unknown_speaker;         // as the source told; never looked at by the session
  bool held = false;                          // the window was missing: predicted, not updated
  std::span<const double> gains{};            // dB, after this window
  Standing standing = Standing::tracking;
  std::optional<double> own_share{};  // how much of a decoder that learns is the listener's own, 0 ... 1
  bool gave_up = false;               // the population that it started from, since it did not fit
};

// Gains that moved without a window: the watchdog.
struct Relaxation {
  Seconds time{};  // on the source's clock: where it would be by now
  std::span<const double> posterior{};
  std::span<const double> gains{};  // dB
  Standing standing = Standing::unknown;
};

// What the referee did, since the start.
struct ClockCounts {
  Index jittered = 0;      // stamps off by more than a sample and less than the jitter allowed
  Index gaps = 0;          // stretches that were not there
  Index lost_samples = 0;  // of the EEG in them
  Index flat_samples = 0;  // of the EEG, in which channels that the decoder leans on stood still: not recorded
  Index duplicates = 0;    // blocks that had come before
  Index backwards = 0;     // stamps that ran backwards
  Index jumps = 0;         // of the clock: the count goes on
  Index shifted = 0;       // samples of sound left out, or of silence put in, to keep up with the EEG
  Index late_sound = 0;    // rows of sound that did not come in time
  double drift_ppm = 0;    // of sound against EEG, the largest estimate of any feed
  friend bool operator==(const ClockCounts&, const ClockCounts&) = default;
};

struct SessionCounts {
  ClockCounts clock{};
  Index windows = 0;
  Index calibrating = 0;  // of them, before there was a decoder that is worth listening to
  Index held = 0;         // of the others, missing
  Index refused = 0;      // of them, because their scores made no sense
  Index switches = 0;     // of the decision
  Index relaxations = 0;  // times the watchdog or missing windows made the state unknown
  friend bool operator==(const SessionCounts&, const SessionCounts&) = default;
};

// What an edge had to do with what was to go out.
struct SinkCounts {
  Index dropped = 0;     // decisions and relaxations that a full queue lost, the oldest first, or that did not arrive
  Index refused = 0;     // of those that arrived, refused by the other end
  Index reconnects = 0;  // times a connection was opened again
  bool broken = false;   // nothing can go out any more: a full disk, a reader that has gone
  friend bool operator==(const SinkCounts&, const SinkCounts&) = default;
};

class Sink {
 public:
  Sink() = default;
  virtual ~Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(Sink&&) = delete;

  virtual void decided(const Decision& decision) = 0;
  virtual void relaxed(const Relaxation&) {}
  // After the last decision. Throws io where what was taken before could not be kept.
  virtual void finish() {}
  // May be asked for while the sink is used, by the same thread.
  [[nodiscard]] virtual SinkCounts counts() const noexcept { return {}; }
};

}  // namespace heed::live
