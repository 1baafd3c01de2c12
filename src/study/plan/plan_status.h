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
  std::size_t results = 0;
  std::size_t done = 0;
  bool damaged = false;  // the file cannot be used; the next run makes all of it again
};

struct PlanStatus {
  std::vector<ParticipantStatus> participants{};  // those who have results in this study
  std::size_t results = 0;
  std::size_t done = 0;
  std::size_t finished = 0;                             // participants
  std::size_t damaged = 0;                              // participants
  std::optional<double> rate{};                         // results per second; nothing: the files' times do not tell
  std::optional<std::chrono::duration<double>> left{};  // at that rate
};

[[nodiscard]] PlanStatus plan_status(const PlanFolder& folder);

// Participants per second from the times at which they were finished, the longest pause left out where it is most of
// the time. Nothing for fewer than two, for times that are all the same, and for times after `now`: then some clock
// jumped.
[[nodiscard]] std::optional<double> rate_of(std::vector<std::chrono::duration<double>> finished,
                                            std::chrono::duration<double> now);

}  // namespace heed::study
