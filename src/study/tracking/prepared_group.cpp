// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/tracking/prepared_group.h>

#include <algorithm>

namespace heed::study {
namespace {

bool is_matched(const Setting& setting) {
  return setting.switch_rule == SwitchRule::as_state_space && !setting.switch_probability;
}

}  // namespace

std::vector<std::vector<std::size_t>> groups_of(std::span<const Setting> settings, const ScoreLibrary& scores) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (scores.obstacle(settings[i])) continue;
    const auto same = std::ranges::find_if(
        groups, [&](const auto& members) { return same_group(settings[members.front()], settings[i]); });
    if (same != groups.end()) {
      same->push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  return groups;
}

PreparedGroup::PreparedGroup(std::span<const Setting> settings, const ScoreLibrary& scores, const RunOptions& options,
                             std::span<const std::string> members)
    : scores_(scores), options_(options), members_(members.begin(), members.end()) {
  // A p that is found from the mean over the cohort needs all of it.
  if (std::ranges::any_of(settings, is_matched)) members_.clear();
  const Setting& first = settings.front();
  if (scores.is_surrogate(first)) {
    notes_.emplace_back(
        "The cohort has one speaker less. The competitor that is missing is a surrogate: the scores of the unattended "
        "speaker half a trial later.");
  }
  if (first.recipe != pipeline::Recipe::paper && scores.cohort().is_simulated()) {
    notes_.emplace_back(
        "These listeners are simulated: they answer the envelope of what they hear, and hardly below 1 Hz. The recipe "
        "was "
        "found on recordings of real ones and the simulation was not bent to it, so this says nothing for or against "
        "it; "
        "run the study on recordings.");
  }
  try {
    group_ = std::make_unique<Group>(first, scores.scores(first), options_, members_);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::invalid_argument) throw;
    for (const Setting& setting : settings) ready_.push_back({.setting = setting, .obstacle = error.what()});
    return;
  }
  notes_.insert(notes_.end(), group_->notes().begin(), group_->notes().end());
  for (const Setting& setting : settings) prepare(setting);
}

void PreparedGroup::prepare(const Setting& setting) {
  if (setting.tracker == track::Method::state_space || is_matched(setting)) {
    prepare_alone(setting);
  } else if (const auto why = group_->obstacle(setting.tracker)) {
    ready_.push_back({.setting = setting, .obstacle = *why});
  } else if (const auto no_gains = group_->obstacle(setting.gains.heard)) {
    ready_.push_back({.setting = setting, .obstacle = *no_gains});
  } else {
    ready_.push_back({.setting = setting, .tracker = group_->tracker_of(setting), .group = group_.get()});
  }
}

// The state-space model where the scores are no correlations: on those of least squares.
const Group* PreparedGroup::with_markers(const Setting& setting) {
  if (!group_->obstacle(track::Method::state_space)) return group_.get();
  const auto correlations = with_correlations(setting);
  if (!correlations || scores_.obstacle(*correlations)) return group_.get();
  if (!correlations_) {
    correlations_ = std::make_unique<Group>(*correlations, scores_.scores(*correlations), options_, members_);
    notes_.emplace_back(
        "The state-space model takes correlations, and CCA gives log-odds: it was run on the correlations of least "
        "squares.");
  }
  return correlations_.get();
}

// A setting that needs the state-space model.
void PreparedGroup::prepare_alone(const Setting& setting) {
  const Group* markers = with_markers(setting);
  if (const auto why = markers->obstacle(track::Method::state_space)) {
    ready_.push_back({.setting = setting, .obstacle = *why});
    return;
  }
  if (is_matched(setting)) {
    const double p = group_->p_of_switch_time(markers->mean_switch_time({track::Method::state_space}));
    GroupTracker tracker = group_->tracker_of(setting);
    tracker.p = p;
    ready_.push_back({.setting = setting, .tracker = tracker, .group = group_.get()});
    return;
  }
  ready_.push_back({.setting = markers == group_.get() ? setting : *with_correlations(setting),
                    .tracker = group_->tracker_of(setting),
                    .group = markers});
}

}  // namespace heed::study
