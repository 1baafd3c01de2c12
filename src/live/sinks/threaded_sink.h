// SPDX-License-Identifier: MIT
// A sink that speaks on a thread of its own: the session hands a report over and goes on, whatever the other end does.
#pragma once

#include <heed/live/decision.h>
#include <live/connections/failure.h>
#include <live/connections/waiting.h>
#include <live/sinks/report_queue.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace heed::live {

// What the thread does with a report.
class Speech {
 public:
  Speech() = default;
  virtual ~Speech() = default;
  Speech(const Speech&) = delete;
  Speech& operator=(const Speech&) = delete;
  Speech(Speech&&) = delete;
  Speech& operator=(Speech&&) = delete;

  // False: it did not arrive; the next one may. Throws io where none will.
  [[nodiscard]] virtual bool deliver(const Report& report, const Waker& waker) = 0;
  // Why the last one did not arrive or was refused; empty: it was taken.
  [[nodiscard]] virtual std::string trouble() const = 0;
  // Asked for by another thread.
  [[nodiscard]] virtual SinkCounts counts() const noexcept = 0;
};

class ThreadedSink final : public Sink {
 public:
  struct Room {
    std::size_t places = 0;
    Seconds patience{};  // that a full queue is waited for
  };
  ThreadedSink(std::unique_ptr<Speech> speech, const Room& room, Index speakers);
  ~ThreadedSink() override;
  ThreadedSink(const ThreadedSink&) = delete;
  ThreadedSink& operator=(const ThreadedSink&) = delete;
  ThreadedSink(ThreadedSink&&) = delete;
  ThreadedSink& operator=(ThreadedSink&&) = delete;

  void decided(const Decision& decision) override { queue_.put(decision); }
  void relaxed(const Relaxation& relaxation) override { queue_.put(relaxation); }
  // Waits until all is delivered, but no longer than two seconds in which nothing is. Throws io where the last report
  // did not arrive.
  void finish() override;
  [[nodiscard]] SinkCounts counts() const noexcept override;

 private:
  void run();
  void end();  // what waits is delivered, if there is time

  std::unique_ptr<Speech> speech_;
  ReportQueue queue_;
  Waker waker_;
  std::atomic<Index> undelivered_ = 0;
  std::atomic<Index> handled_ = 0;
  std::atomic<bool> broken_ = false;
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::optional<Failure> failure_;  // read after the thread has ended
  std::thread thread_;
};

}  // namespace heed::live
