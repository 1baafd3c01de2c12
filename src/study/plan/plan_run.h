// SPDX-License-Identifier: MIT
// Makes the outcomes of a plan, or one process's share of its participants. Started again, it makes what is missing;
// several processes may run at once, on shares of their own or the same, and find each other's work. A process that is
// killed loses what it has not written: participants who are not finished, and of those the last seconds.
#pragma once

#include <study/plan/plan.h>
#include <study/results/participant_results.h>
#include <study/scheduling/array_task.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heed::study {

class ScoreLibrary;

// Participants first ... last-1 are a share's own. Shares have about as many outcomes each; a plan of fewer
// participants than shares leaves some without any.
struct ParticipantBlock {
  std::size_t first = 0;
  std::size_t last = 0;
};
[[nodiscard]] ParticipantBlock block_of(const ArrayTask& share, const OutcomeGrid& grid);

using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct PlanRunOptions {
  ArrayTask share{};
  data::Threads threads{1};
  Progress decoding{};  // in participants
  Progress results{};   // never by two threads at once
};

struct PlanRunReport {
  std::size_t participants = 0;  // of the share: those who have results in this study
  std::size_t results = 0;       // of the share
  std::size_t done_before = 0;   // those that were there
  std::size_t made = 0;
  std::size_t damaged = 0;                        // participants whose file was of no use, all of it made again
  Notes notes{};                                  // who was left out
  Notes choices{};                                // what was chosen for whom
  std::map<std::string, std::size_t> left_out{};  // why outcomes that were made are empty, and how many
};

// The cohort is the one that was planned. Throws bad_data, naming who differs, where its data are not those that were
// planned; cannot_create and io where a file cannot be written. What was finished stays, whatever is thrown.
[[nodiscard]] PlanRunReport run_plan(const PlanFolder& folder, const Cohort& cohort, const PlanRunOptions& options);

// The same with scores that are there, of this cohort and these settings, and results in any store: studies that ask
// for the same outcome share it.
[[nodiscard]] PlanRunReport run_plan(const Plan& plan, const ScoreLibrary& scores, ResultStore& results,
                                     const PlanRunOptions& options);

}  // namespace heed::study
