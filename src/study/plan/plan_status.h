// SPDX-License-Identifier: MIT
// How far a plan is, told from the files alone: nobody need be running.
#pragma once

#include <study/plan/plan.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace heed::study {

struct ParticipantStatus {
  std::string id{};
  int speakers = 2;
  std::size_t cells = 0;
  std::size_t done = 0;
  std::size_t damaged = 0;
};

struct PlanStatus {
  std::size_t cells = 0;
  std::size_t done = 0;
  std::size_t damaged = 0;                              // made again by the next run
  std::vector<ParticipantStatus> participants{};        // those who have cells
  std::optional<double> rate{};                         // cells a second of late; nothing: the files' times do not tell
  std::optional<std::chrono::duration<double>> left{};  // at that rate
};

[[nodiscard]] PlanStatus plan_status(const PlanFolder& folder);

// Cells a second from the times at which the latest were finished, the longest pause left out where it is most of it.
// Nothing for fewer than two, for times that are all the same, and for times after `now`: then some clock jumped.
[[nodiscard]] std::optional<double> rate_of(std::vector<std::chrono::duration<double>> finished,
                                            std::chrono::duration<double> now);

}  // namespace heed::study
