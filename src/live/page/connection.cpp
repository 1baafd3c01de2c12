// SPDX-License-Identifier: MIT
#include <live/page/connection.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace heed::live {

short PageConnection::awaited() const noexcept {
  const bool pending = piece_ != nullptr || (answer_.stream != nullptr && answer_.stream->has_more(answer_.place));
  return static_cast<short>(POLLIN | (stage_ == Stage::writing && pending ? POLLOUT : 0));
}

bool PageConnection::read(Time now) {
  if (stage_ != Stage::reading) {
    drain();
    return false;
  }
  std::array<char, 4096> bytes{};
  const ssize_t count = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count <= 0) {
    stage_ = Stage::over;
    return false;
  }
  const bool done = reader_.take({bytes.data(), static_cast<std::size_t>(count)}) != RequestReader::State::reading;
  if (done) since_ = now;
  return done;
}

void PageConnection::reply(Answer answer, Time now) {
  answer_ = std::move(answer);
  piece_ = std::make_shared<const std::string>(head_of(answer_) + answer_.body);
  answer_.body.clear();
  stage_ = Stage::writing;
  since_ = now;
  write(now);
}

bool PageConnection::has_bytes() {
  if (piece_ && sent_ == piece_->size()) {
    piece_ = nullptr;
    sent_ = 0;
  }
  if (!piece_ && answer_.stream != nullptr) piece_ = answer_.stream->take(answer_.place);
  return piece_ != nullptr;
}

void PageConnection::write(Time now) {
  while (stage_ == Stage::writing && has_bytes()) {
    const ssize_t count = ::send(socket_.get(), piece_->data() + sent_, piece_->size() - sent_, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) stage_ = Stage::over;
    if (count < 0) return;
    sent_ += static_cast<std::size_t>(count);
    since_ = answer_.stream != nullptr ? now : since_;
  }
  if (stage_ != Stage::writing) return;
  if (answer_.stream != nullptr) {
    since_ = now;  // nothing waits for the viewer
    return;
  }
  (void)::shutdown(socket_.get(), SHUT_WR);
  stage_ = Stage::draining;
  since_ = now;
}

// Reads what comes after the request: nothing, or the end.
void PageConnection::drain() noexcept {
  std::array<char, 4096> bytes{};
  const ssize_t count = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) stage_ = Stage::over;
}

void PageConnection::end_if_overdue(const PageLimits& limits, Time now) noexcept {
  constexpr Seconds draining{2};
  const Seconds passed{std::chrono::duration<double>(now - since_).count()};
  Seconds allowed = limits.request;
  if (stage_ == Stage::writing) allowed = answer_.stream != nullptr ? limits.stalled : limits.answer;
  if (stage_ == Stage::draining) allowed = draining;
  if (passed > allowed) stage_ = Stage::over;
}

}  // namespace heed::live
