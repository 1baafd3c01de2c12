// SPDX-License-Identifier: MIT
// Scores that repeat each other, as those of spatial filters do. Their noise goes on from window to window (AR(1)), and
// a trial may add an offset of its own to the difference of two speakers. Taken into account, a repeated score is no
// news, and posteriors are as sure as they should be (docs/mathematics.md, Dependent scores).
#pragma once

#include <heed/core/recursion.h>
#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/chain.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heed::emission {

// An emission with its dependence, valid from birth.
class DependentGaussian {
 public:
  // Throws invalid_argument for parameters that make no model: separate sigmas, phi outside [0, 1), an offset unless
  // there are two speakers, and scores so far apart that repeat each other so much that staying outweighs switching by
  // more than e^600, where numbers end.
  static DependentGaussian make(const GaussianEmission& emission, const Dependence& dependence, Index speakers);

  // What a score z is once it is transformed; the model is the same for d = z_1 - z_2 - offset.
  [[nodiscard]] const GaussianEmission& emission() const noexcept { return emission_; }
  [[nodiscard]] const Dependence& dependence() const noexcept { return dependence_; }
  [[nodiscard]] Index speakers() const noexcept { return speakers_; }

  // The offsets that are considered, with their probabilities: 13 within three sigmas; 0 alone without an offset.
  struct Offset {
    double value = 0;
    double probability = 1;
    friend bool operator==(const Offset&, const Offset&) = default;
  };
  [[nodiscard]] std::span<const Offset> offsets() const noexcept { return offsets_; }
  // The same model with others; the probabilities must be positive and are scaled to sum to one.
  [[nodiscard]] DependentGaussian with_offsets(std::vector<Offset> offsets) const;

  friend bool operator==(const DependentGaussian&, const DependentGaussian&) = default;

 private:
  DependentGaussian() = default;
  GaussianEmission emission_;
  Dependence dependence_;
  Index speakers_ = 0;
  std::vector<Offset> offsets_;
};

// What a model says of windows that depend on each other; nothing where it takes them for independent. Throws as make,
// and invalid_argument for another emission or a temperature beside the dependence.
[[nodiscard]] std::optional<DependentGaussian> dependent_model(const Model& model, Index speakers);

// Windows as they come, like hmm::Stream or hmm::BankStream, but their scores instead of log-likelihoods. Only the
// constructors allocate.
class DependentStream {
 public:
  // lag: windows that can be looked back on. Throws invalid_argument unless it lies in 0 ... hmm::longest_stream_lag
  // and the chain has a state for each speaker.
  DependentStream(const hmm::Chain& chain, const DependentGaussian& model, Index lag = 0);
  // For a switch probability that nobody knows: every value of the bank is tried beside every offset.
  DependentStream(const hmm::Bank& bank, const DependentGaussian& model, Index lag = 0);
  ~DependentStream();
  DependentStream(DependentStream&& other) noexcept;
  DependentStream& operator=(DependentStream&& other) noexcept;
  DependentStream(const DependentStream&) = delete;
  DependentStream& operator=(const DependentStream&) = delete;

  // Held if a score is missing or not one (infinite; a correlation beyond +-1): the next score is then compared with
  // the last one there was. Any other number of scores is Step::wrong_size, and nothing happens.
  core::Step step(std::span<const double> scores) noexcept;

  [[nodiscard]] Index lag() const noexcept;
  [[nodiscard]] Index windows() const noexcept;
  [[nodiscard]] std::span<const double> belief() const noexcept;
  // log P(all windows so far).
  [[nodiscard]] double log_evidence() const noexcept;
  // P(each of the model's offsets | windows so far).
  [[nodiscard]] std::span<const double> offset_posterior() const noexcept;
  // P(each value of the bank | windows so far); 1 alone where p is known.
  [[nodiscard]] std::span<const double> probabilities() const noexcept;
  // The same without loss, for the listener's next trial.
  [[nodiscard]] hmm::BankWeights known() const;
  // Of a bank.
  [[nodiscard]] std::optional<SwitchPosterior> switching() const;
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept;
  // The same of the last so many windows, or of as many as there are, in one pass. Allocates.
  [[nodiscard]] Matrix look_back_on_last(Index windows);

