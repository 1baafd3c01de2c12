// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/io/recording_file.h>
#include <heed/io/sound_file.h>
#include <io/bids/channels_file.h>
#include <io/bids/events_file.h>
#include <io/bids/run_check.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace heed::io {
namespace {

std::string seconds_text(Seconds time) { return data::shown(time.value) + " s"; }

bool is_table(const std::filesystem::path& file) { return file.extension() == ".tsv"; }

// A copy that was cut off has its header, but not its last second.
StimulusFacts audio_facts(const std::filesystem::path& file) {
  const AudioHeader header = read_audio_header(file);
  const auto second = static_cast<Index>(std::ceil(header.sampling_frequency.value));
  const Index first = std::max<Index>(0, header.frames - second);
  static_cast<void>(read_audio(file, {first, std::nullopt, std::nullopt}));
  return {StimulusKind::audio, header.sampling_frequency, {}, header.duration(), header.channels};
}

StimulusFacts envelope_facts(const std::filesystem::path& file) {
  const Envelope envelope = read_envelope(file);
  const Seconds duration{static_cast<double>(envelope.values.rows()) / envelope.sampling_frequency.value};
  return {StimulusKind::envelope, envelope.sampling_frequency, envelope.onset, envelope.onset + duration, 0};
}

std::string piece_text(const StimulusPiece& piece) {
  return "wants " + seconds_text(piece.duration) + " from " + seconds_text(piece.file_onset) + " of " +
         in_quotes(piece.file);
}

using data::shown;

std::string hertz_text(Hertz rate) { return shown(rate.value) + " Hz"; }

// Headers keep rates with six digits or as a whole number of microseconds.
bool is_same(Hertz a, Hertz b) { return std::abs(a.value - b.value) <= 1e-4 * b.value; }

bool is_multiple(Hertz a, Hertz b) {
  const double ratio = std::max(a.value, b.value) / std::min(a.value, b.value);
  return std::abs(ratio - std::round(ratio)) < 1e-6 * ratio;
}

class RunCheck {
 public:
  RunCheck(const BidsRun& run, StimulusCheck& stimuli, ProblemList& problems)
      : run_(run), stimuli_(stimuli), problems_(problems) {}

  RunFacts check() {
    try {
      header_ = read_recording_header(run_.eeg);
    } catch (const Error& error) {
      problems_.error(run_.eeg, error);
      check_events_alone();
      return {};
    }
    facts_.recorded = {static_cast<double>(header_.samples) / header_.sampling_frequency.value};
    for (const std::string& note : header_.notes) problems_.warning(run_.eeg, note);
    check_channels_table();
    check_sidecar();
    check_events_table();
    return std::move(facts_);
  }

 private:
  void check_channels_table() {
    if (!run_.channels) {
      problems_.warning(
          run_.eeg, "has no channels.tsv: which channels are EEG is guessed from their names; write one to be sure");
      select({}, run_.eeg);
      return;
    }
    try {
      CheckedChannels checked = check_channels(read_text_file(*run_.channels));
      const bool whole = checked.problems.empty();
      problems_.add(*run_.channels, std::move(checked.problems));
      if (!whole) return;
      check_rates(checked.channels);
      select(checked.channels, *run_.channels);
    } catch (const Error& error) {
      problems_.error(*run_.channels, error);
    }
  }

