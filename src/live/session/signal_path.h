// SPDX-License-Identifier: MIT
// From EEG and sound to scores: the referee places what comes in, filters prepare it, rows wait for each other, and the
// decoder scores every window that is complete. When a trial begins, what its filters may see before it and where it
// ends are settled by the rules of the offline chain (docs/preprocessing.md), so a replay has its bits.
#pragma once

#include <dsp/prepare.h>
#include <dsp/resample.h>
#include <heed/data/decoder.h>
#include <heed/decode/score.h>
#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/clock/referee.h>
#include <live/session/calibration_rows.h>
#include <live/session/flat_channels.h>
#include <live/session/row_queue.h>
#include <live/session/row_scorer.h>
#include <live/session/sliding_envelope.h>
#include <live/session/speaker_sound.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::live {

using dsp::SampleView;

// A decoder that was trained in the session, ready to go on where the one before it stops.
struct TrainedScorer {
  decode::StreamingScorer scorer;
  Index trial_start = 0;  // rows of the calibration that it saw: from here
  Index fed = 0;          // to here
};

// How long EEG waits for the first sound, and sound for the first EEG, before it is forgotten.
inline constexpr Seconds longest_wait{60};

class SignalPath {
 public:
  // Throws invalid_argument or bad_data where the decoder, which there must be, does not fit the stream.
  SignalPath(const StreamDescription& stream, const SessionOptions& options);

  // A trial begins: at `onset`, or where EEG and every speaker's sound are there.
  void begin(std::optional<Seconds> onset);
  // It ends there; known before the samples that lie beyond.
  void end_at(Seconds stamp);

  // Append scores of windows that became complete, one row per window.
  void push_eeg(const Block& block, Seconds now, std::vector<double>& scores);
  void push_sound(const Block& block, Seconds now, std::vector<double>& scores);
  void end_feed(const Block& block, Seconds now, std::vector<double>& scores);
  // Attention as it was told, for training and for who records.
  void tell(Seconds stamp, Speaker speaker);
  // Rows whose sound does not come any more are missing.
  void wait(Seconds now, std::vector<double>& scores);
  // The stream, or the trial, is over.
  void finish(Seconds now, std::vector<double>& scores);

  void tap(SignalTap* tap) noexcept { tap_ = tap; }

  // ---- calibration ----
  [[nodiscard]] bool is_calibrating() const noexcept { return calibrating_; }
  [[nodiscard]] bool has_calibration() const noexcept { return calibration_ && calibration_->is_complete(); }
  [[nodiscard]] std::vector<Trial> calibration() const { return calibration_->trials(windows_.window); }
  // By any thread. Throws invalid_argument where nobody waits for a decoder, or it does not fit.
  [[nodiscard]] TrainedScorer trained(const Decoder& decoder) const;
  // Scores from the next window on; what was used before is handed back in its place.
  void adopt(TrainedScorer& trained);

  // As Session::awaited.
  [[nodiscard]] std::vector<std::string> awaited() const;
  [[nodiscard]] RowScorer& scorer() noexcept { return scorer_; }
  [[nodiscard]] const RowScorer& scorer() const noexcept { return scorer_; }
  [[nodiscard]] const std::vector<std::string>& channels() const noexcept { return channels_; }  // of the decoder

