// SPDX-License-Identifier: MIT
#include <heed/io/model_file.h>
#include <live/connections/signals_blocked.h>
#include <live/learner.h>

#include <utility>

namespace heed::live {

Learner::Learner(Session& session, LearnerOptions options) : session_(session), options_(std::move(options)) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { work(); });
}

Learner::~Learner() { end(); }

void Learner::end() {
  if (!thread_.joinable()) return;
  over_ = true;
  wake();
  thread_.join();
}

void Learner::wake() noexcept {
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_one();
}

void Learner::work() {
  for (unsigned seen = 0; !over_; seen = calls_.load(std::memory_order_acquire)) {
    session_.learn();
    std::optional<LearntListener> to_keep;
    {
      const std::lock_guard lock(mutex_);
      to_keep = std::exchange(to_keep_, std::nullopt);
    }
    if (to_keep) {
      auto failure = failure_of([&] { io::write_listener(options_.file, *to_keep); });
      const std::lock_guard lock(mutex_);
      failure_ = std::move(failure);
    }
    calls_.wait(seen, std::memory_order_acquire);
  }
}

void Learner::look() {
  const Index windows = session_.counts().windows;
  const bool due = !options_.file.empty() && static_cast<double>(windows - kept_) * session_.hop() >= options_.every;
  if (due) {
    kept_ = windows;
    LearntListener learnt = *session_.learnt_listener(options_.listener);
    std::optional<Failure> failure;
    {
      const std::lock_guard lock(mutex_);
      to_keep_ = std::move(learnt);
      failure = std::exchange(failure_, std::nullopt);
    }
    if (failure && options_.tell) options_.tell(failure->message);
  }
  if (due || session_.has_learning_to_do()) wake();
}

void Learner::finish() {
  end();  // what it keeps is older
  if (!options_.file.empty()) io::write_listener(options_.file, *session_.learnt_listener(options_.listener));
}

}  // namespace heed::live
