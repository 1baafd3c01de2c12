// SPDX-License-Identifier: MIT
// A least-squares decoder that learns while it listens, without labels: the posteriors of a hidden Markov model over
// the talkers and nobody are its soft labels (docs/adaptation.md has the equations). It starts from a population, or
// from nothing. A window is always scored by a decoder that has not seen it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/model.h>
#include <heed/data/population.h>
#include <heed/decode/score.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heed::decode {

// What other listeners know, of signals with deviation 1. Without a cross-covariance there is no population.
struct AdaptiveStart {
  // n x n, n = lags x channels, lag-major: mean of x x' over samples. Or n x channels, its first columns, where EEG is
  // taken as stationary: products then depend on the difference of lags alone.
  Matrix covariance{};
  Eigen::VectorXd cross{};  // n: mean of x y, y the attended speech
  GaussianEmission emission{.mu_attended = 0.12, .mu_unattended = 0.03, .sigma_attended = 0.2, .sigma_unattended = 0.2};
  [[nodiscard]] bool has_population() const noexcept { return cross.size() > 0; }
};

// Counted in windows; the defaults are for windows of one second.
struct AdaptationOptions {
  bool adapt = true;                  // false: the decoder of the start, for good
  double population_windows = 300;    // the population's cross-covariance counts as so many windows
  double covariance_windows = 30;     // likewise its covariance
  double emission_windows = 300;      // likewise its emission
  double half_life = 600;             // after so many windows, what was learnt counts half; infinite: never forgotten
  Index block = 5;                    // a new decoder follows every so many windows
  Index handover = 1;                 // windows from the end of a block until its decoder is used: time to compute it
  Index lag = 15;                     // windows that a label waits for hindsight
  Index uniform_windows = 30;         // without a population: all talkers are taken to be equally likely for so long
  double useful_windows = 300;        // without a population: a decoder of fewer is not worth listening to
  double switch_probability = 0.01;   // per window and talker
  double nobody_probability = 0.003;  // per window: a talker is left for nobody
  double ridge = 0.3;                 // of the mean variance
  double shrinkage = 0.3;             // of the scores
  friend bool operator==(const AdaptationOptions&, const AdaptationOptions&) = default;
};

// The same for windows of another length: times stay as they are, probabilities are those of the longer or shorter hop.
[[nodiscard]] AdaptationOptions for_windows_of(AdaptationOptions options, Seconds window);

struct AdaptiveShape {
  Index channels = 0;
  LagRange lags{};
  Index talkers = 2;
  Index window_samples = 64;  // what counts as one window; a window may hold a sample more or less
  friend bool operator==(const AdaptiveShape&, const AdaptiveShape&) = default;
};

// One window.
struct AdaptiveSignals {
  MatrixView eeg{};          // from sample `lags.first` of the window to `lags.last` behind its last one, x channels
  MatrixView speech{};       // samples x talkers, of power 1
  bool eeg_missing = false;  // some of these rows were not recorded: nothing is learnt or scored
  bool missing = false;      // the sound was not there: the EEG is learnt from, the window is not scored
};

// Valid until the next window.
struct AdaptiveWindow {
  std::span<const double> scores{};           // shrunk cosines, within -1 ... 1; NaN: missing, or no decoder yet
  std::span<const double> log_likelihoods{};  // one per talker; 0 where nothing was scored
  std::span<const double> posterior{};        // the causal filter over the talkers
};

// How much was learnt.
struct LearningState {
  double eeg_windows = 0;          // that the listener's covariance rests on, after forgetting
  double labelled_windows = 0;     // likewise the cross-covariance: nobody's share is left out
  double population_share = 0;     // of the cross-covariance, 0 ... 1
  GaussianEmission emission{};     // as it stands
  Index decoders = 0;              // so many were taken up since the start
  bool learning = false;           // there is no decoder that is worth listening to yet
  std::optional<Index> guarded{};  // the window at which the population was given up, since it did not fit
};