  // Of the trial's first row; nothing until it has begun.
  [[nodiscard]] std::optional<Seconds> onset() const noexcept { return onset_; }
  // How far the source's clock is off the count of samples by now.
  [[nodiscard]] Seconds clock_offset() const noexcept { return eeg_clock_.lateness() + eeg_clock_.jumped(); }
  [[nodiscard]] Hertz rate() const noexcept { return decoder_rate_; }
  [[nodiscard]] const ClockCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] StageDelays delays() const noexcept { return delays_; }
  [[nodiscard]] bool restarted() noexcept { return std::exchange(restarted_, false); }

 private:
  SignalPath(const StreamDescription& stream, const Decoder& decoder, const SessionOptions& options);

  struct Held {                      // what came before the trial could begin
    std::optional<Seconds> first{};  // stamp of its first sample
    bool is_cut = false;             // it began earlier than what is left of it
    std::vector<float> samples{};
    std::vector<double> values{};
    // Of sound, which is one or the other.
    [[nodiscard]] std::size_t rows() const noexcept { return samples.size() + values.size(); }
  };

  [[nodiscard]] SampleView eeg_rows(const float* samples, Index rows) const noexcept;
  void take_eeg(SampleView samples, Seconds now, std::vector<double>& scores);
  void fill_eeg(Index rows, Seconds now, std::vector<double>& scores);
  void hold_eeg(SampleView samples);
  [[nodiscard]] SampleView recorded(SampleView samples);
  void try_to_begin(Seconds now, std::vector<double>& scores);
  void release(Seconds now, std::vector<double>& scores);
  void skip_to_grid(Seconds first);
  void keep_eeg_rows(Seconds now);
  void take_sound(const Block& block, const Referee::Verdict& verdict, Seconds now);
  [[nodiscard]] double wanted_shift(Index feed) noexcept;
  void take_audio(const Block& block, const Referee::Verdict& verdict, const SpeakerSound::Piece& piece);
  void take_envelope(const Block& block, const Referee::Verdict& verdict, const SpeakerSound::Piece& piece);
  void hold_sound(const Block& block, const Referee::Verdict& verdict);
  void cut_sound(std::size_t feed, Index samples);
  void settle_sound();
  void record_sound(std::size_t feed, std::size_t from);
  [[nodiscard]] Seconds distance(std::size_t feed) const noexcept;
  [[nodiscard]] bool is_apart(std::size_t feed) const noexcept;
  [[nodiscard]] Seconds unstamped_origin(const Block& block) const noexcept;
  [[nodiscard]] Referee::Verdict judge(Referee& clock, const Block& block, Seconds now);
  void restart();
  void assemble(Seconds now, std::vector<double>& scores);
  [[nodiscard]] bool push_row(Index row, Seconds now, std::vector<double>& scores);
  [[nodiscard]] SpeakerSound& speaker_of(Index feed) noexcept;

  StreamDescription stream_;
  ClockOptions clock_;
  Hertz decoder_rate_;
  dsp::RateRatio ratio_;
  dsp::LiveEegPreparer eeg_;
  std::vector<std::size_t> columns_{};  // [channel of the decoder] among those of the preparer
  std::vector<SpeakerSound> sounds_{};
  decode::WindowLayout windows_;
  std::vector<std::string> channels_;
  RowScorer scorer_;
  std::unique_ptr<CalibrationRows> calibration_{};  // its address is known to the thread that trains
  std::vector<double> unused_scores_{};
  bool calibrating_ = false;
  Referee eeg_clock_;
  std::vector<Referee> feed_clocks_{};
  std::vector<SlidingEnvelope> sliding_{};  // [feed]
  std::vector<double> slid_{};              // a block of an envelope
  ClockCounts counts_{};
  StageDelays delays_{};
  SignalTap* tap_ = nullptr;

  Held held_eeg_{};
  std::vector<Held> held_feeds_{};
  std::optional<Seconds> told_onset_{};
  std::optional<Seconds> told_end_{};
  std::optional<Seconds> onset_{};
  Index to_skip_ = 0;         // EEG samples before the grid
  Index rows_before_ = 0;     // of the run-in
  Index eeg_written_ = 0;     // rows that came out of the preparer
  Index eeg_samples_ = 0;     // of the trial
  Index samples_before_ = 0;  // of the run-in
  Index next_row_ = 0;
  std::optional<Index> last_row_{};  // one beyond
  bool over_ = false;
  bool restarted_ = false;

  dsp::EegRows fresh_{};
  RowQueue eeg_rows_;
  std::vector<double> row_{};
  std::vector<MatrixView> stimuli_{};
  std::vector<double> silence_{};
  std::vector<float> nothing_{};  // rows of NaN
  std::optional<float> rail_{};
  std::optional<FlatChannels> flat_{};
  std::vector<float> recorded_{};  // a block without what was not recorded
};

}  // namespace heed::live
