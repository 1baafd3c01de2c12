// SPDX-License-Identifier: MIT
// Attention as it happens: blocks of a stream in, one decision per window out. A value that is fed: it has no thread,
// no socket and no clock, everything is made before the first sample, and nothing is allocated after it. A replay of a
// recording gives the posteriors of the offline causal chain of the same decoder and model, bit for bit, however the
// input is cut into blocks. docs/live.md.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/model.h>
#include <heed/data/note.h>
#include <heed/data/population.h>
#include <heed/data/trial.h>
#include <heed/decode/adaptive_decoder.h>
#include <heed/decode/window_sums.h>
#include <heed/emission/adaptive.h>
#include <heed/live/decision.h>
#include <heed/live/steering.h>
#include <heed/live/stream.h>
#include <heed/pipeline/model_choice.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

// What the referee of time stamps allows before it steps in.
struct ClockOptions {
  Seconds jitter{0.05};      // stamps off by less are taken to be jitter: only their mean counts
  Seconds longest_gap{600};  // longer pauses are not filled in: everything begins anew
  Seconds alignment{0.002};  // sound that drifts away from the EEG by more is shifted by whole samples
  Seconds patience{2};       // sound that is later than the EEG by more is missing
  friend bool operator==(const ClockOptions&, const ClockOptions&) = default;
};

// How who is attended follows from the scores. Made where there is time, then handed to a session between two windows.
struct TrackingOptions {
  pipeline::ChainChoice chain{};
  // Nothing: heed's own start for such scores, adapted to the listener without labels as windows come.
  std::optional<Model> model{};
  std::optional<emission::AdaptiveOptions> adaptation{};  // of a model that is given: follow the listener from there
  Seconds lag{};                                          // of the second opinion; 0: none
};

// A decoder that is trained in the session itself: signals are kept, nothing is decided and gains stay equal until one
// is handed over (Session::make_parameters). Training belongs to the edge, on a thread of its own.
struct CalibrationOptions {
  Seconds length{};               // of good signals to be kept
  Preprocessing preprocessing{};  // of the decoder to be: causal
  LagRange eeg_lags{};            // likewise
  ScoreRule rule{};               // likewise
  friend bool operator==(const CalibrationOptions&, const CalibrationOptions&) = default;
};

// A decoder that learns while it listens, instead of one that is there (docs/adaptation.md). What scores mean comes
// from it, too, so tracking has no model of its own.
struct AdaptiveSession {
  std::vector<decode::AdaptiveStart> starts{};  // of the trials in turn, the last for all that follow; none: nothing
  std::vector<std::string> channels{};          // that these are of; empty: all of the stream that are good
  Preprocessing preprocessing{};                // causal, one target
  LagRange eeg_lags{};
  double population_seconds = 0;  // of listening that the starts count as
  decode::AdaptationOptions adaptation{};
  std::optional<LearntSums> learnt{};  // of the listener, in a session before
};

struct SessionOptions {
  std::optional<Decoder> decoder{};                 // of signals
  std::optional<AdaptiveSession> adaptive{};        // of signals, instead of a decoder
  std::optional<CalibrationOptions> calibration{};  // of signals, instead of a decoder
  decode::WindowLayout window{Seconds{1}};          // of signals: how long, one every hop; or steps
  TrackingOptions tracking{};
  SteeringOptions steering{};
  ClockOptions clock{};
  // EEG beyond so many microvolts, either way, was not recorded: an amplifier at its end. Nothing: taken as it is, as
  // offline.
  std::optional<double> rail{};
  // Channels that stand still for so long were not recorded either; windows are held where the decoder leans on them.
  // Nothing: taken as they are, as offline.
  std::optional<Seconds> flat{};
};

// The delay of every stage, in causal mode.
struct StageDelays {
  Seconds eeg{};        // resampling: rows come so long after their time
  Seconds sound{};      // gammatones, resampling and onsets
  Seconds lags{};       // EEG that a window's last sample waits for
  Seconds band_pass{};  // group delay, of EEG and sound alike: it shifts both, and delays the answer
  Seconds window{};
  // From the end of a window to its decision, without the time that computing takes.
  [[nodiscard]] Seconds until_decision() const noexcept;
};

// Chain, emission, steering: a fresh set of parameters, ready to be used. Made on any thread.
class Parameters;
struct ParametersDeleter {
  void operator()(Parameters* parameters) const noexcept;
};
using ParametersPointer = std::unique_ptr<Parameters, ParametersDeleter>;

// Where and when what a decoder that learns looks for shows in the EEG.
struct LearntPattern {
  std::span<const double> values{};  // lag-major over Session::channels(); empty: no decoder yet, or it does not learn
  Seconds first_lag{};
  Hertz rate{};  // of the lags
};

