// SPDX-License-Identifier: MIT
#include <live/run.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace heed::live {
namespace {

// Measures how long decisions take.
class Meter final : public Sink {
 public:
  Meter(Sink& sink, Clock& clock, LatencyHistogram& latencies) : sink_(sink), clock_(clock), latencies_(latencies) {}
  void arrived(Seconds now) noexcept { arrival_ = now; }
  void decided(const Decision& decision) override {
    sink_.decided(decision);
    latencies_.add(clock_.now() - arrival_);
  }
  void relaxed(const Relaxation& relaxation) override { sink_.relaxed(relaxation); }

 private:
  Sink& sink_;
  Clock& clock_;
  LatencyHistogram& latencies_;
  Seconds arrival_{};
};

bool counts_rows(BlockKind kind) {
  return kind == BlockKind::eeg || kind == BlockKind::scores || kind == BlockKind::log_likelihoods;
}

// When the last sample of a block was taken, on the source's clock.
std::optional<Seconds> end_of(const Block& block, const StreamDescription& stream) {
  if (!block.stamp) return std::nullopt;
  const auto after = [&](Hertz rate) { return *block.stamp + Seconds{static_cast<double>(block.rows) / rate.value}; };
  if (block.kind == BlockKind::eeg) return after(stream.sampling_frequency);
  if (block.kind == BlockKind::sound)
    return after(stream.feeds[static_cast<std::size_t>(block.feed)].sampling_frequency);
  if (block.kind == BlockKind::scores || block.kind == BlockKind::log_likelihoods) {
    return *block.stamp + (static_cast<double>(block.rows - 1) * stream.hop.value_or(stream.window));
  }
  return std::nullopt;
}

// The time of a stored source: its own, which the clock follows at some speed. Trials may lie apart or begin anew; the
// time between them does not pass.
class StoredTime {
 public:
  StoredTime(Clock& clock, std::optional<double> speed) : clock_(clock), speed_(speed), start_(clock.now()) {}

  // Waits until a block that ends at `end` would have been there; the time of the session then.
  Seconds reach(std::optional<Seconds> end) {
    if (end) {
      constexpr Seconds pause{1};
      const Seconds step = last_ ? *end - *last_ : Seconds{0};
      if (step > Seconds{0} && step < pause + pause) passed_ = passed_ + step;
      last_ = step > Seconds{0} || step < Seconds{0} - pause || !last_ ? end : last_;
    }
    if (speed_) clock_.wait_until(start_ + ((1 / *speed_) * passed_));
    return passed_;
  }
  [[nodiscard]] Seconds passed() const noexcept { return passed_; }

 private:
  Clock& clock_;
  std::optional<double> speed_;
  Seconds start_;
  Seconds passed_{};
  std::optional<Seconds> last_{};
};

}  // namespace

void SinkList::decided(const Decision& decision) {
  for (const auto& sink : sinks_) sink->decided(decision);
}

void SinkList::relaxed(const Relaxation& relaxation) {
  for (const auto& sink : sinks_) sink->relaxed(relaxation);
}

void SinkList::finish() {
  std::exception_ptr first;
  for (const auto& sink : sinks_) {
    try {
      sink->finish();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

SinkCounts SinkList::counts() const noexcept {
  SinkCounts all;
  for (const auto& sink : sinks_) {
    const SinkCounts one = sink->counts();
    all.dropped += one.dropped;
    all.refused += one.refused;
    all.reconnects += one.reconnects;
    all.broken = all.broken || one.broken;
  }
  return all;
}

void run(Source& source, Session& session, Sink& sink, Clock& clock, const RunOptions& options, RunReport& report) {
  Meter meter(sink, clock, report.latencies);
  const bool stored = source.is_stored();
  StoredTime time(clock, options.speed);
  const Seconds start = clock.now();
  Block block;
  const auto stopped = [&] { return options.stop != nullptr && options.stop->load(std::memory_order_relaxed); };
  const auto conclude = [&] {
    report.stopped = stopped();
    report.elapsed = clock.now() - start;
    report.streamed = stored ? time.passed() : report.elapsed;
    block.kind = BlockKind::end;
    meter.arrived(clock.now());
    session.push(block, stored ? time.passed() : clock.now(), meter);
    sink.finish();
  };
  try {
    for (Arrival arrival = Arrival::nothing; arrival != Arrival::ended && !stopped();) {
      arrival = source.next(block, options.tick);
      if (arrival == Arrival::ended) break;
      const bool came = arrival == Arrival::block;
      const Seconds now = stored ? time.reach(came ? end_of(block, source.description()) : std::nullopt) : clock.now();
      meter.arrived(clock.now());
      if (came) {
        report.rows += counts_rows(block.kind) ? block.rows : 0;
        session.push(block, now, meter);
        ++report.blocks;
      }
      session.wait(now, meter);
      if (options.between_blocks) options.between_blocks();
    }
  } catch (...) {
    const std::exception_ptr first = std::current_exception();
    try {
      conclude();
    } catch (...) {  // the first failure is the one that matters
    }
    std::rethrow_exception(first);
  }
  conclude();
}

RunReport run(Source& source, Session& session, Sink& sink, Clock& clock, const RunOptions& options) {
  RunReport report;
  run(source, session, sink, clock, options, report);
  return report;
}

}  // namespace heed::live
