// SPDX-License-Identifier: MIT
#include <live/page/words.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heed::live {
namespace {

constexpr std::size_t longest_wait = 4096;  // marks
constexpr double forward_decibel = 3;       // so far above the others a talker is in front

// To a tenth: 7.4
std::string tenths(double number) {
  std::array<char, 64> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed, 1);
  return {digits.data(), result.ptr};
}

std::string counted(Index count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// Nobody is 100 % sure.
std::string sureness(double probability) {
  return (probability > 0.99 ? "over 99" : std::to_string(std::lround(100 * probability))) + " %";
}

}  // namespace

void PageWords::say(Seconds time, std::string_view kind, std::string text) {
  lines_.push_back({time, kind, std::move(text), {}});
}

void PageWords::mark(const AttentionMark& mark) {
  if (marks_.size() == longest_wait) return;
  const auto later = [](const AttentionMark& a, const AttentionMark& b) { return a.stamp < b.stamp; };
  marks_.insert(std::upper_bound(marks_.begin(), marks_.end(), mark, later), mark);
}

void PageWords::follow_truth(Seconds now) {
  while (!marks_.empty() && !(now < marks_.front().stamp)) {
    const AttentionMark mark = marks_.front();
    marks_.erase(marks_.begin());
    if (mark.speaker == truth_) continue;
    const bool first = truth_ == unknown_speaker;
    truth_ = mark.speaker;
    moved_ = mark.stamp;
    searching_ = truth_ != unknown_speaker && truth_ != decision_;
    coming_forward_ = searching_ && !first;
    if (truth_ == unknown_speaker) continue;
    const std::string& name = speakers_[static_cast<std::size_t>(truth_)];
    say(mark.stamp, "truth",
        first ? "The listener attends to " + name + "." : "The listener's attention moves to " + name + ".");
    // What was believed before it was true was not found out.
    if (!searching_) say(mark.stamp, "already", "heed took " + name + " for attended already.");
  }
}

// Each trial may have a time of its own: what was known of the one before would give waits below zero.
void PageWords::follow_trials(const PageReport& report) {
  if (report.relaxation) return;
  if (report.end < end_) {
    say(report.end, "change", "Another trial begins.");
    heard_ = report.stream_time;
    moved_ = std::min(moved_, report.end);
    decision_ = unknown_speaker;
  }
  end_ = report.end;
}

void PageWords::tell_standing(const PageReport& report) {
  if (report.standing == standing_ && began_) return;
  const bool was_tracking = began_ && standing_ == Standing::tracking;
  const bool was_lost = began_ && standing_ == Standing::unknown;
  if (report.standing == Standing::unknown && was_tracking) {
    // Sound may go on without EEG, or nothing comes at all: then only this machine's clock tells.
    const Seconds missing = std::max(report.stream_time - heard_, report.silent);
    say(report.stream_time, "trouble",
        tenths(missing.value) + (report.relaxation ? " s without " : " s without usable ") +
            (scores_ ? "scores" : "EEG") + ": gains go back to equal.");
  }
  if (report.standing == Standing::tracking && was_lost) {
    say(report.stream_time, "good",
        std::string(scores_ ? "Scores are" : "EEG is") + " back; heed could not decide for about " +
            tenths((report.stream_time - heard_).value) + " s.");
  }
  if (report.standing == Standing::calibrating || report.standing == Standing::learning) {
    say(report.stream_time, "change", "heed is learning this listener; gains stay equal until it knows enough.");
  }
  standing_ = report.standing;
  began_ = true;
}

void PageWords::report(const PageReport& report) {
  follow_trials(report);
  follow_truth(report.stream_time);
  tell_standing(report);
  if (report.gave_up && !gave_up_) {
    say(report.stream_time, "trouble",
        "The other listeners did not fit this one: heed forgets them and learns from nothing. Is the EEG upside down?");
  }
  gave_up_ = gave_up_ || report.gave_up;
  if (report.standing == Standing::tracking && !report.held) heard_ = report.stream_time;
  if (report.relaxation || report.held || report.standing != Standing::tracking) return;
  const auto who = static_cast<std::size_t>(report.decision);
  if (report.posterior[who] < sure_enough) return;
  if (report.decision != decision_) {
    decision_ = report.decision;
    say(report.end, "attention",
        "heed hears that " + speakers_[who] + " is attended, " + sureness(report.posterior[who]) + " sure.");
  }
  if (searching_ && report.decision == truth_) {
    searching_ = false;
    const Seconds delay = report.stream_time - moved_;
    say(report.stream_time, "found",
        "heed found out after " + tenths(delay.value) + " s that the listener attends to " + speakers_[who] + ".");
    lines_.back().delay = delay;
  }
  tell_gain(report);
}

// From the listener's attention to what is heard: the gain moves after heed has found out.
void PageWords::tell_gain(const PageReport& report) {
  if (!coming_forward_ || searching_ || report.gains.empty()) return;
  const auto who = static_cast<std::size_t>(truth_);
  for (std::size_t k = 0; k < report.gains.size(); ++k) {
    if (k != who && report.gains[who] < report.gains[k] + forward_decibel) return;
  }
  coming_forward_ = false;
  say(report.stream_time, "gain",
      speakers_[who] + " is in front, " + tenths((report.stream_time - moved_).value) + " s after attention moved.");
}

void PageWords::check(const Vitals& vitals) {
  const ClockCounts& clock = vitals.counts.clock;
  const auto more = [&](Index now, Index before, std::string text) {
    if (now > before) say(vitals.stream_time, "trouble", std::move(text));
  };
  more(clock.gaps, clock_.gaps,
       "A gap in the EEG: " + counted(clock.lost_samples - clock_.lost_samples, "sample is", "samples are") + " lost.");
  more(clock.jumps, clock_.jumps, "The source's clock jumped; heed goes on by its count of samples.");
  more(clock.late_sound, clock_.late_sound, "Sound came too late to be used.");
  more(vitals.source.dropped, source_.dropped,
       "The source was faster than heed: " +
           counted(vitals.source.dropped - source_.dropped, "block is", "blocks are") + " lost.");
  more(vitals.source.reconnects, source_.reconnects, "The connection to the source was made again.");
  more(vitals.source.out_of_range, source_.out_of_range, "The amplifier says that its electrodes are out of range.");
  if (vitals.source.battery_low && !source_.battery_low) {
    say(vitals.stream_time, "trouble", "The amplifier's battery is low.");
  }
  clock_ = clock;
  source_ = vitals.source;
}

}  // namespace heed::live