  void check_rates(const std::vector<BidsChannel>& channels) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const auto recorded = std::ranges::find(header_.channels, channels[i].name, &RecordedChannel::name);
      if (recorded == header_.channels.end() || !channels[i].sampling_frequency) continue;
      if (is_same(*channels[i].sampling_frequency, recorded->sampling_frequency)) continue;
      const std::size_t row = i + 2;  // the header is row 1
      problems_.error(*run_.channels,
                      "column sampling_frequency: " + in_quotes(channels[i].name) + " is said to have " +
                          hertz_text(*channels[i].sampling_frequency) + ", the recording has " +
                          hertz_text(recorded->sampling_frequency) + "; correct the table",
                      row);
    }
  }

  void select(const std::vector<BidsChannel>& channels, const std::filesystem::path& file) {
    try {
      const std::vector<EegChannel> eeg = select_eeg(header_, channels);
      std::set<double> rates;
      for (const EegChannel& channel : eeg) {
        facts_.eeg_channels.push_back(channel.name);
        rates.insert(header_.channels[channel.index].sampling_frequency.value);
      }
      if (rates.size() > 1) {
        problems_.error(run_.eeg, "EEG channels differ in rate (" + hertz_text({*rates.begin()}) + " to " +
                                      hertz_text({*rates.rbegin()}) +
                                      "); resample them to one, or give the odd ones "
                                      "another type in channels.tsv");
      }
      if (std::ranges::none_of(eeg, &EegChannel::good)) {
        problems_.error(file, "every EEG channel is bad; mark the good ones, or leave the run out");
      }
    } catch (const Error& error) {
      problems_.error(file, error);
    }
  }

  void check_sidecar() {
    if (run_.sidecars.empty()) {
      problems_.warning(run_.eeg,
                        "has no _eeg.json; write one with SamplingFrequency, EEGReference and "
                        "PowerLineFrequency");
      return;
    }
    const std::filesystem::path& file = run_.sidecars.back();
    try {
      compare(read_eeg_sidecar(run_), file);
    } catch (const Error& error) {
      problems_.error(file, error);
    }
  }

  void compare(const EegSidecar& sidecar, const std::filesystem::path& file) {
    if (sidecar.sampling_frequency && !is_same(*sidecar.sampling_frequency, header_.sampling_frequency)) {
      problems_.error(file, "key SamplingFrequency is " + hertz_text(*sidecar.sampling_frequency) +
                                ", the recording has " + hertz_text(header_.sampling_frequency) + "; correct it");
    }
    if (sidecar.duration && std::abs((*sidecar.duration - facts_.recorded).value) > 1) {
      const std::string told = "key RecordingDuration is " + shown(sidecar.duration->value) +
                               " s, the recording lasts " + shown(facts_.recorded.value) + " s; ";
      // What is missing was there once: the copy is cut off. Too much is only badly described.
      if (*sidecar.duration > facts_.recorded) {
        problems_.error(file, told + "copy the recording again, or correct the key");
      } else {
        problems_.warning(file, told + "correct it");
      }
    }
    if (sidecar.eeg_channels && !facts_.eeg_channels.empty() && *sidecar.eeg_channels != facts_.eeg_channels.size()) {
      problems_.warning(file, "key EEGChannelCount is " + std::to_string(*sidecar.eeg_channels) + ", but " +
                                  std::to_string(facts_.eeg_channels.size()) +
                                  " channels are EEG; correct it or the types in channels.tsv");
    }
  }

  // Nothing: it cannot be read at all.
  std::optional<CheckedEvents> events() {
    if (!run_.events) {
      problems_.error(
          run_.eeg,
          "has no events.tsv; write one with the stimulus and attend rows of the run, or exclude the run " + run_.name);
      return std::nullopt;
    }
    try {
      CheckedEvents checked = check_events(read_text_file(*run_.events));
      problems_.add(*run_.events, checked.problems);
      return checked;
    } catch (const Error& error) {
      problems_.error(*run_.events, error);
      return std::nullopt;
    }
  }

  void check_events_alone() {
    if (const auto checked = events()) check_stimuli(checked->events, Hertz{1});
  }

  // Rows that cannot be read may be the ones that others are missing: what follows from them is left unsaid.
  void check_events_table() {
    const auto checked = events();
    if (!checked) return;
    check_stimuli(checked->events, header_.sampling_frequency);
    if (!checked->problems.empty()) return;
    try {
      CheckedPlan plan = check_trials(checked->events, header_);
      problems_.add(*run_.events, std::move(plan.problems));
      facts_.trials = std::move(plan.trials);
    } catch (const Error& error) {
      problems_.error(run_.eeg, error);
    }
  }

  void check_stimuli(const ListeningEvents& events, Hertz eeg_rate) {
    std::set<StimulusKind> kinds;
    std::set<std::string> odd;
    for (const StimulusPiece& piece : events.stimuli) {
      const StimulusFacts& stimulus = stimuli_.check(piece, *run_.events, eeg_rate);
      kinds.insert(stimulus.kind);
      if (stimulus.kind != StimulusKind::envelope || is_multiple(stimulus.sampling_frequency, eeg_rate)) continue;
      if (!odd.insert(piece.file).second) continue;
      problems_.warning(*run_.events,
                        in_quotes(piece.file) + " has " + hertz_text(stimulus.sampling_frequency) + ", the EEG has " +
                            hertz_text(eeg_rate) +
                            ": neither is a whole multiple of the other, so one is resampled; give envelopes at the "
                            "rate of the EEG to avoid it",
                        piece.row);
    }
    if (kinds.contains(StimulusKind::audio) && kinds.contains(StimulusKind::envelope)) {
      problems_.warning(
          *run_.events,
          "some stimuli are audio, others envelopes, which may be scaled differently; use one kind for all speakers");
    }
  }

  const BidsRun& run_;
  StimulusCheck& stimuli_;
  ProblemList& problems_;
  RecordingHeader header_;
  RunFacts facts_;
};

}  // namespace

