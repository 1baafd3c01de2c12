// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <pipeline/method_choice.h>
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
    say("The cohort has one speaker less. The competitor that is missing is a surrogate: the scores of the unattended "
        "speaker half a trial later.");
  }
  try {
    auto [experiment, notes] = experiment_of(first, scores.scores(first), options_, members_);
    experiment_.emplace(std::move(experiment));
    std::ranges::move(notes, std::back_inserter(notes_));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::invalid_argument) throw;
    for (const Setting& setting : settings) ready_.push_back({.setting = setting, .obstacle = error.what()});
    return;
  }
  for (const Setting& setting : settings) prepare(setting);
}

void PreparedGroup::prepare(const Setting& setting) {
  if (setting.tracker == track::Method::state_space || is_matched(setting)) {
    prepare_alone(setting);
  } else if (const auto why = pipeline::obstacle(setting.tracker, experiment_->cohort().front())) {
    ready_.push_back({.setting = setting, .obstacle = *why});
  } else if (const auto no_gains = obstacle(setting.gains.heard, *experiment_)) {
    ready_.push_back({.setting = setting, .obstacle = *no_gains});
  } else {
    ready_.push_back({.setting = setting, .tracker = tracker_of(setting, *experiment_), .experiment = &*experiment_});
  }
}

// The state-space model where the scores are no correlations: on those of least squares.
const pipeline::Experiment& PreparedGroup::with_markers(const Setting& setting) {
  if (experiment_->cohort().front().type == ScoreType::correlation) return *experiment_;
  const auto correlations = with_correlations(setting);
  if (!correlations || scores_.obstacle(*correlations)) return *experiment_;
  if (!correlations_) {
    correlations_.emplace(experiment_of(*correlations, scores_.scores(*correlations), options_, members_).experiment);
    say("The state-space model takes correlations, and CCA gives log-odds: it was run on the correlations of least "
        "squares.");
  }
  return *correlations_;
}

// A setting that needs the state-space model.
void PreparedGroup::prepare_alone(const Setting& setting) {
  const pipeline::Experiment& markers = with_markers(setting);
  if (const auto why = pipeline::obstacle(track::Method::state_space, markers.cohort().front())) {
    ready_.push_back({.setting = setting, .obstacle = *why});
    return;
  }
  ReadySetting ready{.setting = setting, .tracker = tracker_of(setting, *experiment_), .experiment = &*experiment_};
  if (is_matched(setting)) {
    const double seconds = mean_switch_time(markers, {.method = track::Method::state_space});
    ready.tracker.chain.switch_probability = p_of_switch_time(*experiment_, seconds);
  } else if (&markers != &*experiment_) {
    ready.setting = *with_correlations(setting);
    ready.experiment = &markers;
  }
  ready_.push_back(std::move(ready));
}

}  // namespace heed::study
