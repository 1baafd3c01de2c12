// SPDX-License-Identifier: MIT
// The door from raw signals to what decoders take: EEG is cleaned of bad channels, re-referenced, resampled,
// band-passed and perhaps clipped; envelopes are resampled, made targets and band-passed. docs/preprocessing.md has
// order, delays and equations. Both give row k at the time k / rate after the first sample that went in, in both filter
// modes.
#pragma once

#include <dsp/resample.h>
#include <dsp/sections.h>
#include <heed/data/matrix.h>
#include <heed/data/preprocessing.h>
#include <heed/data/recording.h>
#include <heed/data/trial.h>
#include <heed/data/units.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heed::dsp {

// Throws invalid_argument with the remedy: a target rate below 20 Hz, an upper edge not below half of it, low not
// between 0 and high, a clip that is negative or not a number, no target or one twice.
void check_preprocessing(const Preprocessing& preprocessing);

// The band-pass of both streams, at the target rate: Butterworth, order 2 on either side.
[[nodiscard]] Sections band_pass_sections(const Preprocessing& preprocessing);

// In causal mode, how late it is. EEG and envelopes are late by the same, but for the gammatones (EnvelopeExtractor)
// and onsets (OnsetFilter).
struct CausalDelay {
  Seconds resampling{};  // a row comes so long after its time
  Seconds band_pass{};   // and shows what was so long before: group delay at the middle of the band (geometric mean)
  Seconds onset{};       // a row of sound comes so much later still: 0 where onsets are no target
  [[nodiscard]] Seconds total() const noexcept { return resampling + band_pass; }  // of EEG
};
[[nodiscard]] CausalDelay causal_delay(const Preprocessing& preprocessing, Hertz native_rate);

struct EegSource {
  Hertz sampling_frequency{};
  std::vector<std::string> channels{};  // columns of what is pushed
  std::vector<std::string> bad{};       // of these; dropped or interpolated as Preprocessing says, never looked at
  // Standard deviations that clipping counts in, one per column of the result. Empty: those of the recording itself,
  // which a live stream does not know: there it is an error if clipping is wanted.
  Eigen::VectorXd clip_deviations{};
};

struct PreparedEeg {
  std::vector<std::string> channels{};
  Matrix values{};                     // samples x channels, at the target rate
  std::vector<SampleRange> missing{};  // rows that hold what was not recorded: NaN or infinite in any used channel,
                                       // widened by the resampler's reach. By time, without overlap
  Eigen::VectorXd clip_deviations{};   // what was used; empty: no clipping
  Index clipped = 0;                   // samples that were limited
};

// A recording in pieces, in bounded memory: only the result at the target rate is held. Both filter modes. Samples that
// are not numbers are held at the last one before resampling; in zero-phase mode the missing rows are then bridged by a
// straight line before the band-pass.
class EegPreparer {
 public:
  // Throws as check_preprocessing, Rereference, ChannelInterpolation and rate_ratio do; bad_data: every channel is bad.
  EegPreparer(const Preprocessing& preprocessing, const EegSource& source);
  ~EegPreparer();
  EegPreparer(EegPreparer&&) noexcept;
  EegPreparer& operator=(EegPreparer&&) noexcept;

  // Throws invalid_argument where the chunk has another number of channels.
  void push(const SampleMatrix& chunk);
  // ceil(samples * target / native) rows. Throws bad_data for a recording too short to filter (zero-phase) or empty.
  [[nodiscard]] PreparedEeg finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Rows that grow: values of as many numbers per row as there are channels, and whether each is missing. Whoever clears
// and fills the same ones again allocates nothing.
struct EegRows {
  std::vector<double> values{};
  std::vector<bool> missing{};
};

// The causal mode live: rows come as soon as they can. All rows together, finish() included, are the bits that
// EegPreparer gives in causal mode with the same clip_deviations, for any chunk sizes. Only making one allocates.
class LiveEegPreparer {
 public:
  // Throws invalid_argument also where `preprocessing` is not causal, or clipping is wanted and no deviations are
  // given.
  LiveEegPreparer(const Preprocessing& preprocessing, const EegSource& source);
  ~LiveEegPreparer();
  LiveEegPreparer(LiveEegPreparer&&) noexcept;
  LiveEegPreparer& operator=(LiveEegPreparer&&) noexcept;

  // Appends the rows that became ready. Throws invalid_argument where the chunk has another number of channels.
  void push(SampleView chunk, EegRows& rows);
  // The last rows: the signal is taken to stay as it was.
  void finish(EegRows& rows);
  // Back to the start.
  void reset() noexcept;
  [[nodiscard]] const std::vector<std::string>& channels() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A whole recording in several ways, each as EegPreparer gives it, to the bit: what comes before the band-pass is done
// once for all ways that have it in common. samples: samples x channels, as source.channels names them; must outlive.
class EegInWays {
 public:
  EegInWays(EegSource source, const SampleMatrix& samples);
  ~EegInWays();
  EegInWays(EegInWays&&) noexcept;
  EegInWays& operator=(EegInWays&&) noexcept;

  // Throws as EegPreparer does.
  [[nodiscard]] PreparedEeg prepare(const Preprocessing& way);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// In one way.
[[nodiscard]] PreparedEeg prepare_eeg(const Preprocessing& preprocessing, const EegSource& source,
                                      const SampleMatrix& samples);

// An envelope of any rate (samples x columns), from EnvelopeExtractor or a file, to what decoders are told of it: at
// the target rate and band-passed, the columns of the first target, then those of the next. Both steps at once. Throws
// bad_data where it is empty, holds a number that is not finite, or is too short to filter (zero-phase).
[[nodiscard]] Matrix prepare_envelope(const Preprocessing& preprocessing, const Matrix& envelope, Hertz envelope_rate);

// The two steps. Envelopes of several rates are added between them: onsets of a sum are not the sum of onsets.
// The first counts an envelope from its first row where filters are causal, as they start from rest.
[[nodiscard]] Matrix resample_envelope(const Preprocessing& preprocessing, const Matrix& envelope, Hertz envelope_rate);
[[nodiscard]] Matrix prepare_targets(const Preprocessing& preprocessing, const Matrix& envelope);

// The causal mode live, the same bits in any chunks as prepare_envelope in causal mode. Envelopes of several rates are
// added between the two steps, as above; what has ended is silent. With onsets among the targets a row comes
// OnsetFilter::delay() later than without. Only making one allocates.
class LiveEnvelopePreparer {
 public:
  // One feed per rate, each of so many columns.
  LiveEnvelopePreparer(const Preprocessing& preprocessing, std::span<const Hertz> envelope_rates, Index columns);
  ~LiveEnvelopePreparer();
  LiveEnvelopePreparer(LiveEnvelopePreparer&&) noexcept;
  LiveEnvelopePreparer& operator=(LiveEnvelopePreparer&&) noexcept;

  // Appends the rows of targets that became ready. Throws invalid_argument for another number of columns, bad_data for
  // numbers that are not finite.
  void push(std::size_t feed, MatrixView chunk, std::vector<double>& targets);
  // A feed says no more: it is taken to stay as it was for what its filters still hold. The last one gives all rows.
  void finish(std::size_t feed, std::vector<double>& targets);
  // Back to the start.
  void reset() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::dsp
