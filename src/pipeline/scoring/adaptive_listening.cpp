// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/supervised.h>
#include <pipeline/scoring/adaptive_listening.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace heed::pipeline {
namespace {

constexpr std::array<double, 4> tried_seconds{100, 200, 400, 800};
// While numbers of seconds are compared, a decoder follows every so many windows: the comparison is the same, and takes
// a fraction of the time.
constexpr Index tried_block = 20;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

Matrix in_rows(const std::vector<double>& values, Index columns) {
  return Eigen::Map<const Matrix>(values.data(), std::ssize(values) / columns, columns);
}

void check_alike(const ParticipantTrials& participant) {
  const Trial& first = participant.trials.at(0);
  if (first.speakers.size() < 2) {
    throw Error(ErrorKind::bad_data, "sub-" + participant.id + ": has one speaker, '" + first.speakers.front() +
                                         "'; attention is decided between two or more");
  }
  for (const Trial& trial : participant.trials) {
    if (trial.channels == first.channels && trial.speakers == first.speakers) continue;
    throw Error(ErrorKind::bad_data, "sub-" + participant.id + ": trials '" + first.name + "' and '" + trial.name +
                                         "' differ in channels or speakers; choose runs that have the same");
  }
}

double separation(const ScoreMoments& moments) {
  const auto fitted = emission::tied_gaussian(moments, {});
  return fitted ? (fitted->mu_attended - fitted->mu_unattended) / fitted->sigma_attended : 0;
}

// The name a listener has in the population: another one where somebody else was there first.
std::string name_in(const Population& population, const std::vector<TrialSource>& sources, const std::string& id) {
  for (const PopulationEntry& entry : population.entries) {
    if (std::ranges::find(sources, entry.recording, &TrialSource::recording) != sources.end()) return entry.listener;
  }
  return id;
}

// Of scores by what others lend, nothing being learnt.
ScoreMoments moments_of_fixed(const ParticipantTrials& trials, std::span<const LentStart> starts,
                              const PopulationOptions& options) {
  AdaptiveSetup setup = adaptive_setup(options.choice, options.window, {});
  setup.options.adapt = false;
  return emission::moments(listen(trials, options.window, setup, starts).scores, true);
}

// d' of decoders that learn, for each number of seconds: all at once, since they share the covariance.
std::vector<double> learnt_separations(const ParticipantTrials& trials, std::span<const LentStart> starts,
                                       const PopulationOptions& options, std::span<const double> seconds) {
  AdaptiveSetup setup = adaptive_setup(options.choice, options.window, seconds.front());
  setup.options.block = std::max(setup.options.block, tried_block);
  std::vector<double> rivals;  // in windows
  for (const double others : seconds.subspan(1)) {
    rivals.push_back(adaptive_setup(options.choice, options.window, others).options.population_windows);
  }
  const AdaptiveListening heard = listen(trials, options.window, setup, starts, rivals);
  std::vector<double> result{separation(emission::moments(heard.scores, true))};
  for (const ScoredParticipant& rival : heard.rivals) result.push_back(separation(emission::moments(rival, true)));
  return result;
}

}  // namespace

AdaptiveSetup adaptive_setup(const DecoderChoice& choice, Seconds window, std::optional<double> seconds) {
  if (!can_adapt(choice)) refuse("only least squares of one target can learn while it listens");
  if (choice.regularisation.kind != decode::RegularisationKind::ridge) {
    refuse("a decoder that learns while it listens has a fixed ridge; " +
           std::string(name(choice.regularisation.kind)) + " needs labels or all of the data");
  }
  if (choice.rule.measure != WindowMeasure::cosine) {
    refuse("a decoder that learns while it listens scores by the shrunk cosine; leave the measure at its default");
  }
  AdaptiveSetup setup{.lags = training_options(choice, window).lags.eeg};
  setup.options.ridge = choice.regularisation.ridge;
  setup.options.shrinkage = choice.rule.shrinkage;
  setup.options.population_windows = seconds.value_or(setup.options.population_windows);
  setup.options = decode::for_windows_of(setup.options, window);
  return setup;
}

decode::AdaptiveScorer::Shape scorer_shape(const ParticipantTrials& participant, LagRange lags, Seconds window) {
  check_alike(participant);
  const Trial& first = participant.trials.front();
  return {.channels = std::ssize(first.channels),
          .lags = lags,
          .talkers = std::ssize(first.speakers),
          .sampling_frequency = first.sampling_frequency,
          .window = window};
}

AdaptiveListening listen(const ParticipantTrials& participant, Seconds window, const AdaptiveSetup& setup,
                         std::span<const LentStart> starts, std::span<const double> rivals) {
  std::vector<decode::AdaptiveStart> lent;
  for (const LentStart& one : starts) lent.push_back(one.start);
  decode::AdaptiveScorer scorer(lent.empty() ? decode::AdaptiveStart{} : lent.front(),
                                scorer_shape(participant, setup.lags, window), setup.options, rivals);
  return listen(participant, window, scorer, lent);
}

