// SPDX-License-Identifier: MIT
// A source, a session and sinks, run until the source ends or somebody stops it: the loop of `heed live`. All the time
// that passes comes from one Clock.
#pragma once

#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/clock/clock.h>
#include <live/latency.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace heed::live {

// Handed to everybody in turn. What one throws stops the run; at the end everybody is finished, and then the first
// failure is thrown.
class SinkList final : public Sink {
 public:
  void add(std::unique_ptr<Sink> sink) { sinks_.push_back(std::move(sink)); }
  void decided(const Decision& decision) override;
  void relaxed(const Relaxation& relaxation) override;
  void finish() override;
  [[nodiscard]] SinkCounts counts() const noexcept override;  // of all together

 private:
  std::vector<std::unique_ptr<Sink>> sinks_{};
};

struct RunOptions {
  std::optional<double> speed = 1;  // of stored sources, times real time; nothing: as fast as possible
  const std::atomic<bool>* stop = nullptr;
  std::function<void()> between_blocks{};  // by the session's thread; what it throws stops the run
  Seconds tick{0.1};                       // how often the watchdog is asked while nothing comes
};

struct RunReport {
  LatencyHistogram latencies{};  // from the arrival of the block that completes a window to its decision at the sinks
  Seconds streamed{};            // time of the stream that went by
  Seconds elapsed{};             // on the clock
  Index blocks = 0;
  Index rows = 0;  // of EEG, or windows of scores
  bool stopped = false;
};

// Throws what source, session and sinks throw. Sinks are finished at the end, also where the source failed: what was
// decided before is kept, and the report says how far it came. It may be read while it is filled, by the same thread.
void run(Source& source, Session& session, Sink& sink, Clock& clock, const RunOptions& options, RunReport& report);
[[nodiscard]] RunReport run(Source& source, Session& session, Sink& sink, Clock& clock, const RunOptions& options = {});

}  // namespace heed::live
