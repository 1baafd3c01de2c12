// SPDX-License-Identifier: MIT
// One step of the causal filter in C beside the same step in C++, which its caller has inlined: the door should cost no
// more than 3 %. Short runs of both take turns, thousands of times, and the best of each counts, so that what else the
// machine does reaches neither. Speakers are not known to the compiler, as in a program.
#include <benchmark/benchmark.h>
#include <heed/c.h>
#include <heed/core/attention_filter.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heed::bench {
namespace {

constexpr std::size_t windows = 256;

// As scores scatter: no branch of either side can learn them by heart.
std::vector<float> evidence(std::size_t speakers) {
  std::vector<float> values(64 * windows * speakers);
  std::uint32_t state = 1;
  for (float& value : values) {
    state = (state * 1664525U) + 1013904223U;
    value = static_cast<float>(state >> 8U) / static_cast<float>(1U << 22U) - 2.0F;
  }
  return values;
}

template <typename Run>
double nanoseconds(const Run& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / static_cast<double>(windows);
}

// Each iteration is a run of C and one of C++; the counters are the best of both, and their ratio.
void step(benchmark::State& state) {
  const auto speakers = static_cast<std::size_t>(state.range(0));
  const auto values = evidence(speakers);
  auto filter =
      *core::AttentionFilter<float, HEED_MAX_SPEAKERS>::make(*core::StickyChain<float>::make(speakers, 0.001F));
  const heed_chain_options options{HEED_C_VERSION, static_cast<std::uint32_t>(speakers), 0.001F};
  heed_filter in_c;
  if (heed_filter_init(&in_c, sizeof in_c, &options) != HEED_OK) state.SkipWithError("no filter");
  double best_c = std::numeric_limits<double>::infinity();
  double best_cpp = best_c;
  std::size_t turn = 0;
  for (auto _ : state) {
    const float* first = values.data() + ((turn++ % 64) * windows * speakers);
    best_c = std::min(best_c, nanoseconds([&] {
                        for (std::size_t t = 0; t < windows; ++t) {
                          benchmark::DoNotOptimize(heed_filter_step(&in_c, first + (t * speakers), speakers));
                        }
                      }));
    best_cpp = std::min(best_cpp, nanoseconds([&] {
                          for (std::size_t t = 0; t < windows; ++t) {
                            benchmark::DoNotOptimize(filter.step({first + (t * speakers), speakers}));
                          }
                        }));
  }
  state.counters["ns a step in C"] = best_c;
  state.counters["in C++"] = best_cpp;
  state.counters["ratio"] = best_c / best_cpp;
}
BENCHMARK(step)->Arg(2)->Arg(4)->Arg(8)->MinTime(2);

}  // namespace
}  // namespace heed::bench

BENCHMARK_MAIN();
