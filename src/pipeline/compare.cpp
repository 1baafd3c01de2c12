// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/evaluate/calibration.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/compare.h>
#include <heed/pipeline/track_participant.h>
#include <heed/pipeline/trials.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

using evaluate::ParticipantMetrics;

void check(std::span<const ScoredParticipant> participants, const CompareOptions& options) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "no participants to compare on");
  if (options.repeats < 1) throw Error(ErrorKind::invalid_argument, "the number of repeats must be at least 1");
  const ScoredParticipant& first = participants.front();
  for (const ScoredParticipant& participant : participants) {
    const bool labelled = std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
      return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
    });
    if (!labelled) {
      throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                           " has no attended speaker, so nothing can be measured; add the column "
                                           "'attended'");
    }
    const bool alike = participant.speakers.size() == first.speakers.size() && participant.type == first.type &&
                       participant.trials.front().scores.window == first.trials.front().scores.window;
    if (!alike) {
      throw Error(ErrorKind::bad_data, "participants " + first.id + " and " + participant.id +
                                           " differ in speakers, window length or score type; compare them apart");
    }
  }
}

std::vector<ScoredParticipant> recut(std::span<const ScoredParticipant> participants, const CompareOptions& options) {
  std::vector<ScoredParticipant> result(participants.begin(), participants.end());
  for (ScoredParticipant& participant : result) {
    if (options.join) participant = join_trials(participant);
    if (options.trial) participant = cut_trials(participant, *options.trial);
  }
  return result;
}

// Everything one method gathers about one participant, over the repeats.
struct Gathered {
  std::vector<ParticipantMetrics> metrics;
  std::vector<std::optional<double>> brier;
  std::vector<std::optional<double>> error;

  void add(const TrackedParticipant& tracked) {
    metrics.push_back(evaluate::measure_participant(tracked));
    const auto calibration = evaluate::Calibration::measure(tracked);
    brier.push_back(calibration.brier());
    error.push_back(calibration.expected_calibration_error());
  }

  [[nodiscard]] ParticipantResult result(const ScoredParticipant& participant) const {
    const ParticipantMetrics mean = evaluate::average(metrics);
    const auto windows = static_cast<Index>(std::llround(mean.windows));
    return {.id = participant.id,
            .metrics = mean,
            .brier = evaluate::summarise(brier).mean,
            .expected_calibration_error = evaluate::summarise(error).mean,
            .chance_bound = evaluate::Chance::make(participant.speakers.size(), windows).bound()};
  }
};

// One participant: all methods share each draw of the switches.
std::vector<ParticipantResult> run_participant(const ScoredParticipant& participant, std::uint64_t number,
                                               const Emission& emission, const CompareOptions& options,
                                               std::span<const track::AnyTracker> trackers,
                                               const std::function<void()>& tick) {
  std::vector<Gathered> gathered(trackers.size());
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    RandomStream random(options.seed, (static_cast<std::uint64_t>(repeat) << 32U) | number);
    const ScoredParticipant switching =
        options.switch_every ? with_artificial_switches(participant, *options.switch_every, random) : participant;
    for (std::size_t m = 0; m < trackers.size(); ++m) {
      gathered[m].add(track_participant(switching, emission, trackers[m]));
    }
    tick();
  }
  std::vector<ParticipantResult> results;
  for (const Gathered& one : gathered) results.push_back(one.result(participant));
  return results;
}

std::vector<std::optional<double>> column(const MethodResult& method,
                                          std::optional<double> ParticipantMetrics::*measure) {
  std::vector<std::optional<double>> values;
  for (const ParticipantResult& participant : method.participants) values.push_back(participant.metrics.*measure);
  return values;
}

void summarise(MethodResult& method, const MethodResult& first) {
  const auto accuracy = column(method, &ParticipantMetrics::accuracy);
  const auto switch_time = column(method, &ParticipantMetrics::switch_time);
  method.accuracy = evaluate::summarise(accuracy);
  method.switch_time = evaluate::summarise(switch_time);
  for (const ParticipantResult& participant : method.participants) {
    method.missed += participant.metrics.missed;
    method.switches += participant.metrics.switches;
  }
  if (&method == &first) return;
  method.accuracy_test = evaluate::wilcoxon_signed_rank(accuracy, column(first, &ParticipantMetrics::accuracy));
  method.switch_time_test =
      evaluate::wilcoxon_signed_rank(switch_time, column(first, &ParticipantMetrics::switch_time));
}

}  // namespace

Comparison compare(std::span<const ScoredParticipant> participants, const CompareOptions& options,
                   const Progress& progress) {
  check(participants, options);
  const std::vector<ScoredParticipant> cohort = recut(participants, options);
  const std::vector<Emission> emissions = leave_one_out_emissions(options.emission, cohort);

  Comparison comparison{.methods = {},
                        .speakers = cohort.front().speakers.size(),
                        .window = cohort.front().trials.front().scores.window,
                        .chance = 1 / static_cast<double>(cohort.front().speakers.size())};
  const hmm::Chain chain = make_chain(options.chain, static_cast<Index>(comparison.speakers), comparison.window);
  const auto all = track::all_methods();
  const std::vector<track::Method> methods =
      options.methods.empty() ? std::vector(all.begin(), all.end()) : options.methods;
  std::vector<track::AnyTracker> trackers;
  for (const track::Method method : methods) {
    trackers.push_back(track::make_tracker(method, chain, options.method));
    comparison.methods.push_back({.method = method});
  }

  std::size_t done = 0;
  const std::size_t total = cohort.size() * static_cast<std::size_t>(options.repeats);
  const auto tick = [&] {
    ++done;
    if (progress) progress(done, total);
  };
  for (std::size_t p = 0; p < cohort.size(); ++p) {
    const auto results = run_participant(cohort[p], p, emissions[p], options, trackers, tick);
    for (std::size_t m = 0; m < results.size(); ++m) comparison.methods[m].participants.push_back(results[m]);
  }
  for (MethodResult& method : comparison.methods) summarise(method, comparison.methods.front());
  return comparison;
}

}  // namespace heed::pipeline
