// SPDX-License-Identifier: MIT
// The sound of one speaker on its way to rows of targets: feeds are placed beside the EEG by the referee's word, made
// envelopes, added, and prepared as offline. Which rows of the trial count is settled by the same rule as there.
#pragma once

#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/clock/referee.h>
#include <live/session/row_queue.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::live {

inline constexpr Seconds longest_run_in{10};  // of filters, as offline

class SpeakerSound {
 public:
  // `feeds`: numbers of the speaker's among those of the stream. Throws as LiveEnvelopePreparer and EnvelopeExtractor.
  SpeakerSound(const StreamDescription& stream, const std::vector<Index>& feeds, const Preprocessing& preprocessing,
               const ClockOptions& clock);

  // The trial's first row lies at `onset`; the first sample of the speaker's sound at `first`, on the same clock.
  void begin(Seconds onset, Seconds first);
  [[nodiscard]] bool begun() const noexcept { return begun_; }

  // Samples of a feed that lie at `stamp` where the feed begins, and follow each other afterwards. What is not a finite
  // number is missing.
  struct Piece {
    Index feed = 0;
    Seconds onset{};  // of the feed's first sample
    Seconds now{};
  };
  void push(const Piece& piece, std::span<const float> audio, SignalTap* tap);
  void push(const Piece& piece, std::span<const double> envelope, SignalTap* tap);
  // Samples that were not there, or silence that is put in to keep up: `missing` says which.
  void fill(const Piece& piece, Index samples, bool missing, SignalTap* tap);
  // No more of this feed; rows > 0: only so many rows of it count, from the speaker's first.
  void end(Index number, Index rows, Seconds now);
  [[nodiscard]] bool ended() const noexcept;

  [[nodiscard]] RowQueue& rows() noexcept { return rows_; }
  [[nodiscard]] const RowQueue& rows() const noexcept { return rows_; }
  [[nodiscard]] Seconds delay() const noexcept { return delay_; }
  void reset() noexcept;

 private:
  struct Feed {
    Index number = 0;
    SoundFeed description{};
    std::optional<dsp::EnvelopeExtractor> extractor{};
    std::vector<float> audio{};      // a block, where numbers are mended
    std::vector<double> envelope{};  // a block
    Index to_skip = 0;               // samples before the speaker's first row
    Index samples = 0;               // since then
    Index rows = 0;                  // of the extractor
    bool placed = false;
    bool ended = false;
  };

  [[nodiscard]] Feed& feed(Index number) noexcept;
  void place(Feed& feed, const Piece& piece);
  void take(Feed& feed, std::span<const float> audio, Seconds now);
  void take(Feed& feed, std::span<const double> envelope, Seconds now);
  template <typename Sample>
  void take_placed(Feed& feed, const Piece& piece, std::span<const Sample> samples);
  template <typename Sample>
  [[nodiscard]] std::span<const Sample> mended(Feed& feed, std::span<const Sample> samples, std::vector<Sample>& room);
  void spoil(const Feed& feed, Index first, Index samples) noexcept;
  void keep_rows(Seconds now);

  Hertz rate_;
  Index targets_;
  std::optional<Index> most_waiting_{};  // rows; nothing: as many as there are
  std::vector<Feed> feeds_{};
  std::vector<std::size_t> places_{};  // [feed of the stream] among feeds_
  dsp::LiveEnvelopePreparer preparer_;
  RowQueue rows_;
  std::vector<double> fresh_{};  // rows of targets
  Seconds delay_{};
  Index reach_ = 0;  // rows around a sample that see it
  Seconds origin_{};
  Index before_ = 0;      // rows of the run-in
  Index written_ = 0;     // rows that came out of the preparer
  SampleRange spoilt_{};  // rows, from the speaker's first
  bool begun_ = false;
};

}  // namespace heed::live