StimulusFacts StimulusCheck::look_at(const std::filesystem::path& file) const {
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return {};
  try {
    return is_table(file) ? envelope_facts(file) : audio_facts(file);
  } catch (const Error& error) {
    problems_.error(file, error);
    return {StimulusKind::broken, {}, {}, {}, 0};
  }
}

const StimulusFacts& StimulusCheck::facts(const std::string& name) {
  const auto [known, is_new] = known_.try_emplace(name);
  if (is_new) known->second = look_at(folder_ / name);
  return known->second;
}

const StimulusFacts& StimulusCheck::check(const StimulusPiece& piece, const std::filesystem::path& events,
                                          Hertz eeg_rate) {
  const StimulusFacts& stimulus = facts(piece.file);
  if (stimulus.kind == StimulusKind::missing) {
    const bool windows = piece.file.find('\\') != std::string::npos;
    const bool twice = piece.file.starts_with("stimuli/");
    problems_.error(events,
                    "column stim_file: there is no " + in_quotes("stimuli/" + piece.file) +
                        (windows ? "; write the path within stimuli, with / between folders"
                         : twice ? "; leave the first stimuli/ out, as paths are within it"
                                 : "; put the file there or correct its name"),
                    piece.row);
  }
  if (stimulus.kind == StimulusKind::missing || stimulus.kind == StimulusKind::broken) return stimulus;

  const Seconds rounding{1 / std::min(stimulus.sampling_frequency.value, eeg_rate.value)};
  if (piece.file_onset + piece.duration - stimulus.end > rounding) {
    const bool other_unit = piece.duration.value > 100 * stimulus.end.value;  // milliseconds, samples
    problems_.error(events,
                    piece_text(piece) + ", which ends at " + seconds_text(stimulus.end) +
                        (other_unit ? "; write onset and duration in seconds, not in milliseconds or samples"
                                    : "; shorten the row or give the whole file"),
                    piece.row);
  }
  if (stimulus.begin - piece.file_onset > rounding) {
    problems_.error(
        events,
        piece_text(piece) + ", which begins at " + seconds_text(stimulus.begin) + " (StartTime); begin the row later",
        piece.row);
  }
  if (piece.channel && stimulus.kind == StimulusKind::envelope) {
    problems_.error(events, "column stim_channel: " + in_quotes(piece.file) + " is a table, not audio; write n/a",
                    piece.row);
  } else if (piece.channel && *piece.channel >= stimulus.channels) {
    problems_.error(events,
                    "column stim_channel: there is no channel " + std::to_string(*piece.channel) + " in " +
                        in_quotes(piece.file) + "; it has " + std::to_string(stimulus.channels) + ", counted from 0",
                    piece.row);
  }
  return stimulus;
}

RunFacts check_run(const BidsRun& run, StimulusCheck& stimuli, ProblemList& problems) {
  return RunCheck(run, stimuli, problems).check();
}

}  // namespace heed::io
