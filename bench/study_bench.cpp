// SPDX-License-Identifier: MIT
// What it costs to keep the results of a participant, per outcome, beside a bare write, fsync and rename of one; and a
// plan run by two processes beside one. Everything lies in the build folder: in /tmp a sync may cost nothing.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <heed/io/score_tables.h>
#include <heed/sim/score_cohort.h>
#include <io/text_file.h>
#include <study/plan/plan_run.h>
#include <study/results/participant_results.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::bench {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder(const char* name) {
  fs::path folder = fs::path(HEED_BENCH_FOLDER) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

// As wide as a row of results.
study::Outcome some_outcome() {
  ResultTable table;
  auto& row = table.rows.emplace_back();
  constexpr int columns = 31;
  for (int k = 0; k < columns; ++k) {
    table.columns.push_back("measure_" + std::to_string(k));
    row.emplace_back(0.123456789 / (k + 1));
  }
  return {.tables = {{"tracking", table}}};
}

std::string key_of(std::size_t k) {
  std::string key = std::to_string(k * 2654435761U % 4294967296U);
  return std::string(10 - std::min<std::size_t>(10, key.size()), '0') + key;
}

// Participants of a hundred settings, written when the last of them is there.
void keep_outcomes(benchmark::State& state) {
  study::ResultStore store(fresh_folder("study_bench_results"));
  const study::Outcome outcome = some_outcome();
  constexpr std::size_t settings = 100;
  std::size_t k = 0;
  for (auto _ : state) {
    const std::string id = std::to_string(k / settings);
    store.add(id, key_of(k), outcome, "seed 1 | sub-01");
    if (++k % settings == 0) store.write(id);
  }
  state.SetItemsProcessed(state.iterations());
}

bool write_synced(const fs::path& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const bool written = file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
                       ::fsync(file) == 0;
  return ::close(file) == 0 && written;
}

void bare_write(benchmark::State& state) {
  const fs::path folder = fresh_folder("study_bench_bare");
  study::ResultStore store(folder);
  store.add("like", "key", some_outcome(), "seed 1 | sub-01");
  store.write_all();
  const std::string bytes = io::read_text_file(store.file_of("like"));
  const int parent = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  std::size_t k = 0;
  for (auto _ : state) {
    const fs::path target = folder / key_of(k++);
    if (!write_synced(folder / "temporary", bytes) || ::rename((folder / "temporary").c_str(), target.c_str()) != 0 ||
        ::fsync(parent) != 0) {
      state.SkipWithError("cannot write");
    }
  }
  ::close(parent);
  state.SetItemsProcessed(state.iterations());
}

constexpr const char* study_text = R"(title = "Bench"
[[grid]]
tracker = ["causal", "smooth", "viterbi"]
switch_interval = ["30-60", "40-80", "50-100", "60-120"]
repeats = 5
)";

// Runs share `number` of `count` in a process of its own.
pid_t start_share(const study::PlanFolder& folder, const study::Cohort& cohort, study::ArrayTask share) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    (void)study::run_plan(folder, cohort, {.share = share});
    ::_exit(0);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
    ::_exit(1);
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

void run_processes(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const fs::path scores = fresh_folder("study_bench_scores");
  for (const auto& one : sim::simulate_scores({.participants = 8})) {
    io::write_scores(scores / ("sub-" + one.id + "_scores.tsv"), one, {});
  }
  const std::vector<fs::path> paths{scores};
  const auto cohort = study::score_files_cohort(paths);
  for (auto _ : state) {
    const fs::path folder = fresh_folder("study_bench_plan") / "plan";
    const study::PlanFolder plan(folder, study::Plan({"bench.toml", study_text}, {}, *cohort));
    const auto began = std::chrono::steady_clock::now();
    std::vector<pid_t> children;
    for (std::size_t k = 1; k <= count; ++k) children.push_back(start_share(plan, *cohort, {k, count}));
    double longest = 0;
    for (const pid_t child : children) {
      int status = 0;
      struct rusage used {};
      if (::wait4(child, &status, 0, &used) != child || status != 0) state.SkipWithError("a share failed");
      longest = std::max(longest, seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
    }
    state.counters["longest_share_cpu"] += longest;
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  // Seconds a run: what a process needs where nobody else computes.
  state.counters["longest_share_cpu"].flags = benchmark::Counter::kAvgIterations;
}

BENCHMARK(keep_outcomes)->Name("outcome/heed")->UseRealTime()->Iterations(1000);
BENCHMARK(bare_write)->Name("outcome/bare write, fsync, rename")->UseRealTime()->Iterations(1000);
BENCHMARK(run_processes)->Name("plan/processes")->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heed::bench

BENCHMARK_MAIN();
