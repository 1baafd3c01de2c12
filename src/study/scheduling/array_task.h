// SPDX-License-Identifier: MIT
// Which share of the work is a process's own: the words "2/8", or "auto" where a cluster's scheduler starts many of
// them, told from the variables that Slurm, PBS (PBS Pro, OpenPBS, Torque) and Grid Engine set for the tasks of a job
// array.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace heed::study {

// The number-th of count tasks, from 1.
struct ArrayTask {
  std::size_t number = 1;
  std::size_t count = 1;
  friend bool operator==(const ArrayTask&, const ArrayTask&) = default;
};

// A variable's value; nothing where it is not set. Asked by name, so that tests need no environment.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// With `count`, the task's index is its number, so that arrays run from 1 to count, and any of their tasks may be
// started again alone. Without it, the index is counted from the array's first: then the scheduler must say where the
// array begins and ends (PBS does not), and the array must have no gaps. Throws invalid_argument, with the remedy,
// where there is no array, two schedulers speak at once, or what they say makes no sense.
[[nodiscard]] ArrayTask array_task(const Environment& environment, std::optional<std::size_t> count = {});

// "2/4" is the second of four; "auto" and "auto/8" are array_task() without and with a count. Throws invalid_argument.
[[nodiscard]] ArrayTask parse_share(const std::string& text, const Environment& environment);

}  // namespace heed::study
