// SPDX-License-Identifier: MIT
#include <live/connections/signals_blocked.h>
#include <live/page/server.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

namespace heed::live {
namespace {

constexpr int tick = 200;  // ms: so soon is something overdue noticed, and a session's silence shown
constexpr int backlog = 512;

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

// A viewer that has gone without a word is noticed by the system, and one that is slow is not queued for without end.
void bound_memory_and_time(int socket) noexcept {
  const int on = 1;
  const int bytes = 1 << 17;
  const unsigned unanswered = 20'000;  // ms
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  (void)::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered, sizeof unanswered);
}

}  // namespace

Answer refusal(int status, std::string_view words) { return {.status = status, .body = std::string(words) + "\n"}; }

std::string head_of(const Answer& answer) {
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  head += reason_of(answer.status);
  head += "\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Type: ";
  head += answer.type;
  if (answer.stream == nullptr) head += "\r\nContent-Length: " + std::to_string(answer.body.size());
  if (!answer.cookie.empty()) head += "\r\nSet-Cookie: " + answer.cookie;
  // Scripts, styles and data come from here alone, and nobody puts the page into a frame.
  head +=
      "\r\nContent-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      "\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer"
      "\r\nCross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\r\n";
  return head;
}

PageServer::PageServer(const Address& address, Gate gate, Site& site, const PageLimits& limits)
    : listener_(address, backlog), gate_(std::move(gate)), site_(site), limits_(limits) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

PageServer::~PageServer() {
  ending_ = true;
  waker_.wake();
  thread_.join();
}

Answer PageServer::answer(const RequestReader& reader) {
  if (reader.state() == RequestReader::State::refused) return refusal(reader.status(), reason_of(reader.status()));
  const HttpRequest& request = reader.request();
  const Gate::Verdict verdict = gate_.judge(request);
  if (verdict.status != 200) return refusal(verdict.status, verdict.words);
  Answer answer;
  try {
    answer = site_.answer(request);
  } catch (const std::exception& error) {
    return refusal(500, error.what());
  }
  answer.cookie = gate_.cookie_for(request);
  if (answer.stream != nullptr && viewers_ >= static_cast<Index>(limits_.viewers)) {
    return refusal(503, "Too many people are watching already. Try again later.");
  }
  viewers_ += answer.stream != nullptr ? 1 : 0;
  return answer;
}

// The oldest of those who have asked for nothing yet gives way to those who come; else the oldest who is no viewer.
bool PageServer::send_one_away() {
  auto gone = std::ranges::find_if(connections_, [](const auto& one) { return !one->has_asked(); });
  if (gone == connections_.end())
    gone = std::ranges::find_if(connections_, [](const auto& one) { return !one->is_viewer(); });
  if (gone == connections_.end()) return false;
  connections_.erase(gone);
  return true;
}

void PageServer::accept_all(PageConnection::Time now) {
  for (int count = 0; count < backlog; ++count) {
    io::FileDescriptor peer(::accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!peer.is_open()) {
      const bool no_room = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      if (no_room) (void)send_one_away();
      return;
    }
    bound_memory_and_time(peer.get());
    if (connections_.size() < limits_.connections || send_one_away()) {
      connections_.push_back(std::make_unique<PageConnection>(std::move(peer), now));
    }
  }
}

void PageServer::serve(PageConnection& connection, short events, PageConnection::Time now) {
  const bool readable = (events & (POLLIN | POLLHUP | POLLERR)) != 0;
  if (readable && connection.read(now)) connection.reply(answer(connection.reader()), now);
  connection.write(now);
  connection.end_if_overdue(limits_, now);
}

void PageServer::run() {
  std::vector<pollfd> awaited;
  while (!ending_) {
    awaited.assign({{waker_.descriptor(), POLLIN, 0}, {listener_.descriptor(), POLLIN, 0}});
    for (const auto& connection : connections_) awaited.push_back({connection->descriptor(), connection->awaited(), 0});
    (void)::poll(awaited.data(), awaited.size(), tick);
    if (awaited[0].revents != 0) waker_.calm();
    site_.refresh();
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < connections_.size(); ++k) serve(*connections_[k], awaited[k + 2].revents, now);
    std::erase_if(connections_, [](const auto& connection) { return connection->is_over(); });
    viewers_ = std::ranges::count_if(connections_, [](const auto& connection) { return connection->is_viewer(); });
    if (awaited[1].revents != 0) accept_all(now);
  }
  // A last word for those who are there.
  site_.refresh();
  for (const auto& connection : connections_) connection->write(std::chrono::steady_clock::now());
}

}  // namespace heed::live
