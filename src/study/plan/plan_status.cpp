// SPDX-License-Identifier: MIT
#include <study/cell_store.h>
#include <study/plan/plan_status.h>

#include <algorithm>
#include <functional>
#include <queue>

namespace heed::study {
namespace {

using Duration = std::chrono::duration<double>;

// The latest times of many, in little memory.
class Latest {
 public:
  void add(Duration time) {
    constexpr std::size_t enough = 1000;
    times_.push(time);
    if (times_.size() > enough) times_.pop();
  }
  std::vector<Duration> take() {
    std::vector<Duration> all;
    for (; !times_.empty(); times_.pop()) all.push_back(times_.top());
    return all;
  }

 private:
  std::priority_queue<Duration, std::vector<Duration>, std::greater<>> times_;
};

std::optional<Duration> written_at(const std::filesystem::path& file) {
  std::error_code failure;
  const auto time = std::filesystem::last_write_time(file, failure);
  if (failure) return std::nullopt;
  return time.time_since_epoch();
}

}  // namespace

std::optional<double> rate_of(std::vector<Duration> finished, Duration now) {
  constexpr Duration rounding{1};  // of file systems and of clocks that are in step
  std::ranges::sort(finished);
  if (finished.size() < 2 || finished.back() > now + rounding) return std::nullopt;
  Duration span = finished.back() - finished.front();
  Duration pause{0};
  for (std::size_t k = 1; k < finished.size(); ++k) pause = std::max(pause, finished[k] - finished[k - 1]);
  if (finished.size() > 2 && pause > span / 2) span -= pause;
  if (span <= Duration{0}) return std::nullopt;
  return static_cast<double>(finished.size() - 1) / span.count();
}

PlanStatus plan_status(const PlanFolder& folder) {
  const Plan& plan = folder.plan();
  const CellStore store(folder.cells());
  PlanStatus status;
  Latest latest;
  for (std::size_t k = 0; k < plan.participants().size(); ++k) {
    const auto settings = plan.grid().settings_of(k);
    ParticipantStatus own{
        .id = plan.participants()[k].id, .speakers = plan.participants()[k].speakers, .cells = settings.size()};
    for (const std::size_t setting : settings) {
      const std::string key = plan.key({k, setting});
      if (!store.has_file(key)) continue;
      if (store.find(key)) {
        ++own.done;
        if (const auto time = written_at(store.file_of(key))) latest.add(*time);
      } else {
        ++own.damaged;
      }
    }
    status.cells += own.cells;
    status.done += own.done;
    status.damaged += own.damaged;
    if (own.cells > 0) status.participants.push_back(std::move(own));
  }
  status.rate = rate_of(latest.take(), std::filesystem::file_time_type::clock::now().time_since_epoch());
  if (status.rate) status.left = Duration{static_cast<double>(status.cells - status.done) / *status.rate};
  return status;
}

}  // namespace heed::study
