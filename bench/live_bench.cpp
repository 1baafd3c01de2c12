// SPDX-License-Identifier: MIT
// How late decisions are over loopback, and what a session costs: 64 channels, two talkers at 16 kHz, NDJSON in and
// out. One iteration is a whole run.
#include <benchmark/benchmark.h>

#include "live_loopback.h"

namespace heed::bench {
namespace {

void report_run(benchmark::State& state, const LoopbackOptions& options) {
  const Loopback loopback(options);
  for (auto _ : state) {
    const LoopbackReport report = loopback.run();
    state.counters["p50_ms"] = 1e3 * report.quantile(0.5);
    state.counters["p99_ms"] = 1e3 * report.quantile(0.99);
    state.counters["p99.9_ms"] = 1e3 * report.quantile(0.999);
    state.counters["longest_ms"] = 1e3 * report.latencies.back();
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

BENCHMARK(latency_over_loopback)->Arg(300)->Arg(10000)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(session_at_2048_hz)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(ten_sessions_in_real_time)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
}  // namespace heed::bench

BENCHMARK_MAIN();
