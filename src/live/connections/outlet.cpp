// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/growing_file.h>
#include <live/connections/outlet.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace heed::live {
namespace {

constexpr Seconds connecting{5};
constexpr Seconds connecting_anew{1};
constexpr auto between_attempts = std::chrono::milliseconds(250);
constexpr Seconds long_time{3600};  // after which it is waited for again

bool is_standard_output(const Address& address) {
  return address.scheme == "-" || (address.scheme == "ndjson" && address.path == "-");
}

io::FileDescriptor opened_file(const Address& address) {
  const bool standard = is_standard_output(address);
  io::FileDescriptor file =
      standard ? io::FileDescriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) : io::hold_emptied(address.path);
  if (!file.is_open()) {
    throw Error(ErrorKind::cannot_create,
                (standard ? "standard output" : address.path) +
                    ": cannot be written to: " + io::why_not_emptied(errno) +
                    "; choose another file, or a folder that exists and that you may write to");
  }
  return file;
}

}  // namespace

Outlet::Outlet(const Address& address)
    : address_(address), name_(is_standard_output(address) ? "standard output" : address.text) {
  if (address.scheme == "ndjson" || address.scheme == "-") {
    open_.emplace(opened_file(address));
    return;
  }
  endpoints_ = endpoints_of(address);
  open_.emplace(connect_to(address_, endpoints_, Waker{}, connecting));
}

void Outlet::lose() noexcept {
  open_.reset();
  next_attempt_ = std::chrono::steady_clock::now() + between_attempts;
}

bool Outlet::connected(const Waker& waker) {
  if (open_) return true;
  if (std::chrono::steady_clock::now() < next_attempt_) return false;
  try {
    open_.emplace(connect_to(address_, endpoints_, waker, connecting_anew));
  } catch (const Error&) {
    lose();
    return false;
  }
  ++reconnects_;
  return true;
}

// False: the connection was lost.
bool Outlet::write_piece(std::string_view& bytes) {
  // A pipe that can be written to has room for so much; more might wait for its reader.
  const std::string_view piece = bytes.substr(0, PIPE_BUF);
  const ssize_t count = ::write(open_->get(), piece.data(), piece.size());
  if (count >= 0) {
    bytes.remove_prefix(static_cast<std::size_t>(count));
    return true;
  }
  if (errno == EAGAIN || errno == EINTR) return true;
  if (!endpoints_.empty()) return false;
  const int problem = errno;
  throw Error(ErrorKind::io, name_ + ": cannot be written to: " + io::reason(problem) +
                                 (problem == EPIPE ? "; its reader has gone" : "; is the disk full?"));
}

bool Outlet::write(std::string_view bytes, const Waker& waker) {
  if (!connected(waker)) return false;
  while (!bytes.empty()) {
    const Waited waited = wait_for(open_->get(), POLLOUT, waker, long_time);
    const bool alive = waited == Waited::too_long || (waited == Waited::ready && write_piece(bytes));
    if (alive) continue;
    if (!endpoints_.empty()) lose();
    return false;
  }
  return true;
}

}  // namespace heed::live
