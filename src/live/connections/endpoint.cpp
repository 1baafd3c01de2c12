// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace heed::live {
namespace {

const sockaddr* general(const Endpoint& endpoint) {
  return reinterpret_cast<const sockaddr*>(&endpoint.address);  // NOLINT(*-reinterpret-cast): as sockets want it
}

Error failure(const Address& address, ErrorKind kind, const std::string& problem) {
  return {kind, address.text + ": " + problem};
}

Endpoint unix_endpoint(const Address& address) {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  if (address.path.size() >= sizeof local.sun_path) {
    throw failure(address, ErrorKind::invalid_argument,
                  "the path has " + std::to_string(address.path.size()) + " bytes, a Unix socket's may have " +
                      std::to_string(sizeof local.sun_path - 1) + "; choose a shorter one");
  }
  std::memcpy(local.sun_path, address.path.data(), address.path.size());
  Endpoint endpoint{.length = sizeof local};
  std::memcpy(&endpoint.address, &local, sizeof local);
  return endpoint;
}

io::FileDescriptor new_socket(const Address& address, const Endpoint& endpoint) {
  const int family = endpoint.address.ss_family;
  io::FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) throw failure(address, ErrorKind::io, "cannot make a socket: " + io::reason(errno));
  const int on = 1;
  // Lines are short and must not wait for company. A socket that has no such option needs none.
  if (family != AF_UNIX) (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

// 0, or the error number.
int connect_one(const io::FileDescriptor& socket, const Endpoint& endpoint, const Waker& waker, Seconds patience) {
  if (::connect(socket.get(), general(endpoint), endpoint.length) == 0) return 0;
  if (errno != EINPROGRESS && errno != EINTR) return errno;
  const Waited waited = wait_for(socket.get(), POLLOUT, waker, patience);
  if (waited != Waited::ready) return waited == Waited::woken ? ECANCELED : ETIMEDOUT;
  int problem = 0;
  socklen_t size = sizeof problem;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &size) == 0 ? problem : errno;
}

Error connection_failure(const Address& address, int problem) {
  std::string text = "cannot connect: " + io::reason(problem);
  if (problem == ECONNREFUSED) text += "; nobody listens there: start the other end first, or check host and port";
  if (problem == ENOENT) text += "; start the program that makes this socket first, or check the path";
  if (problem == EACCES) text += "; you may not use this socket: ask its owner for permission to write to it";
  if (problem == ETIMEDOUT || problem == EHOSTUNREACH || problem == ENETUNREACH) {
    text += "; check the host, the network and the firewall";
  }
  return failure(address, problem == ENOENT ? ErrorKind::not_found : ErrorKind::io, text);
}

Error listening_failure(const Address& address, int problem) {
  std::string text = "cannot listen: " + io::reason(problem);
  if (problem == EADDRINUSE) text += "; another program listens there: end it, or choose another address";
  if (problem == EACCES || problem == EPERM) {
    text += address.scheme == "unix" ? "; choose a folder that you may write to" : "; choose a port from 1024 on";
  }
  if (problem == EADDRNOTAVAIL) text += "; the host must be an address of this machine, such as 127.0.0.1";
  if (problem == ENOENT) text += "; the folder does not exist: create it";
  return failure(address, ErrorKind::io, text);
}

// A socket that a killed process left behind is in nobody's use.
void remove_stale_socket(const Address& address, const Endpoint& endpoint) {
  struct stat status {};
  if (::lstat(address.path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) {
    throw failure(address, ErrorKind::io, "there is a file of this name which is not a socket; choose another path");
  }
  const io::FileDescriptor probe = new_socket(address, endpoint);
  const bool refused = ::connect(probe.get(), general(endpoint), endpoint.length) != 0 && errno == ECONNREFUSED;
  if (refused) (void)::unlink(address.path.c_str());
}

}  // namespace

std::vector<Endpoint> endpoints_of(const Address& address) {
  if (address.scheme == "unix") return {unix_endpoint(address)};
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int problem = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &first);
  if (problem != 0) {
    throw failure(address, ErrorKind::not_found,
                  "the host '" + address.host + "' has no address (" + ::gai_strerror(problem) + "); check its name");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> list(first, &::freeaddrinfo);
  std::vector<Endpoint> endpoints;
  for (const addrinfo* one = first; one != nullptr; one = one->ai_next) {
    Endpoint& endpoint = endpoints.emplace_back();
    endpoint.length = one->ai_addrlen;
    std::memcpy(&endpoint.address, one->ai_addr, one->ai_addrlen);
  }
  return endpoints;
}

io::FileDescriptor connect_to(const Address& address, std::span<const Endpoint> endpoints, const Waker& waker,
                              Seconds patience) {
  int problem = EADDRNOTAVAIL;
  for (const Endpoint& endpoint : endpoints) {
    io::FileDescriptor socket = new_socket(address, endpoint);
    problem = connect_one(socket, endpoint, waker, patience);
    if (problem == 0) return socket;
  }
  throw connection_failure(address, problem);
}

Listener::Listener(const Address& address, int waiting)
    : name_(address.text), socket_([&] {
        const Endpoint endpoint = endpoints_of(address).front();
        if (address.scheme == "unix") remove_stale_socket(address, endpoint);
        io::FileDescriptor socket = new_socket(address, endpoint);
        const int on = 1;
        // Without it a port stays taken for a minute after a session.
        (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        const bool listens =
            ::bind(socket.get(), general(endpoint), endpoint.length) == 0 && ::listen(socket.get(), waiting) == 0;
        if (!listens) throw listening_failure(address, errno);
        return socket;
      }()) {
  if (address.scheme == "unix") file_ = address.path;
}

Listener::~Listener() {
  if (!file_.empty()) (void)::unlink(file_.c_str());
}

int Listener::port() const {
  Endpoint endpoint{.length = sizeof(sockaddr_storage)};
  // NOLINTNEXTLINE(*-reinterpret-cast): as sockets want it
  if (::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.length) != 0) return 0;
  sockaddr_in6 six{};
  sockaddr_in four{};
  std::memcpy(&six, &endpoint.address, sizeof six);
  std::memcpy(&four, &endpoint.address, sizeof four);
  if (endpoint.address.ss_family == AF_INET6) return ntohs(six.sin6_port);
  return endpoint.address.ss_family == AF_INET ? ntohs(four.sin_port) : 0;
}

io::FileDescriptor Listener::accept(const std::atomic<bool>* stop) const {
  while (true) {
    wait_to_read(socket_.get(), stop, "a connection to " + name_);
    const int peer = ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (peer >= 0) return io::FileDescriptor(peer);
    // A peer that has gone again is no reason to stop listening.
    const bool passing = errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    if (!passing) throw Error(ErrorKind::io, name_ + ": cannot accept a connection: " + io::reason(errno));
  }
}

}  // namespace heed::live
