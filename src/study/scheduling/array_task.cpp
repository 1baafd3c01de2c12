// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/scheduling/array_task.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

namespace heed::study {
namespace {

// Names of variables; empty where a scheduler has none of the kind.
struct Scheduler {
  std::string_view name;
  std::string_view index;
  std::string_view first;
  std::string_view last;
  std::string_view step;
  std::string_view count;
};

constexpr std::array schedulers{
    Scheduler{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP",
              "SLURM_ARRAY_TASK_COUNT"},
    Scheduler{"PBS", "PBS_ARRAY_INDEX", "", "", "", ""},
    Scheduler{"Torque", "PBS_ARRAYID", "", "", "", ""},
    Scheduler{"Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", ""},
};

constexpr std::string_view by_hand = "name the share by hand: 2/8 is the second of eight";

Error unclear(const std::string& reason) { return {ErrorKind::invalid_argument, reason}; }

std::string quoted(std::string_view name, const std::string& value) { return std::string(name) + "='" + value + "'"; }

// Set to a value; Grid Engine sets 'undefined' for jobs that are no arrays.
std::optional<std::string> value_of(const Environment& environment, std::string_view name) {
  if (name.empty()) return std::nullopt;
  std::optional<std::string> value = environment(std::string(name));
  if (value && (value->empty() || *value == "undefined")) return std::nullopt;
  return value;
}

std::optional<std::size_t> whole_number(std::string_view text) {
  std::uint32_t result = 0;  // no scheduler has more, and sums of them cannot overflow
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, result);
  return failure == std::errc{} && stop == end ? std::optional<std::size_t>(result) : std::nullopt;
}

std::optional<std::size_t> number(const Environment& environment, std::string_view name) {
  const std::optional<std::string> value = value_of(environment, name);
  if (!value) return std::nullopt;
  const std::optional<std::size_t> result = whole_number(*value);
  if (!result) throw unclear(quoted(name, *value) + " is not the number of a task; " + std::string(by_hand));
  return result;
}

const Scheduler& speaking(const Environment& environment) {
  std::vector<const Scheduler*> found;
  for (const Scheduler& one : schedulers) {
    if (value_of(environment, one.index)) found.push_back(&one);
  }
  if (found.empty()) {
    throw unclear(
        "this is not a task of a job array (none of SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, PBS_ARRAYID, SGE_TASK_ID is "
        "set); in a shell " +
        std::string(by_hand) + ", and 1/1 is everything");
  }
  if (found.size() > 1) {
    throw unclear("both " + std::string(found[0]->index) + " and " + std::string(found[1]->index) +
                  " are set, of two schedulers; unset one, or " + std::string(by_hand));
  }
  return *found.front();
}

ArrayTask numbered_task(const Scheduler& scheduler, std::size_t index, std::size_t count) {
  if (count == 0) throw unclear("an array of 0 tasks has no shares; write auto/8 for eight");
  if (index == 0 || index > count) {
    throw unclear(quoted(scheduler.index, std::to_string(index)) + " is outside of 1 to " + std::to_string(count) +
                  "; number the array from 1 to " + std::to_string(count));
  }
  return {index, count};
}

// Of an array first, first + step, ..., last.
ArrayTask counted_task(const Scheduler& scheduler, std::size_t index, const Environment& environment) {
  const std::optional<std::size_t> first = number(environment, scheduler.first);
  const std::optional<std::size_t> last = number(environment, scheduler.last);
  const std::size_t step = number(environment, scheduler.step).value_or(1);
  if (!first || !last) {
    throw unclear(std::string(scheduler.name) + " does not say how many tasks there are; write their number, e.g. " +
                  "auto/8 for an array from 1 to 8");
  }
  if (step == 0 || index < *first || index > *last || (index - *first) % step != 0) {
    throw unclear(quoted(scheduler.index, std::to_string(index)) + " is not in an array from " +
                  std::to_string(*first) + " to " + std::to_string(*last) + " by " + std::to_string(step) + "; " +
                  std::string(by_hand));
  }
  const std::size_t count = (*last - *first) / step + 1;
  if (const auto announced = number(environment, scheduler.count); announced && *announced != count) {
    throw unclear("an array with gaps: " + std::to_string(*announced) + " tasks from " + std::to_string(*first) +
                  " to " + std::to_string(*last) + "; write the number of all shares, e.g. auto/" +
                  std::to_string(*last) + " for an array from 1 to " + std::to_string(*last));
  }
  return {(index - *first) / step + 1, count};
}

}  // namespace

ArrayTask array_task(const Environment& environment, std::optional<std::size_t> count) {
  const Scheduler& scheduler = speaking(environment);
  const std::size_t index = *number(environment, scheduler.index);
  return count ? numbered_task(scheduler, index, *count) : counted_task(scheduler, index, environment);
}

ArrayTask parse_share(const std::string& text, const Environment& environment) {
  if (text == "auto") return array_task(environment);
  const std::size_t slash = text.find('/');
  const std::string first = text.substr(0, slash);
  const auto number = whole_number(first);
  const auto count = slash == std::string::npos ? std::nullopt : whole_number(std::string_view(text).substr(slash + 1));
  constexpr std::size_t most = 1'000'000;
  if (first == "auto" && count) return array_task(environment, count);
  if (number && count && *number >= 1 && *number <= *count && *count <= most) return {*number, *count};
  throw Error(
      ErrorKind::invalid_argument,
      "'" + text + "' names no share; write i/n, the i-th of n from 1/n to n/n, or auto or auto/n in a job array");
}

}  // namespace heed::study