// Takes the signals as the referee placed them, gaps and all: what a recording of the session keeps. Sound that was
// shifted is handed over shifted.
class SignalTap {
 public:
  SignalTap() = default;
  virtual ~SignalTap() = default;
  SignalTap(const SignalTap&) = delete;
  SignalTap& operator=(const SignalTap&) = delete;
  SignalTap(SignalTap&&) = delete;
  SignalTap& operator=(SignalTap&&) = delete;

  // The first sample of the EEG, or of a feed, lies at `stamp`; all that follow are continuous.
  virtual void eeg_begins(Seconds stamp) = 0;
  virtual void sound_begins(Index feed, Seconds stamp) = 0;
  // Everything begins anew: a trial, or a pause too long to fill in.
  virtual void restarts() = 0;
  virtual void eeg(std::span<const float> samples, Index rows) = 0;
  virtual void audio(Index feed, std::span<const float> samples) = 0;
  virtual void envelope(Index feed, std::span<const double> values) = 0;
  // From `stamp` on, by the count of samples, as somebody said.
  virtual void attended(Seconds, Speaker) {}
};

// Not thread-safe, but for offer(): one per listener.
class Session {
 public:
  // Throws invalid_argument or bad_data, with the remedy, where the decoder does not fit the stream: zero-phase
  // filters, channels that the stream does not have, a rate without a small ratio, another unit, fewer than two
  // speakers.
  Session(const StreamDescription& stream, const SessionOptions& options);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // One block, which arrived at `now` (any clock that does not run backwards). Decisions that follow are handed to the
  // sink at once. Throws invalid_argument for a block that does not fit the description; nothing is changed then.
  void push(const Block& block, Seconds now, Sink& sink);
  // Time passes and nothing comes: the watchdog may relax the gains.
  void wait(Seconds now, Sink& sink);

  // New parameters, taken up between two windows; belief and gains go on from where they are. With these two functions
  // alone another thread may disturb a running session, one at a time. A decoder ends a calibration: it is made ready
  // on the signals that were kept, so that it scores from now on as if it had been there from the start. Throws
  // invalid_argument as the constructor does, and for a decoder that does not fit or that nobody waits for.
  [[nodiscard]] ParametersPointer make_parameters(const TrackingOptions& tracking, const SteeringOptions& steering,
                                                  const Decoder* decoder = nullptr) const;
  void offer(ParametersPointer parameters) noexcept;

  // Whether enough was heard to train a decoder on; for the thread of the session.
  [[nodiscard]] bool has_calibration() const noexcept;
  // What was heard until then, as a decoder is trained on it: attention where it was told. From then on any thread may
  // ask, while the session goes on. Throws invalid_argument before.
  [[nodiscard]] std::vector<Trial> calibration() const;
  [[nodiscard]] bool is_calibrating() const noexcept;  // no decoder is there yet

  // ---- of a decoder that learns ----
  [[nodiscard]] std::optional<decode::LearningState> learnt() const;  // nothing: it does not learn
  // To be kept for the next session of the listener, by the session's thread; nothing: it does not learn.
  [[nodiscard]] std::optional<LearntListener> learnt_listener(std::string listener) const;
  [[nodiscard]] LearntPattern learnt_pattern() const noexcept;
  // Of the decoder, in their order there.
  [[nodiscard]] const std::vector<std::string>& channels() const noexcept;
  // The costly part of learning may be done beside the session: whether there is any, and by any one thread, at any
  // time, the doing of it. What nobody does in time, the session does itself, with the same bits.
  [[nodiscard]] bool has_learning_to_do() const noexcept;
  void learn() noexcept;

  // nullptr: nobody. It must outlive the session or be taken off.
  void tap(SignalTap* tap) noexcept;

  [[nodiscard]] const StreamDescription& description() const noexcept;
  [[nodiscard]] Seconds window() const noexcept;
  [[nodiscard]] Seconds hop() const noexcept;  // from one window to the next
  [[nodiscard]] const StageDelays& delays() const noexcept;
  [[nodiscard]] const SessionCounts& counts() const noexcept;
  [[nodiscard]] const Notes& notes() const noexcept;  // what was decided for the user
  // Of signals, what has not come yet in this trial: "EEG", "the sound of 'left'".
  [[nodiscard]] std::vector<std::string> awaited() const;
  // Nothing of a chain given as a matrix, or of an unknown probability.
  [[nodiscard]] std::optional<double> switch_probability() const noexcept;
  // What is known by now of an unknown switch probability: how often the listener switches. Nothing of a known one.
  [[nodiscard]] std::optional<SwitchPosterior> switching() const;
  // Of the adaptation, or as given.
  [[nodiscard]] const Emission& emission() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::live
