// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/connections/signals_blocked.h>
#include <live/sinks/threaded_sink.h>

#include <chrono>
#include <utility>

namespace heed::live {
namespace {

constexpr auto longest_farewell = std::chrono::seconds(2);  // without anything being delivered

}  // namespace

ThreadedSink::ThreadedSink(std::unique_ptr<Speech> speech, const Room& room, Index speakers)
    : speech_(std::move(speech)), queue_(room.places, speakers, room.patience) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

ThreadedSink::~ThreadedSink() { end(); }

void ThreadedSink::run() {
  failure_ = failure_of([this] {
    Report report;
    while (queue_.take(report)) {
      if (!speech_->deliver(report, waker_)) ++undelivered_;
      ++handled_;
    }
  });
  broken_ = failure_.has_value();
  const std::lock_guard lock(mutex_);
  done_ = true;
  done_changed_.notify_one();
}

void ThreadedSink::end() {
  if (!thread_.joinable()) return;
  queue_.close();
  {
    std::unique_lock lock(mutex_);
    Index before = -1;
    while (!done_ && std::exchange(before, handled_.load()) != handled_) {
      (void)done_changed_.wait_for(lock, longest_farewell, [&] { return done_; });
    }
  }
  waker_.wake();
  thread_.join();
}

void ThreadedSink::finish() {
  end();
  if (const auto failure = std::exchange(failure_, std::nullopt)) throw Error(failure->kind, failure->message);
  if (const std::string trouble = speech_->trouble(); !trouble.empty()) throw Error(ErrorKind::io, trouble);
}

SinkCounts ThreadedSink::counts() const noexcept {
  SinkCounts counts = speech_->counts();
  counts.dropped = queue_.dropped() + undelivered_;
  counts.broken = broken_;
  return counts;
}

}  // namespace heed::live
