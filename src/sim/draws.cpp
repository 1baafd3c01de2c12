// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <sim/draws.h>

#include <cmath>

namespace heed::sim {

void require(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorKind::invalid_argument, message);
}

void check_interval(const SwitchInterval& interval) {
  constexpr double longest_of_all = 1e8;  // beyond it is a slip of units
  const double shortest = interval.shortest.value;
  const double longest = interval.longest.value;
  const std::string named = "switch interval " + data::shown(shortest) + " to " + data::shown(longest) + " s: ";
  require(shortest > 0 && shortest <= longest && longest <= longest_of_all,
          named + "give positive seconds, the shorter first");
  require(shortest == longest || (std::floor(shortest) == shortest && std::floor(longest) == longest),
          named + "a range is drawn in whole seconds");
}

Seconds draw_interval(const SwitchInterval& interval, RandomStream& random) {
  if (interval.shortest == interval.longest) return interval.shortest;
  return {static_cast<double>(random.integer(static_cast<std::int64_t>(interval.shortest.value),
                                             static_cast<std::int64_t>(interval.longest.value)))};
}

}  // namespace heed::sim
