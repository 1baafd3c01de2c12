// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <study/tracking/group.h>

#include <algorithm>
#include <cmath>

namespace heed::study {
namespace {

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

// What was said of windows outside two minutes of a participant's listening is forgotten: they are tracked, and not
// judged. Trials of which nothing is left to judge are gone, and so is whoever was heard for less than half of the
// time.
ScoredParticipant within_minutes(ScoredParticipant participant, double first_minute) {
  constexpr Seconds length{120};
  const Seconds first{60 * first_minute};
  Seconds heard{};
  Seconds judged{};
  for (ScoredTrial& trial : participant.trials) {
    for (Speaker& attended : trial.attention.attended) {
      if (heard < first || !(heard < first + length)) attended = unknown_speaker;
      if (attended != unknown_speaker) judged = judged + trial.scores.hop;
      heard = heard + trial.scores.hop;
    }
  }
  if (judged < 0.5 * length) participant.trials.clear();
  std::erase_if(participant.trials, [](const ScoredTrial& trial) {
    return std::ranges::all_of(trial.attention.attended, [](Speaker one) { return one == unknown_speaker; });
  });
  return participant;
}

std::vector<ScoredParticipant> within_minutes(std::vector<ScoredParticipant> participants, double first_minute) {
  for (ScoredParticipant& one : participants) one = within_minutes(std::move(one), first_minute);
  std::erase_if(participants, [](const ScoredParticipant& one) { return one.trials.empty(); });
  if (participants.size() >= 2) return participants;
  throw Error(ErrorKind::bad_data, "fewer than two participants were recorded for so long that minute " +
                                       data::shown(first_minute) + " can be judged");
}

bool any_switch(const std::vector<ScoredParticipant>& participants) {
  return std::ranges::any_of(participants, [](const ScoredParticipant& participant) {
    return std::ranges::any_of(participant.trials, pipeline::has_switch);
  });
}

// Whether the models depend on the chain's p, so that settings with another p are another group.
bool learns_from_p(const Setting& setting) {
  return setting.calibrated || setting.emission == pipeline::EmissionFit::baum_welch ||
         setting.emission == pipeline::EmissionFit::adaptive;
}

// A setting without what the members of a group may differ in.
Setting shared_part(Setting setting) {
  const Setting baseline;
  setting.tracker = baseline.tracker;
  setting.look_ahead = baseline.look_ahead;
  setting.gains = baseline.gains;
  if (!learns_from_p(setting)) {
    setting.switch_probability = baseline.switch_probability;
    setting.switch_rule = baseline.switch_rule;
  }
  return setting;
}

// Whether somebody's trials, end to end, are long enough for a switch.
bool fits(const std::vector<ScoredParticipant>& cohort, const SwitchInterval& interval) {
  return std::ranges::any_of(cohort, [&](const ScoredParticipant& participant) {
    Seconds all{};
    for (const ScoredTrial& trial : participant.trials) {
      all = all + static_cast<double>(trial.scores.values.rows()) * trial.scores.hop;
    }
    return interval.shortest < all;
  });
}

// The p a setting means; of as_state_space, which needs results, the scaled one.
double p_for(const Setting& setting, const ScoredParticipant& participant) {
  if (setting.switch_probability) return *setting.switch_probability;
  const auto count = static_cast<double>(participant.speakers.size());
  if (setting.switch_rule == SwitchRule::once_an_interval) {
    const double interval = (setting.switch_interval.shortest.value + setting.switch_interval.longest.value) / 2;
    return std::min(participant.hop().value / interval / (count - 1), 1 / count);
  }
  return pipeline::make_chain({}, std::ssize(participant.speakers), participant.hop()).as_sticky()->move();
}

bool any_sustained(const std::vector<ScoredParticipant>& participants) {
  return std::ranges::any_of(participants, [](const ScoredParticipant& participant) {
    return std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
      const Seconds length = static_cast<double>(trial.scores.values.rows()) * trial.scores.hop;
      return !pipeline::has_switch(trial) && baseline_interval.shortest < length;
    });
  });
}

// The paper moves attention every five minutes wherever nobody moved it, trial by trial.
void choose_baseline(bool moves, const std::vector<ScoredParticipant>& cohort, pipeline::ExperimentOptions& options,
                     Notes& notes) {
  const auto say = [&](const char* text) { notes.push_back({"", NoteKind::chosen, text}); };
  if (!moves) {
    options.switch_every = baseline_interval;
    say("No switch of attention was recorded: attention is moved artificially every 300 s, in trials of at most 600 s, "
        "by exchanging the speakers' scores, as the paper does.");
  } else if (any_sustained(cohort)) {
    options.switch_every = baseline_interval;
    options.switched = pipeline::SwitchedTrials::sustained;
    say("In trials without a recorded switch attention is moved artificially every 300 s, by exchanging the speakers' "
        "scores, as the paper does.");
  }
}

// How attention moves in these trials, or why it does not as it should.
void choose_switches(const Setting& setting, const std::vector<ScoredParticipant>& cohort,
                     pipeline::ExperimentOptions& options, Notes& notes) {
  const bool moves = any_switch(cohort);
  if (setting.switches == Switches::recorded && !moves) {
    throw Error(ErrorKind::bad_data, "no switch of attention was recorded");
  }
  if (setting.switches == Switches::artificial) {
    if (!fits(cohort, setting.switch_interval)) {
      throw Error(ErrorKind::bad_data, "the recordings are too short for a switch every " +
                                           data::shown(setting.switch_interval.shortest.value) + " s");
    }
    options.switch_every = setting.switch_interval;
  }
  options.attention_stays = setting.switches == Switches::none;
  if (setting.trials != TrialKind::all) return;
  if (setting.switches == Switches::baseline) choose_baseline(moves, cohort, options, notes);
  if (!moves && !setting.listening.joined) options.trials = {.length = baseline_trial, .only_longer = true};
}

