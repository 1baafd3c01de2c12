// SPDX-License-Identifier: MIT
#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <heed/io/sound_file.h>
#include <pipeline/preparation/speaker_track.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace heed::pipeline {
namespace {

Index rounded(double samples) { return static_cast<Index>(std::llround(samples)); }

bool is_envelope(const StimulusPiece& piece) { return std::filesystem::path(piece.file).extension() == ".tsv"; }

// Where a piece lies among samples counted from the timeline's origin.
struct Place {
  Index first = 0;
  Index count = 0;
};

Place place_of(const StimulusPiece& piece, const SpeakerTimeline& timeline, Hertz rate) {
  const Index first = rounded((piece.onset - timeline.origin) * rate);
  return {first, rounded((piece.onset + piece.duration - timeline.origin) * rate) - first};
}

// ---- sound ----

void add_piece(const SoundSource& sounds, const StimulusPiece& piece, const Place& place, Hertz rate, Index first,
               std::span<float> into) {
  const Index file_first = rounded(piece.file_onset * rate);
  // Rounding may want a sample more than the file has.
  const Index in_file = sounds.header(piece.file).frames - file_first;
  const Index begin = std::max(first, place.first);
  const Index end = std::min(first + std::ssize(into), place.first + std::min(place.count, in_file));
  if (begin >= end) return;
  const Sound sound = sounds.sound(piece.file, {file_first + begin - place.first, end - begin, piece.channel});
  for (Index k = 0; k < std::ssize(sound.samples); ++k) {
    into[static_cast<std::size_t>(begin - first + k)] += sound.samples[static_cast<std::size_t>(k)];
  }
}

Matrix column(const std::vector<double>& values) {
  return Eigen::Map<const Matrix>(values.data(), std::ssize(values), 1);
}

Matrix envelope_of_sound(const SoundSource& sounds, const RatedPieces& pieces, const SpeakerTimeline& timeline,
                         const Preprocessing& preprocessing) {
  constexpr Seconds chunk{10};
  const Hertz rate = preprocessing.sampling_frequency;
  const Hertz audio_rate = pieces.rate;
  dsp::EnvelopeExtractor extractor(audio_rate, rate);
  std::vector<double> envelope;
  std::vector<float> audio;
  const Index samples = timeline.samples(rate, audio_rate);
  for (Index first = 0; first < samples; first += std::ssize(audio)) {
    audio.resize(static_cast<std::size_t>(std::min(rounded(chunk * audio_rate), samples - first)));
    read_sound(sounds, pieces, timeline, first, audio);
    extractor.push(audio, envelope);
  }
  extractor.finish(envelope);
  envelope.resize(static_cast<std::size_t>(timeline.rows));
  return dsp::resample_envelope(preprocessing, column(envelope), rate);
}

// ---- envelopes that were given ----

// Of four neighbours by Lagrange: at 9 Hz and 64 Hz within 1 % wherever the row falls between two samples.
double interpolated(const Eigen::VectorXd& values, double position) {
  const auto base = static_cast<Index>(std::floor(position));
  const double x = position - static_cast<double>(base);
  const auto at = [&](Index k) { return values[std::clamp<Index>(k, 0, values.size() - 1)]; };
  constexpr double on_a_sample = 1e-6;
  if (x < on_a_sample) return at(base);
  if (x > 1 - on_a_sample) return at(base + 1);
  return (-x * (x - 1) * (x - 2) / 6 * at(base - 1)) + ((x + 1) * (x - 1) * (x - 2) / 2 * at(base)) -
         ((x + 1) * x * (x - 2) / 2 * at(base + 1)) + ((x + 1) * x * (x - 1) / 6 * at(base + 2));
}

void add_envelope(const SoundSource& sounds, const StimulusPiece& piece, const SpeakerTimeline& timeline, Matrix& sum) {
  const Envelope envelope = sounds.envelope(piece.file);
  const Hertz rate = envelope.sampling_frequency;
  const Eigen::VectorXd values = envelope.values.rowwise().sum();  // bands are added, as heed adds its own
  const Place place = place_of(piece, timeline, rate);
  const double shift = (timeline.origin - piece.onset + piece.file_onset - envelope.onset) * rate;
  const Index end = std::min(sum.rows(), place.first + place.count);
  for (Index k = std::max<Index>(0, place.first); k < end; ++k) {
    sum(k, 0) += interpolated(values, static_cast<double>(k) + shift);
  }
}

// ---- both ----

// At the target rate.
Matrix envelope_of(const SoundSource& sounds, const io::SpeakerPieces& speaker, const SpeakerTimeline& timeline,
                   const Preprocessing& preprocessing) {
  Matrix sum = Matrix::Zero(timeline.rows, 1);
  const auto add = [&](const Matrix& part) {
    const Index more = part.rows() - sum.rows();  // rounding may give a row more than the timeline has
    sum.conservativeResize(std::max(part.rows(), sum.rows()), 1);
    if (more > 0) sum.bottomRows(more).setZero();
    sum.topRows(part.rows()) += part;
  };
  for (const RatedPieces& pieces : pieces_by_rate(sounds, speaker)) {
    if (pieces.is_envelope) {
      const Index samples = timeline.samples(preprocessing.sampling_frequency, pieces.rate);
      const Matrix given = envelope_as_given(sounds, pieces, timeline, samples);
      add(dsp::resample_envelope(preprocessing, given, pieces.rate));
    } else {
      add(envelope_of_sound(sounds, pieces, timeline, preprocessing));
    }
  }
  return sum;
}

// A target that stays the same says nothing, and in units of its own deviation it would be rounding errors writ large.
void check_track(const Matrix& track, const Matrix& envelope, const std::string& speaker,
                 const Preprocessing& preprocessing) {
  constexpr double rounding = 1e-10;
  const double least = rounding * envelope.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < preprocessing.targets.size(); ++k) {
    if (track.col(static_cast<Index>(k)).cwiseAbs().maxCoeff() > least) continue;
    throw Error(ErrorKind::bad_data, "speaker '" + speaker + "' is silent throughout the trial, or the " +
                                         std::string(io::name_of(preprocessing.targets[k])) +
                                         " of its sound never changes; " +
                                         "are the files of its stimulus rows the right ones?");
  }
}

}  // namespace

