// SPDX-License-Identifier: MIT
#include <dsp/bad_channels.h>
#include <dsp/prepare.h>
#include <dsp/resample.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <heed/io/recording_file.h>
#include <io/bids/dataset_check.h>
#include <io/bids/events_file.h>
#include <pipeline/preparation/run_signals.h>
#include <pipeline/preparation/speaker_track.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace heed::pipeline {
namespace {

constexpr Seconds chunk{30};  // of raw EEG in memory at once

std::vector<std::string> names_of(const std::vector<io::EegChannel>& channels) {
  std::vector<std::string> names;
  for (const io::EegChannel& channel : channels) names.push_back(channel.name);
  return names;
}

// A stretch of raw samples, of one segment, in pieces.
class RawSamples {
 public:
  RawSamples(const io::BidsRun& run, Hertz rate, std::vector<std::string> channels)
      : file_(io::RecordingFile::open(run.eeg)), rate_(rate), channels_(std::move(channels)) {}

  // `time` is that of sample `first`, on the recording's clock.
  template <typename Take>
  void read(Seconds time, Index samples, Take&& take) const {
    const auto step = std::max<Index>(1, static_cast<Index>(chunk * rate_));
    for (Index done = 0; done < samples; done += step) {
      const Index count = std::min(step, samples - done);
      // Half a sample early: neither end can be missed by rounding.
      const auto at = [&](Index k) { return Seconds{time.value + ((static_cast<double>(k) - 0.5) / rate_.value)}; };
      const Recording piece = file_.read({channels_, at(done), at(done + count)});
      take(piece.samples);
    }
  }

 private:
  io::RecordingFile file_;
  Hertz rate_;
  std::vector<std::string> channels_;
};

std::vector<RecordingSegment> segments_of(const RecordingHeader& header) {
  if (!header.segments.empty()) return header.segments;
  return {RecordingSegment{{}, 0, header.samples}};
}

// ---- one trial ----

// Only whole rows of the trial, cut to those that are there.
std::vector<SampleRange> cut(const std::vector<SampleRange>& ranges, Index first, Index count) {
  std::vector<SampleRange> result;
  for (const SampleRange& range : ranges) {
    const Index begin = std::max(range.first - first, Index{0});
    const Index end = std::min(range.first + range.count - first, count);
    if (begin < end) result.push_back({begin, end - begin});
  }
  return result;
}

class TrialPreparer {
 public:
  TrialPreparer(const RunRequest& request, SpeakerTracks& tracks)
      : tracks_(tracks),
        plan_(request.plan),
        channels_(request.channels),
        preprocessing_(request.preprocessing),
        ratio_(dsp::rate_ratio(plan_.header.sampling_frequency, preprocessing_.sampling_frequency)),
        raw_(request.run, plan_.header.sampling_frequency, channels_to_read(channels_, preprocessing_)) {}

  PreparedTrial prepare(const io::TrialPlan& trial, std::vector<std::string>& channels) const {
    PreparedTrial result{.name = trial.name, .onset = trial.onset};
    const auto samples = static_cast<Index>(trial.samples * ratio_.up / ratio_.down);
    add_eeg(trial, samples, result, channels);
    for (const io::SpeakerPieces& speaker : trial.speakers) {
      result.stimuli.push_back(tracks_.track(speaker, {trial.onset, samples}));
    }
    result.attention = attended_ranges(trial, preprocessing_.sampling_frequency, samples);
    return result;
  }

 private:
  void add_eeg(const io::TrialPlan& trial, Index samples, PreparedTrial& result,
               std::vector<std::string>& channels) const {
    const RawStretch stretch = stretch_of(trial, plan_.header, preprocessing_.sampling_frequency);
    dsp::EegPreparer preparer(preprocessing_, {.sampling_frequency = plan_.header.sampling_frequency,
                                               .channels = channels_to_read(channels_, preprocessing_),
                                               .bad = channels_.bad});
    raw_.read(stretch.time, stretch.samples, [&](const SampleMatrix& piece) { preparer.push(piece); });
    const dsp::PreparedEeg eeg = preparer.finish();
    // Channels that were only read for the reference come last.
    channels = eeg.channels;
    std::erase_if(channels, [&](const std::string& name) {
      return std::ranges::find(channels_.all, name) == channels_.all.end();
    });
    result.eeg = eeg.values.block(stretch.rows_before, 0, samples, std::ssize(channels)).cast<float>();
    result.missing = cut(eeg.missing, stretch.rows_before, samples);
  }

