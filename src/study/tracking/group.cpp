// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/pipeline/artificial_switches.h>
#include <heed/pipeline/chain_choice.h>
#include <heed/pipeline/method_choice.h>
#include <heed/pipeline/model_fit.h>
#include <pipeline/track_participant.h>
#include <pipeline/trials.h>
#include <study/tracking/group.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>

namespace heed::study {
namespace {

using evaluate::ParticipantMetrics;

// The paper's, for cohorts in which attention never moved.
constexpr Seconds baseline_trial{600};
constexpr SwitchInterval baseline_interval{{300}, {300}};

std::vector<ScoredParticipant> with_trials(const std::vector<ScoredParticipant>& participants, TrialKind kind) {
  std::vector<ScoredParticipant> result;
  for (ScoredParticipant participant : participants) {
    if (kind != TrialKind::all) {
      std::erase_if(participant.trials, [&](const ScoredTrial& trial) {
        return pipeline::has_switch(trial) != (kind == TrialKind::switching);
      });
    }
    if (!participant.trials.empty()) result.push_back(std::move(participant));
  }
  if (result.size() >= 2) return result;
  throw Error(ErrorKind::bad_data, kind == TrialKind::switching ? "no switch of attention was recorded"
                                                                : "attention moves in every trial that was recorded");
}

bool any_switch(const std::vector<ScoredParticipant>& participants) {
  return std::ranges::any_of(participants, [](const ScoredParticipant& participant) {
    return std::ranges::any_of(participant.trials, pipeline::has_switch);
  });
}

// Whether the models depend on the chain's p, so that settings with another p are another group.
bool learns_from_p(const Setting& setting) {
  return setting.calibrated || setting.emission == pipeline::EmissionFit::baum_welch;
}

// A setting without what the members of a group may differ in.
Setting shared_part(Setting setting) {
  const Setting baseline;
  setting.tracker = baseline.tracker;
  setting.look_ahead = baseline.look_ahead;
  if (!learns_from_p(setting)) {
    setting.switch_probability = baseline.switch_probability;
    setting.switch_rule = baseline.switch_rule;
  }
  return setting;
}

void rethrow_first(const std::vector<std::exception_ptr>& failures) {
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace

bool same_group(const Setting& a, const Setting& b) { return shared_part(a) == shared_part(b); }

Group::Group(const Setting& setting, const std::vector<ScoredParticipant>& scores, const RunOptions& options,
             std::span<const std::string> whom)
    : setting_(setting), options_(options), cohort_(with_trials(scores, setting.trials)) {
  if (setting_.joined) std::ranges::transform(cohort_, cohort_.begin(), pipeline::join_trials);
  choose_members(whom);
  choose_switches();
  fit_models();
  if (setting_.accuracy_shift != 0) shift_attended();
  choose_gain_states();
}

void Group::choose_members(std::span<const std::string> whom) {
  for (std::size_t k = 0; k < cohort_.size(); ++k) {
    if (!whom.empty() && std::ranges::find(whom, cohort_[k].id) == whom.end()) continue;
    members_.push_back(k);
    ids_.push_back(cohort_[k].id);
  }
  own_notes_.resize(members_.size());
}

// Whether somebody's trials, end to end, are long enough for a switch.
bool Group::fits(const SwitchInterval& interval) const {
  return std::ranges::any_of(cohort_, [&](const ScoredParticipant& participant) {
    Seconds all{};
    for (const ScoredTrial& trial : participant.trials) {
      all = all + static_cast<double>(trial.scores.values.rows()) * trial.scores.window;
    }
    return interval.shortest < all;
  });
}

void Group::choose_switches() {
  const bool moves = any_switch(cohort_);
  if (setting_.switches == Switches::recorded && !moves) {
    throw Error(ErrorKind::bad_data, "no switch of attention was recorded");
  }
  if (setting_.switches == Switches::artificial) interval_ = setting_.switch_interval;
  if (setting_.switches == Switches::artificial && !fits(setting_.switch_interval)) {
    throw Error(ErrorKind::bad_data, "the recordings are too short for a switch every " +
                                         data::shown(setting_.switch_interval.shortest.value) + " s");
  }
  if (setting_.trials != TrialKind::all || moves) return;
  if (setting_.switches == Switches::baseline) {
    interval_ = baseline_interval;
    notes_.emplace_back(
        "No switch of attention was recorded: attention is moved artificially every 300 s, in trials of at most 600 s, "
        "by exchanging the speakers' scores, as the paper does.");
  }
  for (ScoredParticipant& participant : cohort_) {
    if (!setting_.joined && pipeline::longest_trial(participant) > baseline_trial) {
      participant = pipeline::cut_trials(participant, baseline_trial);
    }
  }
}

void Group::fit_models() {
  const pipeline::EmissionChoice choice{.fit = setting_.emission, .calibrate = setting_.calibrated};
  std::vector<ScoredParticipant> switching;
  const bool moves_matter = setting_.calibrated || setting_.emission != pipeline::EmissionFit::labels;
  for (std::size_t k = 0; moves_matter && k < cohort_.size(); ++k) switching.push_back(drawn(k, 0));
  const auto speakers = std::ssize(cohort_.front().speakers);
  const auto chain = pipeline::make_chain({.switch_probability = p_of(setting_)}, speakers, setting_.window);
  const pipeline::CohortModels fits(choice, {cohort_, switching}, chain);
  models_.resize(cohort_.size());
  // Scores are shifted by what the emission of each says, and the number of gain states sees everybody's.
  const bool all = setting_.accuracy_shift != 0;
  std::vector<std::vector<std::string>> notes(cohort_.size());
  rethrow_first(pipeline::in_parallel(all ? cohort_.size() : members_.size(), options_.threads, [&](std::size_t k) {
    const std::size_t participant = all ? k : members_[k];
    models_[participant] = fits.fit(participant, notes[participant]);
  }));
  for (std::size_t k = 0; k < members_.size(); ++k) own_notes_[k] = std::move(notes[members_[k]]);
}

void Group::choose_gain_states() {
  std::vector<std::string> notes;
  methods_ = pipeline::leave_one_out_gain_states({}, cohort_, notes);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const std::string whose = "participant " + ids_[k] + " ";
    std::ranges::copy_if(notes, std::back_inserter(own_notes_[k]),
                         [&](const std::string& note) { return note.find(whose) != std::string::npos; });
  }
}

// alpha times the distance of the means, in the domain the emission is normal in; the emission follows (Section IV-I).
void Group::shift_attended() {
  for (std::size_t k = 0; k < cohort_.size(); ++k) {
    auto& emission = std::get<GaussianEmission>(models_[k].emission);
    const double shift = setting_.accuracy_shift * (emission.mu_attended - emission.mu_unattended);
    emission.mu_attended += shift;
    for (ScoredTrial& trial : cohort_[k].trials) {
      for (Index t = 0; t < trial.scores.values.rows(); ++t) {
        const Speaker attended = trial.attention.attended[static_cast<std::size_t>(t)];
        if (attended == unknown_speaker) continue;
        double& score = trial.scores.values(t, attended);
        if (std::isnan(score)) continue;
        const double shifted = emission::transformed(score, emission.fisher) + shift;
        score = emission.fisher ? std::tanh(shifted) : shifted;
      }
    }
  }
}

double Group::p_of(const Setting& setting) const {
  const auto speakers = static_cast<double>(cohort_.front().speakers.size());
  if (setting.switch_probability) return *setting.switch_probability;
  if (setting.switch_rule == SwitchRule::once_an_interval) {
    const double interval = (setting.switch_interval.shortest.value + setting.switch_interval.longest.value) / 2;
    return std::min(setting.window.value / interval / (speakers - 1), 1 / speakers);
  }
  const auto chain = pipeline::make_chain({}, static_cast<Index>(speakers), setting.window);
  return chain.as_sticky()->move();
}

std::optional<std::string> Group::obstacle(track::Method method) const {
  return pipeline::obstacle(method, cohort_.front());
}

ScoredParticipant Group::drawn(std::size_t participant, int repeat) const {
  if (!interval_) return cohort_[participant];
  return pipeline::with_artificial_switches(cohort_[participant], *interval_, {options_.seed, participant, repeat});
}

track::AnyTracker Group::tracker_of(std::size_t participant, const GroupTracker& tracker) const {
  const auto speakers = std::ssize(cohort_.front().speakers);
  track::MethodOptions options = methods_[participant];
  options.lag = tracker.look_ahead;
  return track::make_tracker(
      tracker.method, pipeline::make_chain({.switch_probability = tracker.p}, speakers, setting_.window), options);
}

std::vector<Measured> Group::run_one(std::size_t k, std::span<const GroupTracker> trackers) const {
  const std::size_t participant = members_[k];
  std::vector<Measured> results(trackers.size());
  std::vector<std::vector<ParticipantMetrics>> repeats(trackers.size());
  std::vector<track::AnyTracker> made;
  for (const GroupTracker& tracker : trackers) made.push_back(tracker_of(participant, tracker));
  const bool random = interval_ && interval_->shortest != interval_->longest;
  for (int repeat = 0; repeat < (random ? std::min(setting_.repeats, options_.most_repeats) : 1); ++repeat) {
    const ScoredParticipant switching = drawn(participant, repeat);
    const auto evidence = pipeline::evidence_of(switching, models_[participant]);
    for (std::size_t m = 0; m < made.size(); ++m) {
      const TrackedParticipant tracked = pipeline::track_participant(switching, evidence, made[m]);
      repeats[m].push_back(evaluate::measure_participant(tracked));
      results[m].calibration += evaluate::Calibration::measure(tracked);
    }
  }
  for (std::size_t m = 0; m < made.size(); ++m) results[m].metrics = evaluate::average(repeats[m]);
  return results;
}

std::vector<std::vector<Measured>> Group::run(std::span<const GroupTracker> trackers) const {
  std::vector<std::vector<Measured>> by_participant(members_.size());
  rethrow_first(pipeline::in_parallel(members_.size(), options_.threads,
                                      [&](std::size_t k) { by_participant[k] = run_one(k, trackers); }));
  std::vector<std::vector<Measured>> results(trackers.size());
  for (std::size_t m = 0; m < trackers.size(); ++m) {
    for (const auto& participant : by_participant) results[m].push_back(participant[m]);
  }
  return results;
}

double Group::mean_switch_time(const GroupTracker& tracker) const {
  std::vector<std::optional<double>> times;
  const auto measured = run({&tracker, 1});
  for (const Measured& one : measured.front()) times.push_back(one.metrics.switch_time);
  return evaluate::summarise(times).mean.value_or(0);
}

double Group::p_of_switch_time(double seconds) const {
  // Switch time falls as p rises; bisection of log p.
  double low = std::log(1e-4);
  double high = std::log(1 / static_cast<double>(cohort_.front().speakers.size()));
  constexpr int halvings = 18;  // p to a relative 3e-5
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    const GroupTracker causal{.method = track::Method::causal, .p = std::exp(middle)};
    (mean_switch_time(causal) > seconds ? low : high) = middle;
  }
  return std::exp(high);
}

TrackedParticipant Group::track_one(std::size_t k, const GroupTracker& tracker) const {
  const std::size_t participant = members_[k];
  const ScoredParticipant switching = drawn(participant, 0);
  return pipeline::track_participant(switching, models_[participant], tracker_of(participant, tracker));
}

}  // namespace heed::study
