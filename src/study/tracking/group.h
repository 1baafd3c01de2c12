// SPDX-License-Identifier: MIT
// Settings that differ in nothing but the tracker and its options are a group: one cohort with its switches, one
// emission for each participant, and the log-likelihoods of a draw computed once for all of them.
#pragma once

#include <heed/data/scored.h>
#include <heed/track/method.h>
#include <pipeline/experiment.h>
#include <study/setting.h>
#include <study/tracking/outcome_maker.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

using Measured = pipeline::TrackerOutcome;

// A tracker of the group. p: of its chain.
struct GroupTracker {
  track::Method method = track::Method::causal;
  double p = hmm::switch_probability_per_second;
  Seconds look_ahead = hmm::default_lag;
  GainSetting gains{};
};

class Group {
 public:
  // The setting is any of the group. Of `members`, ids, models are fitted, to everybody else; empty: of all. Throws
  // bad_data with the reason where the cohort has no such trials.
  Group(const Setting& setting, const std::vector<ScoredParticipant>& scores, const RunOptions& options,
        std::span<const std::string> members = {});

  // Of those who are followed: `members`, as far as they have such trials.
  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return experiment_.ids(); }
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  // Those of one who is followed alone, ids()[k].
  [[nodiscard]] const std::vector<std::string>& notes_of(std::size_t k) const noexcept { return own_notes_[k]; }
  // As a setting means it; the p of as_state_space, which needs results, is the scaled one.
  [[nodiscard]] GroupTracker tracker_of(const Setting& setting) const;
  // Why this method cannot be run on these scores, and why such gains cannot be given to so many speakers.
  [[nodiscard]] std::optional<std::string> obstacle(track::Method method) const;
  [[nodiscard]] std::optional<std::string> obstacle(const evaluate::GainOptions& gains) const;

  // [tracker][k], k as in ids()
  [[nodiscard]] std::vector<std::vector<Measured>> run(std::span<const GroupTracker> trackers) const;
  // [tracker] of ids()[k]. May be called by several threads at once.
  [[nodiscard]] std::vector<Measured> run_one(std::size_t k, std::span<const GroupTracker> trackers) const;
  // Mean over those who are followed.
  [[nodiscard]] double mean_switch_time(const GroupTracker& tracker) const;
  // The p at which the causal HMM needs so many seconds for a switch.
  [[nodiscard]] double p_of_switch_time(double seconds) const;
  // ids()[k], the first draw of the switches.
  [[nodiscard]] TrackedParticipant track_one(std::size_t k, const GroupTracker& tracker) const;

 private:
  std::vector<std::string> notes_;
  pipeline::Experiment experiment_;
  std::vector<std::vector<std::string>> own_notes_;  // [k]
};

// Whether two settings belong to one group.
[[nodiscard]] bool same_group(const Setting& a, const Setting& b);

}  // namespace heed::study
