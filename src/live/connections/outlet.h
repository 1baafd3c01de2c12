// SPDX-License-Identifier: MIT
// Where a sink's bytes go: a file, standard output or a socket. Writing waits for a slow reader, but never longer than
// its caller wants, and a connection that was lost is made again. For a thread that blocks SIGPIPE.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <io/open_file.h>
#include <live/address.h>
#include <live/connections/endpoint.h>
#include <live/connections/waiting.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::live {

class Outlet {
 public:
  // Opens it. A file is begun anew. Throws cannot_create (a file), io and not_found (a connection).
  explicit Outlet(const Address& address);

  // True: all of it was handed to the operating system. False: the connection was lost or could not be made again yet,
  // or the waker was woken; then the other end gets nothing of it, or the beginning of it as the last bytes of its
  // connection. Throws io where nothing can ever go out again: a full disk, a pipe without a reader.
  [[nodiscard]] bool write(std::string_view bytes, const Waker& waker);
  // For answers; -1 while there is no connection.
  [[nodiscard]] int descriptor() const noexcept { return open_ ? open_->get() : -1; }
  void lose() noexcept;  // the other end makes no sense any more: connect anew with the next write
  [[nodiscard]] Index reconnects() const noexcept { return reconnects_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  [[nodiscard]] bool connected(const Waker& waker);
  [[nodiscard]] bool write_piece(std::string_view& bytes);

  Address address_;
  std::string name_;
  std::vector<Endpoint> endpoints_;  // empty: not a socket
  std::optional<io::FileDescriptor> open_;
  std::chrono::steady_clock::time_point next_attempt_{};
  std::atomic<Index> reconnects_ = 0;
};

}  // namespace heed::live
