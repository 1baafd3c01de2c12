// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/io/sound_file.h>
#include <io/tsv.h>
#include <io/validation/stimulus_check.h>

#include <algorithm>
#include <cmath>

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
    problems_.error(events,
                    "column stim_file: there is no " + in_quotes("stimuli/" + piece.file) +
                        "; put the file there or correct its name",
                    piece.row);
  }
  if (stimulus.kind == StimulusKind::missing || stimulus.kind == StimulusKind::broken) return stimulus;

  const Seconds rounding{1 / std::min(stimulus.sampling_frequency.value, eeg_rate.value)};
  if (piece.file_onset + piece.duration - stimulus.end > rounding) {
    problems_.error(events,
                    piece_text(piece) + ", which ends at " + seconds_text(stimulus.end) +
                        "; shorten the row or give the whole file",
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

}  // namespace heed::io
