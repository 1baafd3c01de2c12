// SPDX-License-Identifier: MIT
// Makes the cells of a plan, or one process's share of them. Started again, it makes what is missing; several processes
// may run at once, on shares of their own or the same, and find each other's work.
#pragma once

#include <study/array_task.h>
#include <study/plan/plan.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heed::study {

// "2/4": the second of four shares. Throws invalid_argument.
[[nodiscard]] ArrayTask parse_shard(const std::string& text);

// Cells first ... last-1 are a share's own. The shares of a plan differ by one cell at most.
struct CellBlock {
  std::size_t first = 0;
  std::size_t last = 0;
};
[[nodiscard]] CellBlock block_of(const ArrayTask& shard, std::size_t cells);

using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct PlanRunOptions {
  ArrayTask shard{};
  pipeline::Threads threads{1};
  Progress decoding{};  // in participants
  Progress cells{};     // never by two threads at once
};

struct PlanRunReport {
  std::size_t cells = 0;        // of the share
  std::size_t done_before = 0;  // those that were there
  std::size_t made = 0;
  std::size_t damaged = 0;                        // made again, among those made
  std::vector<std::string> notes{};               // who was left out
  std::map<std::string, std::size_t> left_out{};  // why cells made have no result, and how many
};

// The cohort is the one that was planned. Throws bad_data, naming who differs, where its data are not those that were
// planned; cannot_create and io where a cell cannot be written: what was finished stays.
[[nodiscard]] PlanRunReport run_plan(const PlanFolder& folder, const Cohort& cohort, const PlanRunOptions& options);

// The same with scores that are there, of this cohort and these settings, and cells in any store: studies that ask for
// the same cell share it.
[[nodiscard]] PlanRunReport run_plan(const Plan& plan, const ScoreLibrary& scores, const CellStore& cells,
                                     const PlanRunOptions& options);

}  // namespace heed::study
