// SPDX-License-Identifier: MIT
// A source that reads on a thread of its own, so that what arrives is taken at once whatever the session is at. The
// thread ends when the source does.
#pragma once

#include <heed/live/stream.h>
#include <live/connections/waiting.h>
#include <live/sources/block_queue.h>

#include <memory>
#include <thread>

namespace heed::live {

// What the thread does.
class BlockReader {
 public:
  BlockReader() = default;
  virtual ~BlockReader() = default;
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;
  BlockReader(BlockReader&&) = delete;
  BlockReader& operator=(BlockReader&&) = delete;

  [[nodiscard]] virtual const StreamDescription& description() const = 0;
  // Reads until the stream ends, the waker is woken or the queue closed. What it throws, the session's side is told
  // after the last block.
  virtual void run(BlockQueue& queue, const Waker& waker) = 0;
  // Asked for by another thread while run() runs.
  [[nodiscard]] virtual SourceCounts counts() const noexcept { return {}; }
};

class ThreadedSource final : public Source {
 public:
  ThreadedSource(std::unique_ptr<BlockReader> reader, std::size_t places, WhenFull when_full);
  ~ThreadedSource() override;
  ThreadedSource(const ThreadedSource&) = delete;
  ThreadedSource& operator=(const ThreadedSource&) = delete;
  ThreadedSource(ThreadedSource&&) = delete;
  ThreadedSource& operator=(ThreadedSource&&) = delete;

  [[nodiscard]] const StreamDescription& description() const override { return reader_->description(); }
  Arrival next(Block& block, Seconds patience) override { return queue_.take(block, patience); }
  [[nodiscard]] SourceCounts counts() const noexcept override;

 private:
  std::unique_ptr<BlockReader> reader_;
  Waker waker_;
  BlockQueue queue_;
  std::thread thread_;
};

}  // namespace heed::live
