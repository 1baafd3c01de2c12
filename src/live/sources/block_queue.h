// SPDX-License-Identifier: MIT
// Blocks between the thread that reads a device or a socket and the session: a queue with a fixed number of places.
// Storage goes round by exchange, so that nothing is allocated once every place was used.
#pragma once

#include <heed/live/stream.h>
#include <live/connections/failure.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace heed::live {

enum class WhenFull {
  wait,         // for room: the sender notices, since nothing is read from it
  drop_oldest,  // and count: the sender must not wait
};

class BlockQueue {
 public:
  BlockQueue(std::size_t places, WhenFull when_full);

  // For the thread that reads. False: the queue was closed, read no more.
  [[nodiscard]] bool put(Block& block);
  // No more will come; a failure is thrown by take() after the last block.
  void end(std::optional<Failure> failure = {});

  // For the session's side.
  [[nodiscard]] Arrival take(Block& block, Seconds patience);
  void close();  // nobody will take any more
  [[nodiscard]] Index dropped() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable filled_;
  std::vector<Block> places_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  WhenFull when_full_;
  Index dropped_ = 0;
  bool ended_ = false;
  bool closed_ = false;
  std::optional<Failure> failure_;
};

}  // namespace heed::live
