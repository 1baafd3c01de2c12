// SPDX-License-Identifier: MIT
// What comes out of a live session, and who takes it: once a window a Decision, and gains whenever they move without
// one. A Sink takes both; sinks that write to files, sockets or devices are opened by their address (docs/live.md).
#pragma once

#include <heed/data/series.h>
#include <heed/data/units.h>

#include <span>
#include <string_view>

namespace heed::live {

// How far a decision can be trusted.
enum class Standing {
  calibrating,  // a decoder or an emission is still being learnt; gains stay equal
  tracking,     // who is attended follows from the windows
  unknown,      // too little was heard of late: gains relax to equal until windows come again
};
[[nodiscard]] constexpr std::string_view name(Standing standing) noexcept {
  constexpr std::string_view names[] = {"calibrating", "tracking", "unknown"};
  return names[static_cast<int>(standing)];
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
};

// Gains that moved without a window: the watchdog.
struct Relaxation {
  Seconds time{};  // on the source's clock: where it would be by now
  std::span<const double> posterior{};
  std::span<const double> gains{};  // dB
  Standing standing = Standing::unknown;
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
