// SPDX-License-Identifier: MIT
// What a sink is to say, between the session and the thread that says it: a fixed number of places, all made before the
// first window. Where all are taken, the session waits once for a moment, since a reader that keeps reading makes room
// soon and a recording at full speed must lose nothing. A reader that does not is not waited for again until it has
// read: the oldest report is dropped and counted.
#pragma once

#include <heed/live/decision.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heed::live {

// One decision, or a relaxation: a copy that can wait.
struct Report {
  Seconds time{};                      // the window's end
  Speaker decision = unknown_speaker;  // of a relaxation: that of the last window
  Standing standing = Standing::unknown;
  std::string trial{};  // its name; empty: the stream is one trial, or a relaxation
  std::vector<double> posterior{};
  std::vector<double> gains{};        // dB
  std::vector<double> hindsight{};    // of the second opinion, `lag` windows before; empty: none was asked for, or yet
  std::optional<double> own_share{};  // of a decoder that learns
  bool gave_up = false;               // the population it started from
};

class ReportQueue {
 public:
  ReportQueue(std::size_t places, Index speakers, Seconds patience);

  // For the session's side; does not allocate.
  void put(const Decision& decision);
  void put(const Relaxation& relaxation);
  void close();  // nothing more will come
  [[nodiscard]] Index dropped() const;

  // For the thread: waits for the oldest. False: closed, and nothing is left.
  [[nodiscard]] bool take(Report& report);

 private:
  template <typename Fill>
  void put_filled(Fill&& fill);

  mutable std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable room_;
  std::vector<Report> places_;
  Seconds patience_;
  bool stuck_ = false;  // nothing was taken since the session waited in vain
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Speaker last_decision_ = unknown_speaker;
  Index dropped_ = 0;
  bool closed_ = false;
};

}  // namespace heed::live
