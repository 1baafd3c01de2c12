// SPDX-License-Identifier: MIT
// Waiting for a descriptor without being stuck: another thread can end it.
#pragma once

#include <heed/data/units.h>
#include <io/open_file.h>

#include <atomic>
#include <string_view>

namespace heed::live {

class Waker {
 public:
  Waker();  // throws io
  // Every wait ends at once from now on.
  void wake() const noexcept;
  // Until it is woken again.
  void calm() const noexcept;
  [[nodiscard]] int descriptor() const noexcept { return event_.get(); }

 private:
  io::FileDescriptor event_;
};

enum class Waited { ready, too_long, woken };

// events: POLLIN or POLLOUT. An error or a hang-up counts as ready, since the next call on the descriptor tells which.
[[nodiscard]] Waited wait_for(int descriptor, short events, const Waker& waker, Seconds patience);

// Waits until the descriptor can be read from. Throws io where `stop` (nullptr: never) becomes true before; the message
// says what was waited for.
void wait_to_read(int descriptor, const std::atomic<bool>* stop, std::string_view awaited);

}  // namespace heed::live
