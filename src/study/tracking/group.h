// SPDX-License-Identifier: MIT
// Settings that differ in nothing but the tracker and its options are a group: one cohort with its switches, one
// emission for each participant, and the log-likelihoods of a draw computed once for all of them.
#pragma once

#include <heed/data/scored.h>
#include <pipeline/experiment.h>
#include <study/setting.h>
#include <study/tracking/outcome_maker.h>

#include <span>
#include <string>
#include <vector>

namespace heed::study {

// Whether two settings belong to one group.
[[nodiscard]] bool same_group(const Setting& a, const Setting& b);

struct GroupExperiment {
  pipeline::Experiment experiment;
  Notes notes;  // how attention is moved, and what is to be said of all participants
};

// Of a group, to which the setting belongs. Of `members`, ids, models are fitted, to everybody else; empty: of all.
// Throws bad_data with the reason where the cohort has no such trials.
[[nodiscard]] GroupExperiment experiment_of(const Setting& setting, const std::vector<ScoredParticipant>& scores,
                                            const RunOptions& options, std::span<const std::string> members = {});

// Why such gains cannot be given to so many speakers.
[[nodiscard]] std::optional<std::string> obstacle(const evaluate::GainOptions& gains,
                                                  const pipeline::Experiment& experiment);

// As a setting means it; the p of as_state_space, which needs results, is the scaled one.
[[nodiscard]] pipeline::TrackerChoice tracker_of(const Setting& setting, const pipeline::Experiment& experiment);
// Mean over those who are followed.
[[nodiscard]] double mean_switch_time(const pipeline::Experiment& experiment, pipeline::TrackerChoice tracker);
// The p at which the causal HMM needs so many seconds for a switch.
[[nodiscard]] double p_of_switch_time(const pipeline::Experiment& experiment, double seconds);

}  // namespace heed::study