AdaptiveListening listen(const ParticipantTrials& participant, Seconds window, decode::AdaptiveScorer& scorer,
                         std::span<const decode::AdaptiveStart> starts) {
  check_alike(participant);
  const auto speakers = std::ssize(participant.trials.front().speakers);
  AdaptiveListening result;
  std::vector<ScoredParticipant> scored(  // by the decoder, then by its rivals
      scorer.rivals() + 1,
      {.id = participant.id, .speakers = participant.trials.front().speakers, .type = ScoreType::correlation});
  for (std::size_t k = 0; k < participant.trials.size(); ++k) {
    const Trial& trial = participant.trials[k];
    if (k > 0 && !starts.empty()) scorer.lean_on(starts[std::min(k, starts.size() - 1)]);
    std::vector<MatrixView> stimuli;
    for (const Matrix& stimulus : trial.stimuli) stimuli.push_back(data::view(stimulus));
    std::vector<double> scores;
    std::vector<double> evidence;
    const auto keep = [&] {
      evidence.insert(evidence.end(), scorer.log_likelihoods().begin(), scorer.log_likelihoods().end());
    };
    scorer.push({data::view(trial.eeg), stimuli, trial.missing}, scores);
    keep();
    scorer.finish(scores);
    keep();
    const Matrix rows = in_rows(scores, speakers * std::ssize(scored));
    for (std::size_t d = 0; d < scored.size(); ++d) {
      Scores own{.window = window, .hop = window};
      own.values = rows.middleCols(static_cast<Index>(d) * speakers, speakers);
      scored[d].trials.push_back({trial.name, trial.onset, std::move(own), decode::attention_track(trial, window)});
    }
    result.log_likelihoods.push_back({.window = window, .hop = window});
    result.log_likelihoods.back().values = in_rows(evidence, speakers);
  }
  result.scores = std::move(scored.front());
  result.rivals.assign(std::move_iterator(scored.begin() + 1), std::move_iterator(scored.end()));
  result.learnt = scorer.decoder().learnt();
  return result;
}

std::vector<LentStart> starts_for(const ListenerPrior& prior, std::span<const Trial> trials,
                                  const decode::DecoderLags& lags) {
  std::vector<LentStart> starts;
  for (const Trial& trial : trials) starts.push_back(prior.lend_start({&trial.name, 1}, {trial.channels, lags}));
  return starts;
}

std::vector<double> seconds_to_try() { return {tried_seconds.begin(), tried_seconds.end()}; }

std::optional<AdaptationTrial> adaptation_trial(ParticipantTrials trials, std::vector<TrialSource> sources,
                                                const Population& population, const PopulationOptions& options,
                                                std::span<const double> seconds) {
  std::erase_if(trials.trials, [](const Trial& trial) { return trial.attention.empty(); });
  if (trials.trials.empty()) return std::nullopt;
  AdaptationTrial result{.listener = name_in(population, sources, trials.id)};
  const ListenerPrior prior(population, trials.id, std::move(sources));
  const LagRange lags = adaptive_setup(options.choice, options.window, {}).lags;
  const std::vector<LentStart> starts = starts_for(prior, trials.trials, {lags, {0, 0}});
  result.scores = moments_of_fixed(trials, starts, options);
  result.separations = learnt_separations(trials, starts, options, seconds);
  return result;
}

Note not_tried(const std::string& listener, const Error& why) {
  return {listener, NoteKind::left_out, std::string("no adaptive decoder was tried on this listener: ") + why.what()};
}

void try_adaptation(const OpenFolder& folder, std::span<const ParticipantOutcome> summed_up,
                    const PopulationOptions& options, Population& population, heed::Notes& notes) {
  const auto& participants = folder.participants();
  // Whoever was tried before says nothing of what scores mean: everybody is tried alike.
  PopulationAdaptation adaptation =
      std::exchange(population.adaptation, std::nullopt).value_or(PopulationAdaptation{.seconds = seconds_to_try()});
  std::vector<std::optional<AdaptationTrial>> trials(participants.size());
  std::vector<std::optional<Error>> failures(participants.size());
  const auto unread = folder.for_each("adaptation", participants.size(), [&](std::size_t k) {
    const io::ParticipantRuns& one = participants[k];
    if (folder.request().interrupt) folder.request().interrupt();
    ParticipantTrials heard = scaled_trials(folder.prepare(one), options.choice);
    std::vector<TrialSource> sources = folder.sources_of(one.id);
    try {
      trials[k] = adaptation_trial(std::move(heard), std::move(sources), population, options, adaptation.seconds);
    } catch (const Error& error) {
      failures[k] = error;
    }
  });
  for (std::size_t k = 0; k < trials.size(); ++k) {
    // What was read a moment ago and cannot be read now is a disk that fails, and no property of the listener.
    if (unread[k] && !summed_up[k].failure) throw Error(*unread[k]);
    if (const auto& failure = unread[k] ? unread[k] : failures[k])
      notes.push_back(not_tried(participants[k].id, *failure));
    if (trials[k]) adaptation.trials.push_back(std::move(*trials[k]));
  }
  if (!adaptation.trials.empty()) population.adaptation = std::move(adaptation);
}

}  // namespace heed::pipeline
