// SPDX-License-Identifier: MIT
// After the figures, the ratios: how many times faster heed is than each rival of the same run. On a noisy
// machine a ratio says what a time cannot.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed::bench {

// Benchmarks are named task/who[...]; who is heed, textbook or paper. Repetitions: the best counts.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  explicit RatioReporter(std::string item = "window") : item_(std::move(item)) {}

  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  // How much faster than the textbook a task is meant to be.
  void set_goal(const std::string& task, double ratio) { goals_[task] = ratio; }

 private:
  struct Times {
    std::map<std::string, double> nanoseconds_per_item;
  };
  std::string item_;  // what a benchmark counts
  std::vector<std::string> order_;
  std::map<std::string, Times> tasks_;
  std::map<std::string, double> goals_;
};

}  // namespace heed::bench
