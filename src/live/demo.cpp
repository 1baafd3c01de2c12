// SPDX-License-Identifier: MIT
#include <heed/emission/supervised.h>
#include <heed/live/session.h>
#include <live/clock/clock.h>
#include <live/demo.h>
#include <live/run.h>
#include <live/sources/open_source.h>

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
  return options.files.empty() ? simulated_talkers(cohort, voices) : talkers_from_files(cohort, options.files);
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

}  // namespace

DemoStage make_demo_stage(const DemoOptions& options) {
  const sim::RecordingCohortOptions cohort = cohort_of(options);
  auto source = std::make_unique<SimulatedListener>(
      SimulatedListenerOptions{
          .name = "demo", .cohort = cohort, .duration = options.duration, .wandering = Wandering{}},
      talkers_of(options, cohort));
  Decoder decoder = simulated_decoder(cohort, Seconds{1});
  std::optional<Model> model;
  if (!options.window.steps) model = rehearsed_model(options, cohort, decoder);
  return {std::move(source), std::move(decoder), std::move(model)};
}

}  // namespace heed::live
