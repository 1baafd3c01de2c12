// SPDX-License-Identifier: MIT
// The promise about time, in a quarter of a minute: 300 windows at twenty times real time over loopback, half of the
// decisions within 1 ms, 99 of 100 within 5 ms. A machine that is busy with something else says nothing about heed: a
// second and a third attempt are allowed, and none is made where more than two processes wait for every core.
#include <bench/live_loopback.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

namespace {

constexpr int skipped = 77;  // as CMakeLists.txt has it

bool overloaded() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 && load > 2.0 * std::max(1U, std::thread::hardware_concurrency());
}

bool on_time(const heed::bench::Loopback& loopback) {
  const heed::bench::LoopbackReport report = loopback.run();
  std::printf("p50 %.3f ms, p99 %.3f ms, longest %.3f ms; %.1f %% of a core in real time\n", 1e3 * report.quantile(0.5),
              1e3 * report.quantile(0.99), 1e3 * report.latencies.back(), 100 * report.processor);
  return report.quantile(0.5) <= 1e-3 && report.quantile(0.99) <= 5e-3;
}

}  // namespace

int main() {
  try {
    if (overloaded()) {
      std::printf("skipped: this machine is busy with something else\n");
      return skipped;
    }
    const heed::bench::Loopback loopback({.windows = 300});
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (on_time(loopback)) return 0;
    }
    return overloaded() ? skipped : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
