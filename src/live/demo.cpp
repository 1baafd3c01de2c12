// SPDX-License-Identifier: MIT
#include <heed/emission/supervised.h>
#include <heed/live/session.h>
#include <live/clock/clock.h>
#include <live/demo.h>
#include <live/run.h>
#include <live/sources/open_source.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/adaptive_listening.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heed::live {
namespace {

constexpr Seconds voices{300};  // that the talkers speak before they begin anew

// How strongly the EEG follows speech, relative to the simulator's usual listener, whom heed needs half a minute for.
// With windows of one second about 4 of 5 are right for the first, so visitors see heed find out within seconds, and
// about 2 of 3 for the second, as for the best of real listeners.
double signal_of(ListenerProfile profile) { return profile == ListenerProfile::hard ? 2.5 : 6; }

sim::RecordingCohortOptions cohort_of(const DemoOptions& options) {
  sim::RecordingCohortOptions cohort;
  cohort.participants = 1;
  cohort.trials = 2;
  cohort.interval = {{60}, {60}};
  cohort.speakers = options.setup.talkers;
  cohort.channels = sim::electrodes(32);
  cohort.signal = signal_of(options.setup.listener);
  cohort.signal_spread = 0;
  cohort.seed = options.seed;
  return cohort;
}

std::vector<Talker> talkers_of(const DemoOptions& options, const sim::RecordingCohortOptions& cohort) {
  return options.talkers.empty() ? simulated_talkers(cohort, voices) : options.talkers;
}

// Keeps the scores of a rehearsal with what was attended, and moves attention now and then.
class Rehearsal final : public Sink {
 public:
  Rehearsal(SimulatedListener& listener, const decode::WindowLayout& layout) : listener_(listener) {
    trial_.scores = {.window = layout.window, .hop = layout.hop};
  }

  void decided(const Decision& decision) override {
    constexpr Seconds until_switch{20};
    const auto speakers = static_cast<Index>(decision.scores.size());
    if (decision.held || decision.attended == unknown_speaker) return;
    const Index row = trial_.scores.values.rows();
    trial_.scores.values.conservativeResize(row + 1, speakers);
    trial_.scores.values.row(row) = Eigen::Map<const Eigen::RowVectorXd>(decision.scores.data(), speakers);
    trial_.attention.attended.push_back(decision.attended);
    listener_.attend(static_cast<Speaker>(static_cast<Index>(decision.end / until_switch) % speakers));
  }
  [[nodiscard]] ScoredParticipant scored() const {
    return {.speakers = listener_.description().speakers, .trials = {trial_}};
  }

 private:
  SimulatedListener& listener_;
  ScoredTrial trial_{};
};

// What scores of this listener mean, from two minutes of other speech and other EEG.
Model rehearsed_model(const DemoOptions& options, sim::RecordingCohortOptions cohort, const Decoder& decoder) {
  ++cohort.trials;
  SimulatedListener listener({.cohort = cohort, .duration = Seconds{120}}, talkers_of(options, cohort));
  Session session(listener.description(), {.decoder = decoder, .window = options.window});
  Rehearsal rehearsal(listener, options.window);
  VirtualClock clock;
  (void)run(listener, session, rehearsal, clock);
  const emission::ScoreMoments moments = emission::moments(rehearsal.scored(), true);
  return {.emission = emission::fit_gaussian({&moments, 1}),
          .window = options.window.window,
          .hop = options.window.hop,
          .participants = 1,
          .origin = "a rehearsal of the demonstration"};
}

// ---- the others ----

// Few, each heard for a short time, and not as clear as the listener: the decoder that they lend is a poor one, so that
// visitors see it get better within minutes.
constexpr int others = 3;
constexpr Seconds heard_of_each{30};
constexpr double signal_of_others = 1;  // that of the simulator's usual listener
constexpr double others_count_as = 30;  // s of listening

struct OtherListeners {
  pipeline::DecoderChoice choice{};
  std::vector<pipeline::ParticipantTrials> trials{};
  Population population{};
};

OtherListeners other_listeners(sim::RecordingCohortOptions cohort, Seconds window) {
  cohort.participants = 1 + others;
  cohort.trials = 1;
  cohort.trial = heard_of_each;
  cohort.interval = {{15}, {15}};
  cohort.signal = signal_of_others;
  OtherListeners result{.choice = pipeline::resolve({.recipe = pipeline::Recipe::onset,
                                                     .kind = pipeline::DecoderKind::least_squares,
                                                     .filters = FilterMode::causal})};
  const pipeline::PopulationOptions options{
      .choice = result.choice, .window = window, .scores = false, .covariances = true};
  const pipeline::SimulatedCohort simulated(cohort);
  std::vector<PopulationEntry> entries;
  for (std::size_t k = 1; k <= others; ++k) {  // the first is the listener
    result.trials.push_back(pipeline::scaled_trials(simulated.prepare(k, result.choice.preprocessing), result.choice));
    auto fresh = pipeline::population_entries(result.trials.back(), simulated.sources_of(k), options);
    std::ranges::move(fresh, std::back_inserter(entries));
  }
  result.population = pipeline::population_of(options, std::move(entries));
  return result;
}

// What the others lend to the listener, and what scores mean by how each of them is decoded by the rest.
AdaptiveSession without_calibration(const DemoOptions& options, const sim::RecordingCohortOptions& cohort) {
  const Seconds window = options.window.window;
  OtherListeners known = other_listeners(cohort, window);
  pipeline::AdaptiveSetup setup = pipeline::adaptive_setup(known.choice, window, others_count_as);
  const pipeline::DecoderShape shape{known.trials.front().trials.front().channels, {setup.lags, {0, 0}}};
  PopulationAdaptation adaptation{.seconds = {others_count_as}};
  setup.options.adapt = false;
  for (const pipeline::ParticipantTrials& one : known.trials) {
    const pipeline::ListenerPrior prior(known.population, one.id, {});
    const std::vector start{prior.lend_start({}, shape)};
    const auto scores = pipeline::listen(one, window, setup, start).scores;
    adaptation.trials.push_back({one.id, emission::moments(scores, true), {0}});
  }
  setup.options.adapt = true;
  setup.options.emission_windows = others_count_as / window.value;
  known.population.adaptation = std::move(adaptation);
  const pipeline::ListenerPrior prior(known.population, "", {});
  return {.starts = {prior.lend_start({}, shape).start},
          .channels = shape.channels,
          .preprocessing = known.choice.preprocessing,
          .eeg_lags = setup.lags,
          .population_seconds = others_count_as,
          .adaptation = setup.options};
}

}  // namespace

std::vector<Talker> demo_talkers(std::span<const std::filesystem::path> files) {
  return talkers_from_files(cohort_of({.setup = {.talkers = static_cast<int>(files.size())}}), files);
}

DemoStage make_demo_stage(const DemoOptions& options) {
  const sim::RecordingCohortOptions cohort = cohort_of(options);
  auto source = std::make_unique<SimulatedListener>(
      SimulatedListenerOptions{
          .name = "demo", .cohort = cohort, .duration = options.duration, .wandering = Wandering{}},
      talkers_of(options, cohort));
  DemoStage stage{.source = std::move(source)};
  if (options.window.hop == options.window.window && !options.window.steps) {
    stage.adaptive = without_calibration(options, cohort);
    return stage;
  }
  stage.decoder = simulated_decoder(cohort, Seconds{1});
  if (!options.window.steps) stage.model = rehearsed_model(options, cohort, *stage.decoder);
  return stage;
}

}  // namespace heed::live
