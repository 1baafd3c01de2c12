// SPDX-License-Identifier: MIT
// What the thread of a session leaves for the page: copies of its decisions, how the source is doing, and sound. The
// session never waits here: places are fixed, and where all are taken the oldest report is lost and counted.
#pragma once

#include <heed/live/decision.h>
#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/page/learnt_picture.h>
#include <live/run.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heed::live {

// A decision, or a relaxation.
struct PageReport {
  bool relaxation = false;
  Index number = 0;       // of the session's windows, from 1; of a relaxation: of the window before
  Seconds end{};          // of the window
  Seconds stream_time{};  // of the newest sample that had come by then
  Seconds silent{};       // of a relaxation: for so long no EEG has come, on this machine's clock
  Speaker decision = 0;
  bool held = false;
  Standing standing = Standing::unknown;
  std::optional<double> own_share{};  // of a decoder that learns
  bool gave_up = false;               // the population it started from
  std::vector<double> scores{};
  std::vector<double> posterior{};
  std::vector<double> gains{};  // dB
};

// Who is attended from some moment on, as the source says.
struct AttentionMark {
  Seconds stamp{};
  Speaker speaker = unknown_speaker;
};

struct Vitals {
  Seconds stream_time{};
  Index eeg_rows = 0;
  std::chrono::steady_clock::time_point eeg_came{};  // the last of it, or of scores
  SessionCounts counts{};
  SourceCounts source{};
  Seconds usual_latency{};  // half of the decisions took at most so long
  Seconds late_latency{};   // 99 of 100
  Seconds longest_latency{};
  Index lost_reports = 0;  // that the page had no room for
  bool ended = false;
};

class PageInbox {
 public:
  // A new session; what was there before is forgotten.
  void begin(const StreamDescription& stream);

  // For the session's thread.
  void put(const Decision& decision, const SessionCounts& counts, const RunReport& run);
  void put(const Relaxation& relaxation, const SessionCounts& counts);
  void put(const Block& block, const SourceCounts& counts);
  void put(const LearntPattern& pattern);
  void end();

  // For the page's thread.
  struct Mail {
    std::vector<PageReport> reports{};  // the first `count`, the oldest first
    std::size_t count = 0;
    std::vector<AttentionMark> marks{};
    std::vector<std::string> sounds{};  // docs/formats.md, sound of the live page
    LearntNews learnt{};                // without a pattern: nothing new
    Vitals vitals{};
  };
  void take(Mail& mail);
  void want_sound(bool wanted) noexcept { wants_sound_ = wanted; }

 private:
  PageReport& place();
  void put_sound(const Block& block, const SoundFeed& feed);

  std::mutex mutex_;
  StreamDescription stream_{};
  std::vector<PageReport> places_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::vector<AttentionMark> marks_{};
  std::vector<std::string> sounds_{};
  LearntNews learnt_{};
  Vitals vitals_{};
  Speaker last_decision_ = 0;
  std::atomic<bool> wants_sound_ = false;
};

}  // namespace heed::live
