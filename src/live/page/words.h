// SPDX-License-Identifier: MIT
// What happens in a session, in plain words for its page: who is attended, how long heed took to find out where the
// truth is known, and what the source lost.
#pragma once

#include <live/page/inbox.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::live {

// Below this probability nobody is named: to the eye that is undecided.
inline constexpr double sure_enough = 0.6;

class PageWords {
 public:
  struct Line {
    Seconds time{};
    std::string_view kind{};  // attention, truth, already, found, gain, trouble, good or change
    std::string text{};
    std::optional<Seconds> delay{};  // of found
  };

  // scores: the stream brings them, and no EEG.
  explicit PageWords(std::vector<std::string> speakers, bool scores = false)
      : speakers_(std::move(speakers)), scores_(scores) {}

  void mark(const AttentionMark& mark);
  void report(const PageReport& report);
  void check(const Vitals& vitals);
  void say(Seconds time, std::string_view kind, std::string text);
  // All that was said since the last call.
  [[nodiscard]] std::vector<Line> take() { return std::exchange(lines_, {}); }
  // As the source says, at the time of the last report.
  [[nodiscard]] Speaker truth() const noexcept { return truth_; }

 private:
  void follow_trials(const PageReport& report);
  void follow_truth(Seconds now);
  void tell_standing(const PageReport& report);
  void tell_gain(const PageReport& report);

  std::vector<std::string> speakers_;
  bool scores_;
  std::vector<Line> lines_{};
  std::vector<AttentionMark> marks_{};  // to come, by time
  Speaker truth_ = unknown_speaker;
  Seconds moved_{};              // when it became that
  bool searching_ = false;       // heed has not found out yet
  bool coming_forward_ = false;  // nor has the gain followed
  Speaker decision_ = unknown_speaker;
  Standing standing_ = Standing::unknown;
  bool gave_up_ = false;  // heed, a population that did not fit
  bool began_ = false;
  Seconds heard_{};  // when evidence last came
  Seconds end_{};    // of the last window
  ClockCounts clock_{};
  SourceCounts source_{};
};

}  // namespace heed::live
