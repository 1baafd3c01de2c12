// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/bids/events_file.h>
#include <io/score_tables/window_table.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace heed::io {
namespace {

// Of a sample: an onset of 1/3 s written with six digits means the sample at 1/3 s.
constexpr double rounding = 1e-2;

Seconds end_of(const RecordingSegment& segment, Hertz rate) {
  return segment.onset + Seconds{static_cast<double>(segment.samples) / rate.value};
}

// Which samples of a recording fall into a stretch of its clock.
struct EegStretch {
  Index first_sample = 0;
  Index samples = 0;
  Seconds onset{};
  Seconds duration{};
  std::string problem{};  // "...lies outside the EEG; what to do"; empty: there is a stretch
};

class EegClock {
 public:
  // Throws bad_data if the recording has no rate or no samples.
  explicit EegClock(const RecordingHeader& header);

  [[nodiscard]] Seconds half_sample() const { return {0.5 / rate_.value}; }

  // The samples at or after `begin` and before `end` that there are, without a pause.
  [[nodiscard]] EegStretch cut(Seconds begin, Seconds end) const;

 private:
  Hertz rate_;
  std::vector<RecordingSegment> segments_;  // those without a pause between them joined
};

EegClock::EegClock(const RecordingHeader& header) : rate_(header.sampling_frequency) {
  if (!(rate_.value > 0) || header.samples <= 0) {
    throw Error(ErrorKind::bad_data, "the recording holds no samples; record it again or leave the run out");
  }
  if (header.segments.empty()) segments_.push_back({{}, 0, header.samples});
  for (const RecordingSegment& segment : header.segments) {
    const bool follows =
        !segments_.empty() && std::abs((segment.onset - end_of(segments_.back(), rate_)) * rate_) < 0.5;
    if (follows) {
      segments_.back().samples += segment.samples;
    } else {
      segments_.push_back(segment);
    }
  }
}

EegStretch EegClock::cut(Seconds begin, Seconds end) const {
  EegStretch result;
  for (const RecordingSegment& segment : segments_) {
    const auto samples = static_cast<double>(segment.samples);
    const double first = std::clamp(std::ceil(((begin - segment.onset) * rate_) - rounding), 0.0, samples);
    const double last = std::clamp(std::floor(((end - segment.onset) * rate_) + rounding), 0.0, samples);
    if (!(first < last)) continue;
    if (result.samples > 0) {
      result.problem = " contains a pause of the recording, before " + data::shown(segment.onset.value) +
                       " s; make it two trials, one on each side";
      return result;
    }
    result.first_sample = segment.first_sample + static_cast<Index>(first);
    result.samples = static_cast<Index>(last - first);
    result.onset = segment.onset + Seconds{first / rate_.value};
    result.duration = Seconds{(last - first) / rate_.value};
  }
  if (result.samples > 0) return result;
  if (!(begin < end)) {
    result.problem = ": a speaker ends (" + data::shown(end.value) + " s) before another begins (" +
                     data::shown(begin.value) + " s); a trial is the time during which all of them have sound";
  } else {
    result.problem = " (" + data::shown(begin.value) + " to " + data::shown(end.value) +
                     " s) lies outside the EEG, which lasts " + data::shown(end_of(segments_.back(), rate_).value) +
                     " s; onsets count from its first sample";
  }
  return result;
}

constexpr Seconds shortest_trial{1};
constexpr Seconds unheard{0.1};  // sound the EEG does not cover and nobody misses

std::string seconds_text(Seconds time) { return data::shown(time.value) + " s"; }

// In order, each once.
void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

Seconds end_of(const auto& event) { return event.onset + event.duration; }

// "trial 3" for messages; "the run" where it is one trial.
std::string shown_trial(const std::string& name) { return name.empty() ? "the run" : "trial " + in_quotes(name); }

std::string overlap_text(const AttentionStretch& stretch, const AttentionStretch& before) {
  const std::string place = before.row > 0 ? " of row " + std::to_string(std::min(stretch.row, before.row)) : "";
  return "attention to " + in_quotes(stretch.speaker) + " from " + seconds_text(stretch.onset) +
         " overlaps with that to " + in_quotes(before.speaker) + place + ", which ends at " +
         seconds_text(end_of(before)) + "; end one attend row before the next begins";
}

class Planner {
 public:
  Planner(const ListeningEvents& events, const RecordingHeader& header) : events_(events), clock_(header) {
    for (const StimulusPiece& piece : events.stimuli) {
      add_name(speakers_, piece.speaker);
      add_name(trials_, piece.trial);
    }
  }

