// SPDX-License-Identifier: MIT
#include "ratio_reporter.h"

#include <algorithm>
#include <cstdio>

namespace heed::bench {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
    const std::string& name = run.run_name.function_name;
    const auto slash = name.rfind('/');
    const std::string task = name.substr(0, slash);
    const double time = 1e9 / run.counters.at("items_per_second").value;
    if (!tasks_.contains(task)) order_.push_back(task);
    auto& best = tasks_[task].nanoseconds_per_item.try_emplace(name.substr(slash + 1), time).first->second;
    best = std::min(best, time);
  }
}

void RatioReporter::Finalize() {
  ConsoleReporter::Finalize();
  const std::string title = "task (ns a " + item_ + ", best run)";
  std::printf("\n%-34s %10s %12s %9s %8s %8s %6s\n", title.c_str(), "heed", "textbook", "paper", "x text", "x paper",
              "goal");
  for (const std::string& task : order_) {
    const auto& times = tasks_[task].nanoseconds_per_item;
    const auto time = [&](const char* who) { return times.contains(who) ? times.at(who) : 0; };
    const double heed = time("heed");
    if (heed == 0) continue;
    std::printf("%-34s %10.2f %12.2f %9.2f %8.1f %8.1f", task.c_str(), heed, time("textbook"), time("paper"),
                time("textbook") / heed, time("paper") / heed);
    if (goals_.contains(task)) {
      const bool reached = time("textbook") / heed >= goals_.at(task);
      std::printf(" %5.3gx %s", goals_.at(task), reached ? "reached" : "NOT reached");
    }
    std::printf("\n");
  }
}

}  // namespace heed::bench