// s and -s, of Fisher-transformed correlations where scores are correlations.
ScoredParticipant with_difference(ScoredParticipant participant) {
  if (participant.speakers.size() != 2) {
    throw Error(ErrorKind::bad_data,
                "the difference of " + std::to_string(participant.speakers.size()) + " speakers; it is for two");
  }
  const bool fisher = participant.type == ScoreType::correlation;
  for (ScoredTrial& trial : participant.trials) {
    Matrix& values = trial.scores.values;
    for (Index t = 0; t < values.rows(); ++t) {
      const double difference =
          emission::transformed(values(t, 0), fisher) - emission::transformed(values(t, 1), fisher);
      values(t, 0) = difference;
      values(t, 1) = -difference;
    }
  }
  participant.type = ScoreType::log_odds;
  return participant;
}

std::optional<double> p_of(const Setting& setting, const ScoredParticipant& participant) {
  return is_p_unknown(setting) ? std::nullopt : std::optional(p_for(setting, participant));
}

pipeline::ChainChoice chain_of(std::optional<double> p) {
  return {.switch_probability = p, .unknown_switch_probability = !p};
}

pipeline::ExperimentOptions experiment_options(const Setting& setting, const ScoredParticipant& first,
                                               const RunOptions& options, std::span<const std::string> members) {
  pipeline::ExperimentOptions chosen{.emission = {.fit = setting.emission,
                                                  .calibrate = setting.calibrated,
                                                  .evidence = pipeline::EvidenceCounting::as_is,
                                                  .dependence = setting.dependence},
                                     .chain = chain_of(p_of(setting, first)),
                                     .accuracy_shift = setting.accuracy_shift,
                                     .evidence = setting.evidence,
                                     .repeats = std::min(setting.repeats, options.most_repeats),
                                     .seed = options.seed,
                                     .members = {members.begin(), members.end()},
                                     .threads = options.threads};
  if (setting.spread) chosen.emission.spread = *setting.spread;
  return chosen;
}

}  // namespace

bool same_group(const Setting& a, const Setting& b) { return shared_part(a) == shared_part(b); }

GroupExperiment experiment_of(const Setting& setting, const std::vector<ScoredParticipant>& scores,
                              const RunOptions& options, std::span<const std::string> members) {
  std::vector<ScoredParticipant> cohort = with_trials(scores, setting.trials);
  if (setting.listening.minute) cohort = within_minutes(std::move(cohort), *setting.listening.minute);
  // Trials end to end may hold a switch that none of them has.
  if (setting.listening.joined) std::ranges::transform(cohort, cohort.begin(), pipeline::join_trials);
  const bool difference =
      setting.columns == ScoreColumns::difference || setting.lda == decode::DiscriminantForm::difference;
  if (difference) std::ranges::transform(cohort, cohort.begin(), with_difference);
  auto chosen = experiment_options(setting, cohort.front(), options, members);
  Notes notes;
  choose_switches(setting, cohort, chosen, notes);
  GroupExperiment made{{cohort, std::move(chosen)}, std::move(notes)};
  const Notes& of_cohort = made.experiment.cohort_notes();
  made.notes.insert(made.notes.end(), of_cohort.begin(), of_cohort.end());
  return made;
}

std::optional<std::string> obstacle(const evaluate::GainOptions& gains, const pipeline::Experiment& experiment) {
  const ScoredParticipant& first = experiment.cohort().front();
  try {
    (void)evaluate::make_gain_rule(std::ssize(first.speakers), first.hop(), gains);
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

pipeline::TrackerChoice tracker_of(const Setting& setting, const pipeline::Experiment& experiment) {
  const GainSetting& gains = setting.gains;
  return {.method = setting.tracker,
          .chain = chain_of(p_of(setting, experiment.cohort().front())),
          .options = {.lag = setting.look_ahead, .gain_states = gains.states, .gain_step = gains.step},
          .gains = gains.heard};
}

double mean_switch_time(const pipeline::Experiment& experiment, pipeline::TrackerChoice tracker) {
  tracker.judges_probabilities = false;
  std::vector<std::optional<double>> times;
  const auto measured = experiment.run({&tracker, 1});
  for (const pipeline::TrackerOutcome& one : measured.front()) times.push_back(one.metrics.switch_time);
  return evaluate::summarise(times).mean.value_or(0);
}

double p_of_switch_time(const pipeline::Experiment& experiment, double seconds) {
  // Switch time falls as p rises; bisection of log p.
  double low = std::log(1e-4);
  double high = std::log(1 / static_cast<double>(experiment.cohort().front().speakers.size()));
  constexpr int halvings = 18;  // p to a relative 3e-5
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    const pipeline::TrackerChoice causal{.chain = {.switch_probability = std::exp(middle)}};
    (mean_switch_time(experiment, causal) > seconds ? low : high) = middle;
  }
  return std::exp(high);
}

}  // namespace heed::study
