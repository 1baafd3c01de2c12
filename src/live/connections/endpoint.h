// SPDX-License-Identifier: MIT
// Where a socket's address leads to: connecting to it, and listening there. All sockets are non-blocking and are
// waited for by wait_for.
#pragma once

#include <heed/data/units.h>
#include <io/open_file.h>
#include <live/address.h>
#include <live/connections/waiting.h>
#include <sys/socket.h>

#include <atomic>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

struct Endpoint {
  sockaddr_storage address{};
  socklen_t length = 0;
};

// One, or several for a host with several addresses. Throws not_found (a host without an address), invalid_argument (a
// path too long for a Unix socket).
[[nodiscard]] std::vector<Endpoint> endpoints_of(const Address& address);

// The first that answers. Throws io (refused, unreachable, no answer in time, woken) and not_found (no such Unix
// socket), with the address and a remedy.
[[nodiscard]] io::FileDescriptor connect_to(const Address& address, std::span<const Endpoint> endpoints,
                                            const Waker& waker, Seconds patience);

// Listens for peers. A Unix socket's file is there for as long as the listener.
class Listener {
 public:
  // waiting: how many peers the system keeps until they are accepted. Throws as endpoints_of, and io: a port or path in
  // use, no permission, a file that is no socket.
  explicit Listener(const Address& address, int waiting = 1);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener(Listener&&) = delete;
  Listener& operator=(Listener&&) = delete;

  [[nodiscard]] int port() const;  // the one that was found for port 0
  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  // Waits for a peer. Throws io where `stop` becomes true before one comes.
  [[nodiscard]] io::FileDescriptor accept(const std::atomic<bool>* stop) const;

 private:
  std::string name_;
  std::string file_;  // of a Unix socket
  io::FileDescriptor socket_;
};

}  // namespace heed::live