Index SpeakerTimeline::samples(Hertz target_rate, Hertz rate) const {
  return static_cast<Index>(std::ceil(duration(target_rate) * rate));
}

SpeakerTimeline timeline_of(const io::SpeakerPieces& speaker, const TrialRows& trial, Hertz rate) {
  Seconds first = speaker.pieces.front().onset;
  Seconds end = first;
  for (const StimulusPiece& piece : speaker.pieces) {
    first = std::min(first, piece.onset);
    end = std::max(end, piece.onset + piece.duration);
  }
  const Seconds trial_end = trial.onset + Seconds{static_cast<double>(trial.samples) / rate.value};
  const auto whole_rows = [&](Seconds reach) {
    // Onsets written with six digits may fall short of a row by nothing that matters.
    constexpr double rounding = 1e-3;
    return static_cast<Index>(std::floor((std::clamp(reach, Seconds{0}, filter_run_in) * rate) + rounding));
  };
  const Index before = whole_rows(trial.onset - first);
  const Index after = whole_rows(end - trial_end);
  return {trial.onset - Seconds{static_cast<double>(before) / rate.value}, before, before + trial.samples + after};
}

std::vector<RatedPieces> pieces_by_rate(const SoundSource& sounds, const io::SpeakerPieces& speaker) {
  std::map<std::pair<bool, double>, std::vector<StimulusPiece>> by_rate;
  for (const StimulusPiece& piece : speaker.pieces) {
    const bool envelope = is_envelope(piece);
    const Hertz rate =
        envelope ? sounds.envelope(piece.file).sampling_frequency : sounds.header(piece.file).sampling_frequency;
    by_rate[{envelope, rate.value}].push_back(piece);
  }
  std::vector<RatedPieces> result;
  for (auto& [key, pieces] : by_rate) result.push_back({key.first, Hertz{key.second}, std::move(pieces)});
  return result;
}

