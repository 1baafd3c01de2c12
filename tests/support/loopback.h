// SPDX-License-Identifier: MIT
// The other end of a socket, on this machine: a server on a free port, a client, lines in and out. Nothing waits for
// longer than a minute.
#pragma once

#include <io/open_file.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heed::test {

inline void be_impatient(int descriptor) {
  const timeval patience{.tv_sec = 60, .tv_usec = 0};
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

inline sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

class LoopbackServer {
 public:
  // port 0: a free one.
  explicit LoopbackServer(int port = 0) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(port);
    socklen_t length = sizeof address;
    const int on = 1;
    (void)::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    auto* general = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_.get(), general, length) != 0 || ::listen(socket_.get(), 4) != 0 ||
        ::getsockname(socket_.get(), general, &length) != 0) {
      throw std::runtime_error("cannot listen: " + io::reason(errno));
    }
    be_impatient(socket_.get());
    port_ = ntohs(address.sin_port);
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] io::FileDescriptor accept() const {
    io::FileDescriptor peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer.is_open()) throw std::runtime_error("nobody connected: " + io::reason(errno));
    be_impatient(peer.get());
    return peer;
  }

 private:
  io::FileDescriptor socket_;
  int port_ = 0;
};

// A port where nobody listens.
inline int free_port() { return LoopbackServer().port(); }

// False: the other end has gone.
inline bool send_bytes(const io::FileDescriptor& peer, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(peer.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Without its line end; empty at the end of the stream.
inline std::string receive_line(const io::FileDescriptor& peer) {
  std::string line;
  std::array<char, 1> byte{};
  while (::recv(peer.get(), byte.data(), 1, 0) == 1 && byte[0] != '\n') line += byte[0];
  return line;
}

// Closes so that the other end is told of a lost connection.
inline void reset(io::FileDescriptor peer) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  (void)::setsockopt(peer.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

}  // namespace heed::test