  // The start of a trial: what was learnt of p stays.
  void reset() noexcept;
  // As hmm::Stream's. The next score is then the first.
  bool resume(std::span<const double> belief) noexcept;
  // From another stream of the same model and of as many values of p, whatever these are: the next score is compared
  // with the last one there, and what was found out about p and the offset stays. False, and nothing changed,
  // otherwise.
  bool resume(const DependentStream& other) noexcept;
  // Takes over what another stream has learnt of p, before the first score. False, and nothing changed, unless it has
  // as many values.
  bool learn_from(const DependentStream& other) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// As the functions of hmm, of scores. Errors name the window.
[[nodiscard]] Posteriors filter(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores);
[[nodiscard]] Posteriors smooth(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores);
[[nodiscard]] Posteriors fixed_lag(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores,
                                   Seconds lag);
// The most probable path, together with the most probable offset.
[[nodiscard]] Path viterbi(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores);
// The same for an unknown p, as those of hmm/bank.h.
[[nodiscard]] hmm::BankPosteriors filter(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores);
[[nodiscard]] hmm::BankPosteriors smooth(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores);
[[nodiscard]] hmm::BankPosteriors fixed_lag(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores,
                                            Seconds lag);
[[nodiscard]] hmm::BankPath viterbi(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores);

// Fits to labels. Sums over one participant's labelled, complete windows; they add.
struct DependenceMoments {
  // Of every speaker's score less its mean while attended or not: pairs of neighbouring windows.
  double products = 0;
  double earlier_squares = 0;
  double later_squares = 0;
  // Of the difference of two speakers' scores less its mean, inside trials and of their means.
  double trial_products = 0;
  double trial_earlier_squares = 0;
  double trial_later_squares = 0;
  double squares = 0;
  double windows = 0;
  double trials = 0;
  double means = 0;
  double mean_squares = 0;
  double inverse_lengths = 0;  // sum of 1 / windows of a trial
  DependenceMoments& operator+=(const DependenceMoments& other) noexcept;
  DependenceMoments& operator-=(const DependenceMoments& other) noexcept;
};
[[nodiscard]] DependenceMoments dependence_moments(const ScoredParticipant& participant, bool fisher);

// An offset is told from noise by its spread over trials.
inline constexpr double fewest_offset_trials = 6;

// phi alone; the emission stays as it is. Throws bad_data without two neighbouring labelled windows.
[[nodiscard]] Dependence fit_autocorrelation(const DependenceMoments& sums);

// With an offset; sigma becomes the spread around a trial's offset. Throws bad_data for fewer than
// fewest_offset_trials trials of two labelled windows or more, unsupported unless there are two speakers.
struct OffsetFit {
  GaussianEmission emission{};
  Dependence dependence{};
};
[[nodiscard]] OffsetFit fit_offset(const GaussianEmission& emission, const DependenceMoments& sums, Index speakers);

// Without labels, from the scores alone: forward-backward and weighted means in turn, phi and sigma from the posteriors
// of neighbouring windows. No offset: nothing but labels tells it from attention.
struct DependentFitOptions {
  bool fisher = true;
  Spread spread = Spread::shared;
  double relative_gain = 1e-7;  // of |log-evidence|
  Index max_iterations = 200;
};
struct DependentFit {
  GaussianEmission emission{};
  Dependence dependence{};
  std::vector<double> history{};  // log-evidence by iteration; the last is the best
  bool converged = false;
};
// `start`: an emission to begin with, as Baum-Welch finds it. Throws as fit_baum_welch.
[[nodiscard]] DependentFit fit_without_labels(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                              const GaussianEmission& start, const DependentFitOptions& options = {},
                                              const std::function<void()>& each_iteration = {});

}  // namespace heed::emission
