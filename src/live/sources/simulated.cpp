// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/sources/attention_control.h>
#include <live/sources/open_source.h>
#include <live/sources/simulated_listener.h>
#include <live/sources/stored_run.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/training.h>
#include <sim/recording_run.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace heed::live {
namespace {

constexpr int training_trials = 2;
constexpr Seconds training_trial{240};

sim::RecordingCohortOptions options_of(const Address& address) {
  sim::RecordingCohortOptions options;
  options.participants = 1;
  options.trials = training_trials + 1;
  options.trial = {number_option(address, "duration").value_or(180)};
  options.speakers = static_cast<int>(whole_option(address, "speakers").value_or(2));
  options.channels = sim::electrodes(static_cast<int>(whole_option(address, "channels").value_or(64)));
  options.sampling_frequency = {number_option(address, "rate").value_or(options.sampling_frequency.value)};
  const auto every = address.options.find("switch-every");
  options.interval = pipeline::parse_interval("switch-every", every == address.options.end() ? "60" : every->second);
  options.seed = static_cast<std::uint64_t>(whole_option(address, "seed").value_or(1));
  try {
    sim::check(options);
  } catch (const Error& error) {
    throw error.within(address.text);
  }
  return options;
}

RecordingHeader header_of(const Recording& recording) {
  return {.format = "simulated",
          .sampling_frequency = recording.sampling_frequency,
          .samples = recording.samples.rows(),
          .channels = recording.channels};
}

// Talks and listens without end, or for as long as was asked for.
class ControlledListener final : public Source {
 public:
  ControlledListener(const SimulatedListenerOptions& options, const SourceRequest& request)
      : listener_(options, simulated_talkers(options.cohort, round_trip)),
        control_(
            request.address.options.at("control"), listener_.description().speakers,
            [this](Speaker speaker) { listener_.attend(speaker); }, request.tell) {}

  [[nodiscard]] const StreamDescription& description() const override { return listener_.description(); }
  [[nodiscard]] bool is_stored() const noexcept override { return true; }
  Arrival next(Block& block, Seconds patience) override { return listener_.next(block, patience); }

 private:
  static constexpr Seconds round_trip{120};  // after which the talkers say the same again

  SimulatedListener listener_;
  AttentionControl control_;
};

}  // namespace

Decoder simulated_decoder(const Address& address, Seconds window) {
  return simulated_decoder(options_of(address), window);
}

Decoder simulated_decoder(const sim::RecordingCohortOptions& listener, Seconds window) {
  sim::RecordingCohortOptions options = listener;
  options.trials = training_trials;
  options.trial = training_trial;
  const pipeline::DecoderChoice choice = pipeline::resolve(
      {.recipe = pipeline::Recipe::onset, .kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal});
  const pipeline::SimulatedCohort cohort(options);
  auto trials = pipeline::scaled_trials(cohort.prepare(0, choice.preprocessing), choice);
  return pipeline::train(
             1, [&](std::size_t) { return trials; }, choice, window)
      .decoder;
}

std::unique_ptr<Source> open_simulated(const SourceRequest& request) {
  const sim::RecordingCohortOptions options = options_of(request.address);
  if (request.address.options.contains("control")) {
    SimulatedListenerOptions listening{.name = request.address.text, .cohort = options, .block = request.block};
    if (request.address.options.contains("duration")) listening.duration = options.trial;
    return std::make_unique<ControlledListener>(std::move(listening), request);
  }
  constexpr int trial = training_trials + 1;
  const sim::Programme programme = sim::simulate_programme(options, trial);
  auto simulated = std::make_shared<sim::SimulatedRun>(sim::simulate_run(options, 1, trial, programme));
  const Recording& recording = simulated->recording;
  StoredRun run{.name = request.address.text,
                .header = header_of(recording),
                .trials = io::plan_trials(simulated->events, header_of(recording)),
                .sounds = pipeline::story_sounds(programme, options.sound_frequency)};
  for (const RecordedChannel& channel : recording.channels) run.channels.push_back(channel.name);
  run.read = [simulated](Seconds time, Index rows) -> SampleMatrix {
    const Recording& whole = simulated->recording;
    const auto first = static_cast<Index>(std::llround((time - whole.onset) * whole.sampling_frequency));
    return whole.samples.middleRows(first, rows);
  };
  const Hertz rate = request.decoder ? request.decoder->preprocessing.sampling_frequency : Hertz{64};
  return std::make_unique<StoredSource>(std::move(run),
                                        ReplayOptions{.rate = rate, .window = request.window, .block = request.block});
}

}  // namespace heed::live