// Nothing is allocated after the constructor. Not thread-safe, but for compute(): one per listener.
class AdaptiveDecoder {
 public:
  // Throws invalid_argument for fewer than two talkers, shapes that do not fit, options out of range, and a leader that
  // differs in more or has heard something.
  // leader: a decoder that differs in how much the population counts, hears the same, and whose functions are always
  // called just before the same ones of this decoder, on the same thread. It sums up and factorises the covariance for
  // both, which is nearly all that a decoder costs; the bits are the same. Nothing: this one does so itself.
  AdaptiveDecoder(const AdaptiveStart& start, const AdaptiveShape& shape, const AdaptationOptions& options = {},
                  const AdaptiveDecoder* leader = nullptr);
  ~AdaptiveDecoder();
  AdaptiveDecoder(AdaptiveDecoder&&) noexcept;
  AdaptiveDecoder& operator=(AdaptiveDecoder&&) noexcept;

  // Scores the window, then learns from it. With `label`, the probabilities of the talkers (they may sum to less than
  // one), these are learnt from instead. Throws invalid_argument for signals of another shape; nothing is changed then.
  AdaptiveWindow step(const AdaptiveSignals& signals, std::span<const double> label = {});

  // A trial is over: windows that wait for hindsight are learnt from with what there is, and beliefs begin anew. What
  // was learnt stays.
  void restart();

  // After a restart: another population of the same shape, for a trial whose sounds the first one has heard. What was
  // learnt of the listener stays. Throws invalid_argument where it does not fit.
  void lean_on(const AdaptiveStart& start);

  // To be kept, and to go on from before the first window of another session; windows that wait for hindsight are not
  // in it. Throws invalid_argument for sums of another shape, or that are no numbers.
  [[nodiscard]] LearntSums sums() const;
  void resume(const LearntSums& learnt);

  // Whether a block is over whose decoder was not computed yet. Any one thread may then call compute() while others
  // step; a window that needs the decoder computes it itself, or waits for whoever does. So the bits are the same.
  [[nodiscard]] bool has_work() const noexcept;
  void compute() noexcept;
  // Computes and takes up the decoder of all that was learnt so far.
  void settle();
  // Between trials: whether the windows that follow are learnt from. Not: they are scored by the decoder of all that
  // was learnt so far, which a test on speech of its own wants.
  void learn(bool wanted);

  // n, lag-major, as LeastSquaresDecoder has them; of power 1 on the listener's EEG. Empty: there is none yet.
  [[nodiscard]] std::span<const double> weights() const noexcept;
  // Likewise its forward pattern, covariance times weights: where and when what it decodes shows in the EEG.
  [[nodiscard]] std::span<const double> pattern() const noexcept;
  [[nodiscard]] LearningState learnt() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same for signals that come in pieces: chunks of any size give the same bits. Every channel and every talker's
// speech is divided by its running deviation, so that neither gain nor unit matters.
class AdaptiveScorer {
 public:
  struct Shape {
    Index channels = 0;
    LagRange lags{};
    Index talkers = 2;
    Hertz sampling_frequency{64};
    Seconds window{1};
    Seconds memory{60};  // of the running deviations
  };
  // Throws as AdaptiveDecoder does, and invalid_argument for a window that is not a whole number of quarter seconds.
  // rivals: so many windows the population counts as in further decoders that hear the same. Together they cost little
  // more than one.
  AdaptiveScorer(const AdaptiveStart& start, const Shape& shape, const AdaptationOptions& options = {},
                 std::span<const double> rivals = {});
  ~AdaptiveScorer();
  AdaptiveScorer(AdaptiveScorer&&) noexcept;
  AdaptiveScorer& operator=(AdaptiveScorer&&) noexcept;

  // Append a row per window that became complete: its scores, one per talker, then those of every rival likewise. Throw
  // invalid_argument for chunks of another shape; stimuli have one target.
  void push(const SignalChunk& chunk, std::vector<double>& scores);
  void finish(std::vector<double>& scores);  // zeros for the lags beyond the end; then the trial is over
  void reset() noexcept;                     // to a new trial, whatever became of this one
  // All decoders, before the first sample of a trial: AdaptiveDecoder::lean_on.
  void lean_on(const AdaptiveStart& start);

  // The log-likelihoods of the windows that push() or finish() have just appended, one row each, without the rivals'.
  [[nodiscard]] std::span<const double> log_likelihoods() const noexcept;
  [[nodiscard]] std::size_t rivals() const noexcept;
  // Without its rivals. For compute() by another thread, where it has none.
  [[nodiscard]] AdaptiveDecoder& decoder() noexcept;
  [[nodiscard]] const AdaptiveDecoder& decoder() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::decode
