// SPDX-License-Identifier: MIT
// The time of the edge: when blocks arrive and how long a stored source is made to wait. Sessions are told the time and
// never ask; tests tell it to everybody by a VirtualClock.
#pragma once

#include <heed/data/units.h>

namespace heed::live {

class Clock {
 public:
  Clock() = default;
  virtual ~Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  Clock(Clock&&) = delete;
  Clock& operator=(Clock&&) = delete;

  [[nodiscard]] virtual Seconds now() = 0;  // never runs backwards
  virtual void wait_until(Seconds time) = 0;
};

// Of the machine, from some moment on.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] Seconds now() override;
  void wait_until(Seconds time) override;
};

// Stands still but for waiting, which takes no time.
class VirtualClock final : public Clock {
 public:
  [[nodiscard]] Seconds now() override { return now_; }
  void wait_until(Seconds time) override {
    if (time > now_) now_ = time;
  }

 private:
  Seconds now_{};
};

}  // namespace heed::live
