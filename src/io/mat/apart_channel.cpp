// SPDX-License-Identifier: MIT
#include <io/mat/apart_channel.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

namespace heed::io {
namespace {

constexpr int most_patience = 60'000;                            // milliseconds without a byte
constexpr std::uint64_t longest_text = std::uint64_t{1} << 20U;  // bytes

}  // namespace

std::size_t Channel::checked(std::uint64_t bytes) {
  if (bytes > longest_text) throw Broken{};
  return static_cast<std::size_t>(bytes);
}

void Channel::put_bytes(const void* bytes, std::size_t count) {
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(socket_.get(), next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw Broken{};
    next += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

void Channel::get_bytes(void* bytes, std::size_t count) {
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    pollfd waiting{socket_.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, most_patience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) throw Broken{};
    const ssize_t received = ::recv(socket_.get(), next, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) throw Broken{};
    next += received;
    count -= static_cast<std::size_t>(received);
  }
}

}  // namespace heed::io
