// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/recording/header_text.h>
#include <io/xdf/xdf_run.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

namespace heed::io {
namespace {

constexpr Index rows_at_once = 1 << 14;

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// EEG unless type or name say otherwise.
std::string bids_type(const XdfHeader& header, Index channel, const std::string& name) {
  const bool described = channel < std::ssize(header.described);
  const std::string type = described ? upper(header.described[static_cast<std::size_t>(channel)].type) : "";
  if (type.empty() || type == "EEG") return is_other_channel(name) ? "MISC" : "EEG";
  constexpr std::array<std::string_view, 5> known{"EOG", "ECG", "EMG", "TRIG", "AUDIO"};
  return std::ranges::find(known, type) == known.end() ? "MISC" : type;
}

// Values of one channel, a block at a time, in whatever order their numbers grow.
class ChannelReader {
 public:
  ChannelReader(XdfFile& file, const XdfVoice& voice, const XdfSegment& segment)
      : file_(file), voice_(voice), segment_(segment) {}

  [[nodiscard]] double value(Index sample) {
    if (sample < begin_ || sample >= begin_ + block_.rows()) {
      begin_ = sample;
      block_.resize(std::min(rows_at_once, segment_.samples - sample), 1);
      file_.read(voice_.stream, segment_.first_sample + sample, block_);
    }
    return block_(sample - begin_, voice_.channel);
  }

 private:
  XdfFile& file_;
  const XdfVoice& voice_;
  const XdfSegment& segment_;
  Index begin_ = 0;
  Matrix block_{};
};

// Nothing where the two do not overlap.
std::optional<PlacedVoice> place_voice(XdfFile& file, const XdfVoice& voice, const XdfSegment& segment,
                                       const SampleClock& clock) {
  const Hertz rate = file.streams()[voice.stream].header.sampling_frequency;
  PlacedVoice placed{.speaker = voice.speaker, .is_envelope = voice.is_envelope, .rate = rate};
  placed.onset = std::max(Seconds{0}, clock.at(segment.onset));
  const Seconds end = std::min(clock.end(), clock.at(segment.end()));
  const auto samples = static_cast<Index>(std::floor((end - placed.onset) * rate + 1e-6));
  if (samples < 1) return std::nullopt;
  const double first = (clock.time(placed.onset) - segment.onset) / segment.period;
  const double step = clock.rate.value * clock.segment.period.value / rate.value / segment.period.value;
  ChannelReader reader(file, voice, segment);
  placed.values.reserve(static_cast<std::size_t>(samples));
  for (Index j = 0; j < samples; ++j) {
    const auto nearest = static_cast<Index>(std::llround(first + static_cast<double>(j) * step));
    const double value = voice.scale * reader.value(std::clamp<Index>(nearest, 0, segment.samples - 1));
    placed.values.push_back(std::isfinite(value) ? value : 0);
  }
  return placed;
}

void place_eeg(XdfFile& file, std::size_t stream, const XdfSegment& segment, PlacedRun& run,
               std::vector<std::string>& notes) {
  const XdfHeader& header = file.streams()[stream].header;
  const std::vector<std::string> names = channel_names(header, notes);
  std::size_t without_unit = 0;
  for (Index c = 0; c < header.channels; ++c) {
    const std::string& name = names[static_cast<std::size_t>(c)];
    const std::string type = bids_type(header, c, name);
    std::string unit;
    if (c < std::ssize(header.described)) unit = eeg_unit(header.described[static_cast<std::size_t>(c)].unit);
    without_unit += unit.empty() && type == "EEG" ? 1 : 0;
    if (unit.empty()) unit = "uV";
    run.recording.channels.push_back({name, unit, header.sampling_frequency});
    run.channels.push_back({name, type, unit, header.sampling_frequency, true});
  }
  if (without_unit > 0) {
    notes.push_back("stream '" + header.name + "': " + std::to_string(without_unit) +
                    " EEG channels have no unit of voltage; they are taken to be in microvolts");
  }
  run.recording.sampling_frequency = header.sampling_frequency;
  run.recording.samples.resize(segment.samples, header.channels);
  file.read(stream, segment.first_sample, run.recording.samples);
}

}  // namespace

std::vector<std::string> channel_names(const XdfHeader& header, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (Index channel = 0; channel < header.channels; ++channel) names.push_back(channel_name(header, channel));
  make_unique(names, notes);
  return names;
}

PlacedRun place_run(XdfFile& file, const XdfPlan& plan, const XdfSegment& segment, std::vector<std::string>& notes) {
  PlacedRun run;
  place_eeg(file, plan.eeg, segment, run, notes);
  const SampleClock clock{segment, run.recording.sampling_frequency};
  for (const XdfMarker& marker : plan.markers) {
    const Seconds onset = clock.at(marker.time);
    if (onset >= Seconds{0} && onset < clock.end() && !marker.text.empty()) {
      run.markers.push_back({onset, Seconds{0}, marker.text});
    }
  }
  for (const XdfVoice& voice : plan.voices) {
    const XdfStream& stream = file.streams()[voice.stream];
    for (const XdfSegment& sound : stream.segments) {
      auto placed = place_voice(file, voice, sound, clock);
      if (placed) run.voices.push_back(std::move(*placed));
    }
  }
  return run;
}

std::vector<TrialSpan> trials_of(const XdfPlan& plan, const std::vector<std::string>& ends, const SampleClock& clock) {
  std::vector<MarkerRule> end_rules;
  for (const std::string& end : ends) end_rules.push_back({end, ""});
  std::vector<TrialSpan> trials;
  bool open = false;
  for (const XdfMarker& marker : plan.markers) {
    const Seconds time = clock.at(marker.time);
    if (time >= clock.end()) break;
    const auto begins = meaning_of(marker.text, plan.trials);
    if (open && (begins || meaning_of(marker.text, end_rules))) {
      trials.back().end = time;
      open = false;
    }
    if (!begins) continue;
    open = true;
    trials.push_back({begins->empty() ? marker.text : *begins, std::max(Seconds{0}, time), clock.end()});
  }
  // Of a stretch of EEG before this one, or of no length.
  std::erase_if(trials, [](const TrialSpan& trial) { return trial.end <= trial.begin; });
  std::vector<std::string> names;
  for (const TrialSpan& trial : trials) names.push_back(trial.name);
  std::vector<std::string> renamed;
  make_unique(names, renamed);
  for (std::size_t k = 0; k < trials.size(); ++k) trials[k].name = names[k];
  return trials;
}

std::vector<AttentionStretch> attention_of(const XdfPlan& plan, const SampleClock& clock) {
  std::vector<AttentionStretch> stretches;
  std::string speaker;
  Seconds since{0};
  const auto put = [&](Seconds until) {
    if (!speaker.empty() && until > since) stretches.push_back({speaker, since, until - since, "", 0});
  };
  for (const XdfMarker& marker : plan.markers) {
    const auto meaning = meaning_of(marker.text, plan.attention);
    if (!meaning) continue;
    const Seconds time = std::clamp(clock.at(marker.time), Seconds{0}, clock.end());
    put(time);
    speaker = *meaning;
    since = time;
  }
  put(clock.end());
  return stretches;
}

}  // namespace heed::io
