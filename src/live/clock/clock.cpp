// SPDX-License-Identifier: MIT
#include <live/clock/clock.h>

#include <chrono>
#include <thread>

namespace heed::live {
namespace {

using Steady = std::chrono::steady_clock;

}  // namespace

Seconds SteadyClock::now() { return {std::chrono::duration<double>(Steady::now().time_since_epoch()).count()}; }

void SteadyClock::wait_until(Seconds time) {
  std::this_thread::sleep_until(
      Steady::time_point(std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(time.value))));
}

}  // namespace heed::live
