// SPDX-License-Identifier: MIT
// A small web server for one page: one thread, one poll, everything bounded (docs/decisions/0010-own-page-server.md).
// The session it shows is never waited for, and never waits.
#pragma once

#include <heed/data/matrix.h>
#include <live/address.h>
#include <live/connections/endpoint.h>
#include <live/connections/waiting.h>
#include <live/page/connection.h>
#include <live/page/gate.h>
#include <live/page/site.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace heed::live {

class PageServer {
 public:
  // Begins to listen and to answer. address: tcp; port 0: a free one. Throws as Listener.
  PageServer(const Address& address, Gate gate, Site& site, const PageLimits& limits = {});
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;
  PageServer(PageServer&&) = delete;
  PageServer& operator=(PageServer&&) = delete;

  [[nodiscard]] int port() const { return listener_.port(); }
  // There is something new: for any thread.
  void wake() const noexcept { waker_.wake(); }
  [[nodiscard]] Index viewers() const noexcept { return viewers_; }  // for any thread

 private:
  void run();
  void accept_all(PageConnection::Time now);
  bool send_one_away();  // false: nobody can go
  void serve(PageConnection& connection, short events, PageConnection::Time now);
  [[nodiscard]] Answer answer(const RequestReader& reader);

  Listener listener_;
  Gate gate_;
  Site& site_;
  PageLimits limits_;
  Waker waker_;
  std::atomic<bool> ending_ = false;
  std::atomic<Index> viewers_ = 0;
  std::vector<std::unique_ptr<PageConnection>> connections_{};  // by age
  std::thread thread_;
};

}  // namespace heed::live
