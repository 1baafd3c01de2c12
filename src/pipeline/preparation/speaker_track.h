// SPDX-License-Identifier: MIT
// What one speaker said during a trial, as decoders take it: pieces of sound are placed on the recording's clock and
// added, then made an envelope; envelopes that were given are placed and added as they are. Of their sum come the
// targets. docs/preprocessing.md.
#pragma once

#include <heed/data/preprocessing.h>
#include <heed/data/recording.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/sound_file.h>
#include <io/bids/events_file.h>

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// Before and after a trial filters may look so far, where there is something to see.
inline constexpr Seconds filter_run_in{10};

// The rows of a trial at the target rate: row k lies at onset + k / rate.
struct TrialRows {
  Seconds onset{};
  Index samples = 0;
};

// Where stimuli come from, by the names events give them. A name that ends in .tsv is an envelope, others are sound.
class SoundSource {
 public:
  SoundSource() = default;
  virtual ~SoundSource() = default;
  SoundSource(const SoundSource&) = delete;
  SoundSource& operator=(const SoundSource&) = delete;

  [[nodiscard]] virtual io::AudioHeader header(const std::string& file) const = 0;
  [[nodiscard]] virtual Sound sound(const std::string& file, const io::AudioPart& part) const = 0;
  [[nodiscard]] virtual Envelope envelope(const std::string& file) const = 0;
};

// Files below stimuli/. The dataset must outlive it. Throws what reading them does.
class SoundFiles final : public SoundSource {
 public:
  explicit SoundFiles(const io::BidsDataset& dataset) : dataset_(dataset) {}
  [[nodiscard]] io::AudioHeader header(const std::string& file) const override;
  [[nodiscard]] Sound sound(const std::string& file, const io::AudioPart& part) const override;
  [[nodiscard]] Envelope envelope(const std::string& file) const override;

 private:
  const io::BidsDataset& dataset_;
};

// The trial with its run-in and run-out: as much of both as the speaker's pieces reach beyond the trial.
struct SpeakerTimeline {
  Seconds origin{};  // on the recording's clock, on the grid of the trial's rows
  Index before = 0;  // rows
  Index rows = 0;
  [[nodiscard]] Seconds duration(Hertz rate) const { return {static_cast<double>(rows) / rate.value}; }
  // Samples that cover it.
  [[nodiscard]] Index samples(Hertz target_rate, Hertz rate) const;
};
[[nodiscard]] SpeakerTimeline timeline_of(const io::SpeakerPieces& speaker, const TrialRows& trial, Hertz rate);

// Pieces of one rate are added before they are resampled, rates after it: sounds first, by rate, then envelopes.
struct RatedPieces {
  bool is_envelope = false;
  Hertz rate{};
  std::vector<StimulusPiece> pieces{};
};
[[nodiscard]] std::vector<RatedPieces> pieces_by_rate(const SoundSource& sounds, const io::SpeakerPieces& speaker);

// Samples [first, first + size) of the sound from the timeline's origin on.
void read_sound(const SoundSource& sounds, const RatedPieces& pieces, const SpeakerTimeline& timeline, Index first,
                std::span<float> into);
// So many samples of the envelopes' sum, from the origin on; one column.
[[nodiscard]] Matrix envelope_as_given(const SoundSource& sounds, const RatedPieces& pieces,
                                       const SpeakerTimeline& timeline, Index samples);

// What targets are made of: at the target rate, not band-passed, one column. Throws what the source does.
[[nodiscard]] Matrix speaker_envelope(const SoundSource& sounds, const io::SpeakerPieces& speaker,
                                      const TrialRows& rows, const Preprocessing& preprocessing);

// The same with its run-in and run-out: all that targets are made of. Of the preprocessing, only rate and filter mode
// matter.
struct PlacedEnvelope {
  SpeakerTimeline timeline{};
  Matrix values{};
};
[[nodiscard]] PlacedEnvelope placed_envelope(const SoundSource& sounds, const io::SpeakerPieces& speaker,
                                             const TrialRows& rows, const Preprocessing& preprocessing);

// samples x targets, band-passed. Throws bad_data if the speaker is silent or a target the same throughout.
[[nodiscard]] SampleMatrix track_of(const PlacedEnvelope& envelope, const std::string& speaker, const TrialRows& rows,
                                    const Preprocessing& preprocessing);

// Both steps. Sound of a long file is read in pieces. Where a speaker says nothing there is silence, 0. Throws what the
// source does, and as track_of().
[[nodiscard]] SampleMatrix speaker_track(const SoundSource& sounds, const io::SpeakerPieces& speaker,
                                         const TrialRows& rows, const Preprocessing& preprocessing);

// The same, each made once: participants hear the same recordings. What one holds is small beside a participant's EEG.
// May be used by several threads; who comes second waits for the first.
class SpeakerTracks {
 public:
  // The source must outlive it.
  SpeakerTracks(const SoundSource& sounds, Preprocessing preprocessing)
      : sounds_(sounds), preprocessing_(std::move(preprocessing)) {}

  [[nodiscard]] SampleMatrix track(const io::SpeakerPieces& speaker, const TrialRows& rows);

 private:
  struct Entry {
    std::once_flag made{};
    SampleMatrix track{};
  };

  const SoundSource& sounds_;
  Preprocessing preprocessing_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by pieces and their place in the trial
};

}  // namespace heed::pipeline
