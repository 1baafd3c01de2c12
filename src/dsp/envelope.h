// SPDX-License-Identifier: MIT
// The envelope of speech as the ear has it: gammatone bands, |.|^0.6 of each, aligned, summed, brought to the EEG's
// rate. Streams: ten minutes of sound are never held at once. The band-pass comes later (prepare.h, decision record 9).
#pragma once

#include <dsp/gammatone.h>
#include <dsp/resample.h>
#include <heed/data/units.h>

#include <span>
#include <vector>

namespace heed::dsp {

// values[i] = |values[i]|^0.6, to a relative error of 1e-9; below 1e-300 it is 0. The size is a multiple of 8.
void compress(std::span<double> values) noexcept;

// Sample k lies at the time k / envelope_rate after the first audio sample. The same samples serve both filter modes:
// no band is late, as each is advanced by its peak (rounded to audio samples); live, the envelope comes delay() after
// the sound. Not thread-safe.
class EnvelopeExtractor {
 public:
  // Throws for an audio rate below 1 kHz or one that has no small ratio to the envelope's.
  EnvelopeExtractor(Hertz audio_rate, Hertz envelope_rate);
  // With other bands, by ascending centre; the bank's rate is the audio's.
  EnvelopeExtractor(GammatoneBank bank, Hertz audio_rate, Hertz envelope_rate);

  // Appends to `envelope` what is ready. Any chunk size gives the same bits. Throws bad_data for a sample that is not a
  // finite number.
  void push(std::span<const float> audio, std::vector<double>& envelope);
  // The end: silence follows. Afterwards ceil(audio samples * envelope_rate / audio_rate) samples have come out.
  void finish(std::vector<double>& envelope);
  // Back to the start.
  void reset() noexcept;

  // Of the slowest band (7.24 ms) and the resampler.
  [[nodiscard]] Seconds delay() const noexcept;
  // At the audio's rate, before resampling: how much later than its sound an aligned sum is known.
  [[nodiscard]] Seconds alignment_delay() const noexcept;

 private:
  void process(std::span<const float> audio, std::vector<double>& envelope);
  void resample_into(std::span<const double> sums, std::vector<double>& envelope);

  Hertz audio_rate_;
  GammatoneBank bank_;
  Resampler resampler_;
  Index slowest_ = 0;  // samples that the slowest band is advanced by
  Index to_drop_ = 0;  // sums that belong to a time before the first sample
  Index received_ = 0;
  std::vector<Index>
      offsets_;  // from a row of powers_ to where each band's part of the sum lies: it waits for the slowest
  std::vector<double> powers_;  // rows of bank_.lanes()
  Index rows_ = 0;              // of powers_ in use
  std::vector<double> sums_;
};

// Of a whole sound.
[[nodiscard]] std::vector<double> speech_envelope(std::span<const float> audio, Hertz audio_rate, Hertz envelope_rate);

}  // namespace heed::dsp