  CheckedPlan check() {
    if (events_.stimuli.empty()) {
      error(0, "there is no stimulus row; write one for each piece of sound of a speaker");
      return std::move(result_);
    }
    check_repeats();
    check_attention();
    for (const std::string& name : trials_) add_trial(name);
    check_trials_apart();
    return std::move(result_);
  }

 private:
  void error(std::size_t row, std::string message) {
    result_.problems.push_back({Severity::error, {}, row, std::move(message)});
  }
  void warning(std::size_t row, std::string message) {
    result_.problems.push_back({Severity::warning, {}, row, std::move(message)});
  }

  void check_repeats() {
    std::set<std::tuple<std::string, double, std::string, double>> seen;
    for (const StimulusPiece& piece : events_.stimuli) {
      if (!seen.insert({piece.speaker, piece.onset.value, piece.file, piece.file_onset.value}).second) {
        warning(piece.row, "the same sound appears twice for " + in_quotes(piece.speaker) +
                               " and is added to itself; remove the row if it is a mistake");
      }
    }
  }

  void check_attention() {
    std::vector<AttentionStretch> sorted = events_.attention;
    std::ranges::stable_sort(sorted, {}, [](const AttentionStretch& stretch) { return stretch.onset; });
    const AttentionStretch* before = nullptr;  // of all earlier ones the last to end
    for (const AttentionStretch& stretch : sorted) {
      check_known(stretch);
      if (before != nullptr && end_of(*before) - stretch.onset > clock_.half_sample()) {
        error(std::max(stretch.row, before->row), overlap_text(stretch, *before));
      }
      if (before == nullptr || end_of(*before) < end_of(stretch)) before = &stretch;
    }
  }

  void check_known(const AttentionStretch& stretch) {
    if (std::ranges::find(speakers_, stretch.speaker) == speakers_.end()) {
      error(stretch.row,
            "column speaker: " + in_quotes(stretch.speaker) +
                " is attended but makes no sound; write a speaker of the stimulus rows: " + listed(speakers_));
    }
    if (std::ranges::find(trials_, stretch.trial) == trials_.end()) {
      error(stretch.row,
            "column trial: " + in_quotes(stretch.trial) + " has no stimulus row; write the name of a trial that has");
    }
  }

  void add_trial(const std::string& name) {
    TrialPlan trial;
    trial.name = name;
    for (const std::string& speaker : speakers_) trial.speakers.push_back({speaker, {}});
    std::size_t row = 0;
    for (const StimulusPiece& piece : events_.stimuli) {
      if (piece.trial != name) continue;
      if (row == 0) row = piece.row;
      const auto speaker = std::ranges::find(speakers_, piece.speaker) - speakers_.begin();
      trial.speakers[static_cast<std::size_t>(speaker)].pieces.push_back(piece);
    }
    if (!has_all_speakers(trial, row) || !place(trial, row)) return;
    attend(trial);
    warn_of(trial, row);
    result_.trials.push_back(std::move(trial));
    rows_.push_back(row);
  }

  bool has_all_speakers(const TrialPlan& trial, std::size_t row) {
    bool all = true;
    for (const SpeakerPieces& speaker : trial.speakers) {
      if (!speaker.pieces.empty()) continue;
      error(row, shown_trial(trial.name) + " has no sound of " + in_quotes(speaker.name) +
                     ", another trial of the run has; give every trial the same speakers, by what they are to the "
                     "listener (left, right)");
      all = false;
    }
    return all;
  }

