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
#include <string>

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
  SoundSource(SoundSource&&) = delete;
  SoundSource& operator=(SoundSource&&) = delete;

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

// samples x targets, band-passed. Sound of a long file is read in pieces. Where a speaker says nothing there is
// silence, 0. Throws what the source does, and bad_data if the speaker is silent or a target the same throughout.
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
