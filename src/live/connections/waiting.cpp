// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/connections/waiting.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

namespace heed::live {
namespace {

using Clock = std::chrono::steady_clock;

timespec timespec_of(std::chrono::duration<double> time) {
  constexpr double longest = 1e6;  // s; who waits longer is asked again
  const double seconds = std::clamp(time.count(), 0.0, longest);
  const double whole = std::floor(seconds);
  return {.tv_sec = static_cast<time_t>(whole), .tv_nsec = static_cast<long>((seconds - whole) * 1e9)};
}

}  // namespace

Waker::Waker() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.is_open()) throw Error(ErrorKind::io, "cannot make an event: " + io::reason(errno));
}

void Waker::wake() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);  // full: it is awake already
}

void Waker::calm() const noexcept {
  std::uint64_t times = 0;
  [[maybe_unused]] const ssize_t count = ::read(event_.get(), &times, sizeof times);  // nothing: it is calm already
}

Waited wait_for(int descriptor, short events, const Waker& waker, Seconds patience) {
  const auto end = Clock::now() + std::chrono::duration<double>(patience.value);
  std::array<pollfd, 2> awaited{{{descriptor, events, 0}, {waker.descriptor(), POLLIN, 0}}};
  while (true) {
    const timespec rest = timespec_of(end - Clock::now());
    const int count = ::ppoll(awaited.data(), awaited.size(), &rest, nullptr);
    if (count < 0 && errno != EINTR) throw Error(ErrorKind::io, "cannot wait for data: " + io::reason(errno));
    if (count > 0) return awaited[1].revents != 0 ? Waited::woken : Waited::ready;
    if (count == 0 && Clock::now() >= end) return Waited::too_long;
  }
}

void wait_to_read(int descriptor, const std::atomic<bool>* stop, std::string_view awaited) {
  constexpr Seconds slice{0.1};  // so soon is a stop noticed
  const Waker never;
  while (stop == nullptr || !stop->load()) {
    if (wait_for(descriptor, POLLIN, never, slice) == Waited::ready) return;
  }
  throw Error(ErrorKind::io, "stopped while waiting for " + std::string(awaited));
}

}  // namespace heed::live