  bool place(TrialPlan& trial, std::size_t row) {
    Seconds begin{-1e300};
    Seconds end{1e300};
    for (SpeakerPieces& speaker : trial.speakers) {
      std::ranges::stable_sort(speaker.pieces, {}, [](const StimulusPiece& piece) { return piece.onset; });
      begin = std::max(begin, speaker.pieces.front().onset);
      Seconds last = end_of(speaker.pieces.front());
      for (const StimulusPiece& piece : speaker.pieces) last = std::max(last, end_of(piece));
      end = std::min(end, last);
    }
    const EegStretch stretch = clock_.cut(begin, end);
    if (!stretch.problem.empty()) {
      error(row, shown_trial(trial.name) + stretch.problem);
      return false;
    }
    trial.first_sample = stretch.first_sample;
    trial.samples = stretch.samples;
    trial.onset = stretch.onset;
    trial.duration = stretch.duration;
    if (end - end_of(trial) > unheard) {
      warning(row, "the sound of " + shown_trial(trial.name) + " continues for " + seconds_text(end - end_of(trial)) +
                       " after the EEG has ended; that much is left out");
    }
    return true;
  }

  void attend(TrialPlan& trial) {
    for (const AttentionStretch& stretch : events_.attention) {
      const auto speaker = std::ranges::find(speakers_, stretch.speaker);
      if (stretch.trial != trial.name || speaker == speakers_.end()) continue;
      const Seconds begin = std::max(stretch.onset, trial.onset);
      const Seconds end = std::min(end_of(stretch), end_of(trial));
      if (begin < end) {
        trial.attention.push_back({static_cast<Speaker>(speaker - speakers_.begin()), begin, end - begin});
      } else {
        warning(stretch.row, "attention from " + seconds_text(stretch.onset) + " lies outside " +
                                 shown_trial(trial.name) + " (" + seconds_text(trial.onset) + " to " +
                                 seconds_text(end_of(trial)) + ") and is not used; check onset and trial");
      }
    }
    std::ranges::stable_sort(trial.attention, {}, [](const AttendedSpan& span) { return span.onset; });
  }

  void warn_of(const TrialPlan& trial, std::size_t row) {
    const std::string name = shown_trial(trial.name);
    const auto is_of_trial = [&](const AttentionStretch& stretch) { return stretch.trial == trial.name; };
    if (std::ranges::none_of(events_.attention, is_of_trial)) {
      warning(row, name +
                       " has no attend row: it is scored, but neither fitted nor counted; add one if attention is "
                       "known");
    }
    if (trial.speakers.size() < 2) {
      warning(row, name +
                       " has one speaker: a decoder can be fitted to it, but there is nothing to decide; add the other "
                       "speakers if there were any");
    }
    if (trial.duration < shortest_trial) {
      warning(row, name + " lasts " + seconds_text(trial.duration) +
                       ": not even a window of one second fits; check onsets and durations");
    }
  }

  void check_trials_apart() {
    std::vector<std::size_t> order(result_.trials.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return result_.trials[i].first_sample; });
    for (std::size_t i = 1; i < order.size(); ++i) {
      const TrialPlan& before = result_.trials[order[i - 1]];
      const TrialPlan& trial = result_.trials[order[i]];
      if (before.first_sample + before.samples <= trial.first_sample) continue;
      error(rows_[order[i]], shown_trial(trial.name) + " begins before " + shown_trial(before.name) +
                                 " has ended; the same EEG cannot be in two trials");
    }
  }

  const ListeningEvents& events_;
  EegClock clock_;
  std::vector<std::string> speakers_;
  std::vector<std::string> trials_;
  CheckedPlan result_;
  std::vector<std::size_t> rows_;  // of each trial's first stimulus
};

}  // namespace

CheckedPlan check_trials(const ListeningEvents& events, const RecordingHeader& header) {
  return Planner(events, header).check();
}

std::vector<TrialPlan> plan_trials(const ListeningEvents& events, const RecordingHeader& header) {
  CheckedPlan plan = check_trials(events, header);
  throw_first_error(plan.problems);
  return std::move(plan.trials);
}

}  // namespace heed::io