void read_sound(const SoundSource& sounds, const RatedPieces& pieces, const SpeakerTimeline& timeline, Index first,
                std::span<float> into) {
  std::ranges::fill(into, 0.0F);
  for (const StimulusPiece& piece : pieces.pieces) {
    add_piece(sounds, piece, place_of(piece, timeline, pieces.rate), pieces.rate, first, into);
  }
}

Matrix envelope_as_given(const SoundSource& sounds, const RatedPieces& pieces, const SpeakerTimeline& timeline,
                         Index samples) {
  Matrix sum = Matrix::Zero(samples, 1);
  for (const StimulusPiece& piece : pieces.pieces) add_envelope(sounds, piece, timeline, sum);
  return sum;
}

io::AudioHeader SoundFiles::header(const std::string& file) const {
  return io::read_audio_header(dataset_.stimulus(file));
}
Sound SoundFiles::sound(const std::string& file, const io::AudioPart& part) const {
  return io::read_audio(dataset_.stimulus(file), part);
}
Envelope SoundFiles::envelope(const std::string& file) const { return io::read_envelope(dataset_.stimulus(file)); }

Matrix speaker_envelope(const SoundSource& sounds, const io::SpeakerPieces& speaker, const TrialRows& rows,
                        const Preprocessing& preprocessing) {
  const PlacedEnvelope envelope = placed_envelope(sounds, speaker, rows, preprocessing);
  return envelope.values.middleRows(envelope.timeline.before, rows.samples);
}

PlacedEnvelope placed_envelope(const SoundSource& sounds, const io::SpeakerPieces& speaker, const TrialRows& rows,
                               const Preprocessing& preprocessing) {
  const SpeakerTimeline timeline = timeline_of(speaker, rows, preprocessing.sampling_frequency);
  return {timeline, envelope_of(sounds, speaker, timeline, preprocessing)};
}

SampleMatrix track_of(const PlacedEnvelope& envelope, const std::string& speaker, const TrialRows& rows,
                      const Preprocessing& preprocessing) {
  const Matrix targets = dsp::prepare_targets(preprocessing, envelope.values);
  const Matrix track = targets.middleRows(envelope.timeline.before, rows.samples);
  check_track(track, envelope.values, speaker, preprocessing);
  return track.cast<float>();
}

SampleMatrix speaker_track(const SoundSource& sounds, const io::SpeakerPieces& speaker, const TrialRows& rows,
                           const Preprocessing& preprocessing) {
  return track_of(placed_envelope(sounds, speaker, rows, preprocessing), speaker.name, rows, preprocessing);
}

SampleMatrix SpeakerTracks::track(const io::SpeakerPieces& speaker, const TrialRows& rows) {
  constexpr double per_second = 1e9;  // times that differ by less are one: nobody hears a nanosecond
  const auto ticks = [](Seconds time) { return std::to_string(std::llround(time.value * per_second)) + "/"; };
  std::string key = speaker.name + "/" + std::to_string(rows.samples) + "/";
  for (const StimulusPiece& piece : speaker.pieces) {
    key += piece.file + "/" + ticks(piece.onset - rows.onset) + ticks(piece.duration) + ticks(piece.file_onset) +
           std::to_string(piece.channel.value_or(-1)) + "/";
  }
  Entry* entry = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    entry = &entries_[key];
  }
  std::call_once(entry->made, [&] { entry->track = speaker_track(sounds_, speaker, rows, preprocessing_); });
  return entry->track;
}

}  // namespace heed::pipeline
