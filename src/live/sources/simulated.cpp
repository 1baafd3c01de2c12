// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/sources/attention_control.h>
#include <live/sources/open_source.h>
#include <live/sources/stored_run.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/training.h>
#include <sim/recording_run.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// What the listener's EEG is made of while its attention is moved from outside: one recording per speaker who could be
// attended, with the same noise, of which the one that is attended fades in within half a second.
class MovedAttention {
 public:
  MovedAttention(std::vector<SampleMatrix> attending, Hertz rate)
      : attending_(std::move(attending)), rate_(rate), weights_(attending_.size()) {
    weights_.front() = 1;
  }

  SampleMatrix read(Seconds time, Index rows) {
    constexpr double crossing = 0.5;  // s
    const auto first = static_cast<Index>(std::llround(time * rate_));
    SampleMatrix result = SampleMatrix::Zero(rows, attending_.front().cols());
    for (Index row = 0; row < rows; ++row) {
      for (std::size_t s = 0; s < weights_.size(); ++s) {
        const double step = 1 / (crossing * rate_.value);
        weights_[s] =
            std::cmp_equal(s, attended) ? std::min(1.0, weights_[s] + step) : std::max(0.0, weights_[s] - step);
      }
      const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
      for (std::size_t s = 0; s < weights_.size(); ++s) {
        if (weights_[s] > 0) result.row(row) += static_cast<float>(weights_[s] / sum) * attending_[s].row(first + row);
      }
    }
    return result;
  }

  Speaker attended = 0;

 private:
  std::vector<SampleMatrix> attending_;  // [speaker] samples x channels
  Hertz rate_;
  std::vector<double> weights_;
};

// Tells when attention was moved, before the EEG that shows it.
class ControlledSource final : public Source {
 public:
  ControlledSource(StoredRun run, const ReplayOptions& options, std::shared_ptr<MovedAttention> attention,
                   std::unique_ptr<AttentionControl> control)
      : source_(std::move(run), options),
        stream_(source_.description()),
        attention_(std::move(attention)),
        control_(std::move(control)) {
    stream_.labelled = true;
  }

  [[nodiscard]] const StreamDescription& description() const override { return stream_; }
  [[nodiscard]] bool is_stored() const noexcept override { return true; }
  Arrival next(Block& block, Seconds patience) override {
    const Speaker wanted = control_->attended();
    if (time_ && (wanted != attention_->attended || !told_)) {
      attention_->attended = wanted;
      told_ = true;
      block.kind = BlockKind::attended;
      block.stamp = time_;
      block.speaker = wanted;
      return Arrival::block;
    }
    const Arrival arrival = source_.next(block, patience);
    if (arrival == Arrival::block && block.kind == BlockKind::trial) time_ = block.stamp;
    if (arrival == Arrival::block && block.kind == BlockKind::eeg) {
      time_ = *block.stamp + Seconds{static_cast<double>(block.rows) / stream_.sampling_frequency.value};
    }
    return arrival;
  }

 private:
  StoredSource source_;
  StreamDescription stream_;
  std::shared_ptr<MovedAttention> attention_;
  std::unique_ptr<AttentionControl> control_;
  std::optional<Seconds> time_{};  // end of the EEG that was sent
  bool told_ = false;
};

std::unique_ptr<Source> controlled(const SourceRequest& request, const sim::RecordingCohortOptions& options,
                                   const ReplayOptions& replay) {
  constexpr int trial = training_trials + 1;
  const sim::Programme programme = sim::simulate_programme(options, trial);
  const auto speakers = sim::speaker_names(options);
  std::vector<SampleMatrix> attending;
  StoredRun run{.name = request.address.text,
                .sounds = pipeline::story_sounds(programme, options.sound_frequency),
                .read_ahead = request.block};
  for (const std::string& speaker : speakers) {
    sim::SimulatedRun simulated =
        sim::simulate_run(options, 1, trial, programme, {{speaker, Seconds{0}, options.trial, {}, 0}});
    run.header = header_of(simulated.recording);
    simulated.events.attention.clear();  // nobody knows yet
    run.trials = io::plan_trials(simulated.events, run.header);
    attending.push_back(std::move(simulated.recording.samples));
  }
  for (const RecordedChannel& channel : run.header.channels) run.channels.push_back(channel.name);
  const auto attention = std::make_shared<MovedAttention>(std::move(attending), run.header.sampling_frequency);
  run.read = [attention](Seconds time, Index rows) { return attention->read(time, rows); };
  return std::make_unique<ControlledSource>(
      std::move(run), replay, attention,
      std::make_unique<AttentionControl>(request.address.options.at("control"), speakers, request.tell));
}

}  // namespace

Decoder simulated_decoder(const Address& address, Seconds window) {
  sim::RecordingCohortOptions options = options_of(address);
  options.trials = training_trials;
  options.trial = training_trial;
  const pipeline::DecoderChoice choice = pipeline::resolve(
      {.recipe = pipeline::Recipe::onset, .kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal});
  const pipeline::SimulatedCohort cohort(options);
  const auto trials = pipeline::scaled_trials(cohort.prepare(0, choice.preprocessing), choice);
  return pipeline::train(
             1, [&](std::size_t) { return trials; }, choice, window)
      .decoder;
}

std::unique_ptr<Source> open_simulated(const SourceRequest& request) {
  const sim::RecordingCohortOptions options = options_of(request.address);
  const Hertz rate = request.decoder ? request.decoder->preprocessing.sampling_frequency : Hertz{64};
  const ReplayOptions replay{.rate = rate, .window = request.window, .block = request.block};
  if (request.address.options.contains("control")) return controlled(request, options, replay);
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
  return std::make_unique<StoredSource>(std::move(run), replay);
}

}  // namespace heed::live
