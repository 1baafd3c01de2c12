// SPDX-License-Identifier: MIT
#include <live/sources/block_queue.h>

#include <chrono>
#include <utility>

namespace heed::live {

BlockQueue::BlockQueue(std::size_t places, WhenFull when_full) : places_(places), when_full_(when_full) {}

bool BlockQueue::put(Block& block) {
  {
    std::unique_lock lock(mutex_);
    if (when_full_ == WhenFull::wait) room_.wait(lock, [&] { return closed_ || count_ < places_.size(); });
    if (closed_) return false;
    if (count_ == places_.size()) {
      first_ = (first_ + 1) % places_.size();
      --count_;
      ++dropped_;
    }
    std::swap(places_[(first_ + count_) % places_.size()], block);
    ++count_;
  }
  filled_.notify_one();
  return true;
}

void BlockQueue::end(std::optional<Failure> failure) {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    failure_ = std::move(failure);
  }
  filled_.notify_one();
}

Arrival BlockQueue::take(Block& block, Seconds patience) {
  {
    std::unique_lock lock(mutex_);
    const auto something = [&] { return count_ > 0 || ended_; };
    if (!filled_.wait_for(lock, std::chrono::duration<double>(patience.value), something)) return Arrival::nothing;
    if (count_ == 0) {
      if (!failure_) return Arrival::ended;
      const Failure failure = *std::exchange(failure_, std::nullopt);
      throw Error(failure.kind, failure.message);
    }
    std::swap(places_[first_], block);
    first_ = (first_ + 1) % places_.size();
    --count_;
  }
  room_.notify_one();
  return Arrival::block;
}

void BlockQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  room_.notify_all();
}

Index BlockQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace heed::live
