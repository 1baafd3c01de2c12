// SPDX-License-Identifier: MIT
// Beside a session whose decoder learns: a thread that computes new decoders, and keeps what was learnt in a file now
// and then. No decision waits for either.
#pragma once

#include <heed/live/session.h>
#include <live/connections/failure.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace heed::live {

struct LearnerOptions {
  std::filesystem::path file{};  // to keep what was learnt in; empty: nowhere
  std::string listener{};        // whose it is
  Seconds every{180};            // of listening
  // Why the file could not be written; the next time it is tried again, and at the end.
  std::function<void(const std::string& why)> tell{};
};

class Learner {
 public:
  // The session must outlive it.
  Learner(Session& session, LearnerOptions options);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  Learner(Learner&&) = delete;
  Learner& operator=(Learner&&) = delete;

  // Between two blocks, by the session's thread; does not wait. A session goes on whatever becomes of its file.
  void look();
  // After the last window, and the last call: what was learnt is kept, by the thread that calls. Throws as
  // io::write_listener does.
  void finish();

 private:
  void work();
  void end();
  void wake() noexcept;

  Session& session_;
  LearnerOptions options_;
  Index kept_ = 0;  // windows that had been decided when it was last kept
  std::atomic<unsigned> calls_ = 0;
  std::atomic<bool> over_ = false;
  std::mutex mutex_;  // of all below
  std::optional<LearntListener> to_keep_{};
  std::optional<Failure> failure_{};
  std::thread thread_{};
};

}  // namespace heed::live
