// SPDX-License-Identifier: MIT
// How late decisions are over loopback, and what a session costs: 64 channels, two talkers at 16 kHz, NDJSON in and
// out; one iteration is a whole run. And the session's own step: a window of signals that are in memory, beside a
// program that has no running filters and computes each window anew, with ten seconds of run-in. The step makes no
// allocation and no system call (tests/unit/live: session_test, system_calls_test).
#include <benchmark/benchmark.h>
#include <heed/data/random.h>
#include <heed/live/session.h>
#include <live/sources/open_source.h>

#include <vector>

#include "live_loopback.h"

namespace heed::bench {
namespace {

void report_run(benchmark::State& state, LoopbackOptions options) {
  options.echo = true;
  const Loopback loopback(options);
  for (auto _ : state) {
    const LoopbackReport report = loopback.run();
    state.counters["p50_ms"] = 1e3 * report.quantile(0.5);
    state.counters["p99_ms"] = 1e3 * report.quantile(0.99);
    state.counters["p99.9_ms"] = 1e3 * report.quantile(0.999);
    state.counters["longest_ms"] = 1e3 * report.latencies.back();
    // What the machine took for a line between two threads meanwhile, without heed.
    state.counters["echo_p50_ms"] = 1e3 * report.echo_quantile(0.5);
    state.counters["echo_p99_ms"] = 1e3 * report.echo_quantile(0.99);
    state.counters["echo_p99.9_ms"] = 1e3 * report.echo_quantile(0.999);
    state.counters["echo_longest_ms"] = 1e3 * report.echoes.back();
    state.counters["core_percent"] = 100 * report.processor;  // of one core, in real time
    state.counters["behind_ms"] = 1e3 * report.behind;
  }
}

// Ten thousand windows at twenty times real time.
void latency_over_loopback(benchmark::State& state) {
  report_run(state, {.rate = {512}, .speed = 20, .windows = static_cast<int>(state.range(0))});
}

void session_at_2048_hz(benchmark::State& state) { report_run(state, {.rate = {2048}, .speed = 4, .windows = 60}); }

void ten_sessions_in_real_time(benchmark::State& state) {
  report_run(state, {.rate = {512}, .speed = 1, .windows = 30, .sessions = 10});
}

// ---- the step ----

constexpr int blocks_per_window = 20;

class Counted final : public live::Sink {
 public:
  void decided(const live::Decision& decision) override { benchmark::DoNotOptimize(count += decision.decision + 1); }
  int count = 0;
};

struct Signals {
  Signals() {
    decoder = live::simulated_decoder(live::parse_address("simulated:", live::EndKind::source), Seconds{1});
    stream = {
        .name = "bench", .speakers = {"left", "right"}, .sampling_frequency = {512}, .channels = decoder.channels};
    stream.feeds = {{0, live::FeedKind::audio, {16000}}, {1, live::FeedKind::audio, {16000}}};
    RandomStream random(1);
    const auto fill = [&](live::Block& block, std::size_t count, double deviation) {
      for (std::size_t k = 0; k < count; ++k) block.samples.push_back(static_cast<float>(deviation * random.normal()));
    };
    for (int k = 0; k < blocks_per_window; ++k) {  // of a second, repeated
      for (Index feed = 0; feed < 2; ++feed) {
        live::Block& sound = blocks.emplace_back();
        sound.kind = live::BlockKind::sound;
        sound.feed = feed;
        sound.rows = 16000 / blocks_per_window;
        fill(sound, static_cast<std::size_t>(sound.rows), 0.1);
      }
      live::Block& eeg = blocks.emplace_back();
      eeg.kind = live::BlockKind::eeg;
      eeg.rows = (512 * (k + 1) / blocks_per_window) - (512 * k / blocks_per_window);
      fill(eeg, static_cast<std::size_t>(eeg.rows) * stream.channels.size(), 20);
    }
  }
  void push_second(live::Session& session, double& now, live::Sink& sink) const {
    for (const live::Block& block : blocks) session.push(block, {now}, sink);
    now += 1;
  }

  Decoder decoder{};
  live::StreamDescription stream{};
  std::vector<live::Block> blocks{};
};

void session_step(benchmark::State& state) {
  const Signals signals;
  live::Session session(signals.stream, {.decoder = signals.decoder});
  Counted sink;
  double now = 0;
  for (int k = 0; k < 5; ++k) signals.push_second(session, now, sink);
  for (auto _ : state) signals.push_second(session, now, sink);
}

void window_anew(benchmark::State& state) {
  const Signals signals;
  for (auto _ : state) {
    live::Session session(signals.stream, {.decoder = signals.decoder});
    Counted sink;
    double now = 0;
    for (int k = 0; k < 11; ++k) signals.push_second(session, now, sink);
  }
}

BENCHMARK(session_step)->Unit(benchmark::kMillisecond);
BENCHMARK(window_anew)->Unit(benchmark::kMillisecond);
BENCHMARK(latency_over_loopback)->Arg(300)->Arg(10000)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(session_at_2048_hz)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(ten_sessions_in_real_time)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
}  // namespace heed::bench

BENCHMARK_MAIN();
