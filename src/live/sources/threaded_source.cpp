// SPDX-License-Identifier: MIT
#include <live/connections/signals_blocked.h>
#include <live/sources/threaded_source.h>

#include <utility>

namespace heed::live {

ThreadedSource::ThreadedSource(std::unique_ptr<BlockReader> reader, std::size_t places, WhenFull when_full)
    : reader_(std::move(reader)), queue_(places, when_full) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { queue_.end(failure_of([this] { reader_->run(queue_, waker_); })); });
}

ThreadedSource::~ThreadedSource() {
  queue_.close();
  waker_.wake();
  thread_.join();
}

SourceCounts ThreadedSource::counts() const noexcept {
  SourceCounts counts = reader_->counts();
  counts.dropped = queue_.dropped();
  return counts;
}

}  // namespace heed::live