  SpeakerTracks& tracks_;
  const RunPlan& plan_;
  const ChosenChannels& channels_;
  const Preprocessing& preprocessing_;
  dsp::RateRatio ratio_;
  RawSamples raw_;
};

}  // namespace

std::vector<std::string> channels_to_read(const ChosenChannels& channels, const Preprocessing& preprocessing) {
  std::vector<std::string> names = channels.all;
  if (preprocessing.reference.kind != ReferenceKind::channels) return names;
  for (const std::string& name : preprocessing.reference.channels) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

RawStretch stretch_of(const io::TrialPlan& trial, const RecordingHeader& header, Hertz target_rate) {
  const dsp::RateRatio ratio = dsp::rate_ratio(header.sampling_frequency, target_rate);
  const Hertz rate = header.sampling_frequency;
  Index before = 0;
  Index after = 0;
  for (const RecordingSegment& segment : segments_of(header)) {
    if (trial.first_sample < segment.first_sample || trial.first_sample >= segment.first_sample + segment.samples) {
      continue;
    }
    before = trial.first_sample - segment.first_sample;
    after = std::max<Index>(0, segment.first_sample + segment.samples - trial.first_sample - trial.samples);
  }
  const auto most = static_cast<Index>(filter_run_in * rate);
  const Index periods = std::min(before, most) / ratio.down;
  const Index run_in = periods * ratio.down;
  return {trial.onset - Seconds{static_cast<double>(run_in) / rate.value},
          run_in + trial.samples + std::min(after, most), periods * ratio.up};
}

std::vector<AttendedRange> attended_ranges(const io::TrialPlan& trial, Hertz rate, Index samples) {
  std::vector<AttendedRange> result;
  for (const io::AttendedSpan& span : trial.attention) {
    const auto row = [&](Seconds time) {
      return std::clamp<Index>(static_cast<Index>(std::llround((time - trial.onset) * rate)), 0, samples);
    };
    const Index first = row(span.onset);
    const Index end = row(span.onset + span.duration);
    if (first < end) result.push_back({{first, end - first}, span.speaker});
  }
  return result;
}

RunPlan plan_run(const io::BidsDataset& dataset, const io::BidsRun& run) {
  if (!run.events) {
    throw Error(ErrorKind::not_found, run.eeg.string() +
                                          ": has no events.tsv; write one with the stimulus and attend " +
                                          "rows of the run, or exclude the run " + run.name);
  }
  RunPlan plan;
  plan.header = io::read_recording_header(run.eeg);
  const auto table = run.channels ? io::read_channels(*run.channels) : std::vector<io::BidsChannel>{};
  plan.events = io::read_events(*run.events);
  try {
    plan.eeg = io::select_eeg(plan.header, table);
  } catch (const Error& error) {
    throw error.within(run.channels.value_or(run.eeg).string());
  }
  try {
    plan.trials = io::plan_trials(plan.events, plan.header);
  } catch (const Error& error) {
    throw error.within(run.events->string());
  }
  io::require_stimuli(dataset, run, plan.events, plan.header.sampling_frequency);
  return plan;
}

std::vector<FoundBad> find_bad_channels(const io::BidsRun& run, const RunPlan& plan) {
  const auto names = names_of(plan.eeg);
  dsp::BadChannelDetector detector(std::ssize(names));
  const RawSamples raw(run, plan.header.sampling_frequency, names);
  for (const RecordingSegment& segment : segments_of(plan.header)) {
    raw.read(segment.onset, segment.samples, [&](const SampleMatrix& piece) { detector.push(piece); });
  }
  std::vector<FoundBad> result;
  for (const dsp::BadChannel& bad : detector.found()) {
    result.push_back({names[static_cast<std::size_t>(bad.channel)], bad.reason});
  }
  return result;
}

PreparedRun prepare_run(const RunRequest& request, SpeakerTracks& tracks) {
  const auto& [run, plan, channels, preprocessing] = request;
  PreparedRun result{.name = run.name,
                     .sampling_frequency = preprocessing.sampling_frequency,
                     .targets = io::names_of(preprocessing.targets),
                     .notes = plan.header.notes};
  for (const io::SpeakerPieces& speaker : plan.trials.front().speakers) result.speakers.push_back(speaker.name);
  const TrialPreparer preparer(request, tracks);
  for (const io::TrialPlan& trial : plan.trials) {
    try {
      result.trials.push_back(preparer.prepare(trial, result.channels));
    } catch (const Error& error) {
      throw error.within(run.name + (trial.name.empty() ? "" : ", trial " + trial.name));
    }
  }
  return result;
}

}  // namespace heed::pipeline
