// SPDX-License-Identifier: MIT
#include <study/plan/plan_status.h>
#include <study/results/participant_results.h>

#include <algorithm>
#include <filesystem>

namespace heed::study {
namespace {

using Duration = std::chrono::duration<double>;

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
  const ResultStore results(folder.results());
  PlanStatus status;
  std::vector<Duration> times;
  for (std::size_t k = 0; k < plan.participants().size(); ++k) {
    const auto settings = plan.grid().settings_of(k);
    if (settings.empty()) continue;
    const PlannedParticipant& planned = plan.participants()[k];
    ParticipantStatus one{.id = planned.id,
                          .speakers = planned.speakers,
                          .results = settings.size(),
                          .damaged = results.is_damaged(planned.id)};
    one.done = static_cast<std::size_t>(std::ranges::count_if(settings, [&](std::size_t setting) {
      return results.contains(planned.id, plan.key({k, setting}));
    }));
    status.results += one.results;
    status.done += one.done;
    if (one.damaged) ++status.damaged;
    if (one.done == one.results) {
      ++status.finished;
      if (const auto time = written_at(results.file_of(planned.id))) times.push_back(*time);
    }
    status.participants.push_back(std::move(one));
  }
  const auto per_second = rate_of(times, std::filesystem::file_time_type::clock::now().time_since_epoch());
  if (!per_second) return status;
  status.rate = *per_second * static_cast<double>(status.results) / static_cast<double>(status.participants.size());
  status.left = Duration{static_cast<double>(status.results - status.done) / *status.rate};
  return status;
}

}  // namespace heed::study
