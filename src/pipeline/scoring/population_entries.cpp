// SPDX-License-Identifier: MIT
#include <decode/lagged_covariance.h>
#include <heed/data/error.h>
#include <heed/decode/least_squares.h>
#include <heed/emission/supervised.h>
#include <heed/io/model_file.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/population_entries.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heed::pipeline {
namespace {

using decode::TrialStatistics;

using TrialNumbers = std::vector<std::size_t>;

const TrialSource& source_of(const Trial& trial, std::span<const TrialSource> sources) {
  const auto found = std::ranges::find(sources, trial.name, &TrialSource::trial);
  if (found != sources.end()) return *found;
  throw Error(ErrorKind::invalid_argument, trial.name + ": what it was made from is not said");
}

// Labelled trials by run and sounds, in the order of the runs.
std::map<std::pair<std::string, std::vector<std::string>>, TrialNumbers> grouped(const ParticipantTrials& participant,
                                                                                 std::span<const TrialSource> sources) {
  std::map<std::pair<std::string, std::vector<std::string>>, TrialNumbers> groups;
  for (std::size_t k = 0; k < participant.trials.size(); ++k) {
    const TrialSource& source = source_of(participant.trials[k], sources);
    if (!participant.trials[k].attention.empty()) groups[{source.run, source.stimuli}].push_back(k);
  }
  return groups;
}

decode::DecoderLags lags_of(const PopulationOptions& options) {
  return {decode::delays_for(training_options(options.choice, options.window).lags), {0, 0}};
}

// In steps of 1/10000, which files keep.
SampleMatrix rounded(const Matrix& covariance) {
  constexpr float steps = 10'000;
  return (covariance.array() * static_cast<double>(steps)).round().matrix().cast<float>() / steps;
}

void add_covariance(PopulationEntry& entry, const ParticipantTrials& participant, const TrialNumbers& trials,
                    Index lags) {
  std::vector<const Trial*> chosen;
  for (const std::size_t k : trials) chosen.push_back(&participant.trials[k]);
  Matrix covariance = decode::lagged_covariance(chosen, lags);
  // Of causal signals, which come in microvolts; zero-phase ones have deviation 1 already.
  const Index channels = covariance.cols();
  const Eigen::VectorXd deviation = covariance.topRows(channels).diagonal().array().sqrt().max(1e-12);
  for (Index row = 0; row < covariance.rows(); ++row) {
    covariance.row(row).array() /= deviation(row % channels) * deviation.transpose().array();
  }
  entry.covariance = rounded(covariance);
}

void add_products(PopulationEntry& entry, const ParticipantTrials& participant, const TrialNumbers& trials,
                  const PopulationOptions& options) {
  TrialStatistics sum;
  for (const std::size_t k : trials) sum += decode::cross_statistics(participant.trials[k], lags_of(options));
  // Zero-phase signals have deviation 1 already.
  if (options.choice.preprocessing.filters == FilterMode::causal) {
    const decode::Scales scales = decode::scales_of(sum);
    sum = decode::standardised(std::move(sum), scales);
  }
  entry.samples = sum.samples;
  entry.products = (sum.xy / sum.samples).cast<float>();
}

ScoreMoments moments_of(const ScoredParticipant& scored, const TrialNumbers& trials) {
  ScoredParticipant part{.id = scored.id, .speakers = scored.speakers, .type = scored.type};
  for (const std::size_t k : trials) part.trials.push_back(scored.trials[k]);
  return emission::moments(part, scored.type == ScoreType::correlation);
}

bool can_be_scored(const ParticipantTrials& participant) {
  const auto labelled = std::ranges::count_if(participant.trials, [](const Trial& t) { return !t.attention.empty(); });
  return labelled >= 2 && participant.trials.front().speakers.size() >= 2;
}

}  // namespace

bool can_adapt(const DecoderChoice& choice) noexcept {
  return choice.kind == DecoderKind::least_squares && choice.preprocessing.targets.size() == 1;
}

void check_population(const PopulationOptions& options) {
  if (options.choice.kind != DecoderKind::csp) return;
  throw Error(ErrorKind::unsupported,
              "CSP decodes rhythms, which say nothing about speech; a population needs ls or cca");
}

std::vector<PopulationEntry> population_entries(const ParticipantTrials& participant,
                                                std::span<const TrialSource> sources,
                                                const PopulationOptions& options) {
  check_population(options);
  const auto groups = grouped(participant, sources);
  std::vector<ScoredParticipant> scored;
  if (options.scores && can_be_scored(participant)) {
    scored = cross_validate(participant, options.choice, std::array{decode::WindowLayout(options.window)});
  }
  std::vector<PopulationEntry> entries;
  for (const auto& [key, trials] : groups) {
    PopulationEntry entry{.listener = participant.id, .run = key.first, .stimuli = key.second};
    entry.recording = source_of(participant.trials[trials.front()], sources).recording;
    entry.channels = participant.trials[trials.front()].channels;
    add_products(entry, participant, trials, options);
    if (options.covariances) add_covariance(entry, participant, trials, lags_of(options).eeg.count());
    if (!scored.empty()) entry.scores = moments_of(scored.front(), trials);
    entries.push_back(std::move(entry));
  }
  return entries;
}

Population population_of(const PopulationOptions& options, std::vector<PopulationEntry> entries) {
  const DecoderChoice& choice = options.choice;
  Population population;
  population.preprocessing = choice.preprocessing;
  population.targets = io::names_of(choice.preprocessing.targets);
  population.delays = lags_of(options).eeg;
  population.decoder = {.kind = std::string(name(choice.kind)),
                        .regularisation = std::string(name(choice.regularisation.kind)),
                        .ridge = choice.regularisation.ridge,
                        .first_lag = choice.first_lag,
                        .longest_lag = choice.longest_lag,
                        .pairs = choice.pairs,
                        .rule = choice.rule,
                        .window = options.window};
  population.entries = std::move(entries);
  population.origin = std::to_string(io::listeners_in(population)) + " listeners";
  return population;
}

Population make_population(const PopulationOptions& options, std::vector<PopulationEntry> entries) {
  Population population = population_of(options, std::move(entries));
  const std::size_t listeners = io::listeners_in(population);
  if (listeners < 2) {
    throw Error(ErrorKind::bad_data, "labelled trials of " + std::to_string(listeners) +
                                         (listeners == 1 ? " listener are" : " listeners are") +
                                         " no population: each listener needs others to learn from; it takes at least "
                                         "two, and about eight are worthwhile");
  }
  return population;
}

}  // namespace heed::pipeline
