// SPDX-License-Identifier: MIT
// Attention where nobody knows how often the listener switches: a sticky chain for each of several switch
// probabilities, weighed by how well it predicts the windows. Exact for an unknown p that is one of them. The causal
// recursion is core's, so filter() equals core::BankFilter<double, N, G> bit for bit. Exponentials are computed once.
#pragma once

#include <heed/core/bank_filter.h>
#include <heed/data/series.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/fixed_lag.h>

#include <array>
#include <span>
#include <vector>

namespace heed::hmm {

// Seven half decades: from one switch in hours to one in seconds.
inline constexpr std::array<double, 7> bank_probabilities_per_second{
    1e-4, 3.1622776601683794e-4, 1e-3, 3.1622776601683794e-3, 1e-2, 3.1622776601683794e-2, 1e-1};

// What is known of p, as core::BankView keeps it: flat at first, and what a trial leaves is where the next one starts.
struct BankWeights {
  std::vector<double> weights{};
  std::vector<int> scales{};

  static BankWeights flat(std::size_t values);
  // P(p) of each value.
  void probabilities_into(std::span<double> probabilities) const noexcept;
  [[nodiscard]] std::size_t heaviest() const noexcept;
  // log P(p) of one value, however improbable.
  [[nodiscard]] double logarithm(std::size_t value) const noexcept;
  void set_logarithm(std::size_t value, double log_probability) noexcept;
  friend bool operator==(const BankWeights&, const BankWeights&) = default;
};

// An immutable value, as Chain is.
class Bank {
 public:
  // p per window and target, each as Chain::sticky takes it; rising. Throws invalid_argument where one makes no chain.
  static Bank make(Index states, std::span<const double> switch_probabilities, Seconds hop = {1});
  // Values per second, converted to the hop exactly (exact_switch_probability). Those above 1/N, which no chain has,
  // are left out; left_out() tells which. Throws invalid_argument where none is left.
  static Bank per_second(Index states, Seconds hop, std::span<const double> values = bank_probabilities_per_second);

  // The same with another distribution of the first window, as Chain::with_initial.
  [[nodiscard]] Bank with_initial(std::span<const double> initial) const;
  // The same listener's next trial. Throws invalid_argument unless there is a weight for each value.
  [[nodiscard]] Bank with_weights(BankWeights weights) const;

  [[nodiscard]] Index states() const noexcept { return chains_.front().states(); }
  [[nodiscard]] std::size_t size() const noexcept { return chains_.size(); }
  [[nodiscard]] const Chain& chain(std::size_t value) const noexcept { return chains_[value]; }
  [[nodiscard]] core::BankChains<double> chains() const noexcept { return {moves_, kept_}; }
  [[nodiscard]] const BankWeights& weights() const noexcept { return weights_; }
  [[nodiscard]] std::span<const double> left_out() const noexcept { return left_out_; }

  // What such weights say.
  [[nodiscard]] SwitchPosterior posterior(const BankWeights& known) const;

 private:
  Bank() = default;

  std::vector<Chain> chains_;
  std::vector<double> moves_;  // the same, side by side
  std::vector<double> kept_;
  std::vector<double> per_second_;
  std::vector<double> left_out_;
  BankWeights weights_;
};

// What a trial says of p.
struct Switching {
  Matrix weights{};     // windows x values: P(p | windows so far, earlier trials included), whatever the method
  BankWeights after{};  // the last row, without loss: for the next trial
};
struct BankPosteriors {
  Posteriors posteriors{};
  Switching switching{};
};
struct BankPath {
  Path path{};  // the most probable one at the p that is the heaviest after the last window
  double log_evidence = 0;
  Switching switching{};
};

// Row t sums over p what each filter says, weighed by what is known of p in the windows that the row may see.
BankPosteriors filter(const Bank& bank, const LogLikelihoods& log_likelihoods);
BankPosteriors smooth(const Bank& bank, const LogLikelihoods& log_likelihoods);
BankPosteriors fixed_lag(const Bank& bank, const LogLikelihoods& log_likelihoods, Seconds lag = default_lag);
BankPath viterbi(const Bank& bank, const LogLikelihoods& log_likelihoods);

// Windows as they come, as Stream: the rows of filter() and fixed_lag(), bit for bit. Only the constructor allocates.
class BankStream {
 public:
  // Throws as Stream.
  explicit BankStream(Bank bank, Index lag = 0);

  core::Step step(std::span<const double> log_likelihood) noexcept;

  [[nodiscard]] Index states() const noexcept { return bank_.states(); }
  [[nodiscard]] Index lag() const noexcept { return lag_; }
  [[nodiscard]] Index windows() const noexcept { return windows_; }
  [[nodiscard]] std::span<const double> belief() const noexcept { return belief_; }
  // P(p | windows so far).
  [[nodiscard]] std::span<const double> probabilities() const noexcept { return probabilities_; }
  [[nodiscard]] SwitchPosterior switching() const { return bank_.posterior(weights_); }
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept;

  // The start of a trial: what was learnt of p stays.
  void reset() noexcept;
  // As Stream's: every filter goes on from this belief.
  bool resume(std::span<const double> belief) noexcept;
  // Takes over what another stream has learnt of p. False, and nothing changed, unless it has as many values.
  bool learn_from(const BankStream& other) noexcept;

 private:
  [[nodiscard]] std::span<double> kept(std::vector<double>& rows, Index window) const noexcept;

  Bank bank_;
  Index lag_;
  Index windows_ = 0;
  BankWeights weights_;
  std::vector<double> probabilities_;
  std::vector<double> belief_;
  std::vector<double> future_;       // states x values
  std::vector<double> combined_;     // likewise
  std::vector<double> scratch_;      // values
  std::vector<double> beliefs_;      // of every filter, in the last lag + 1 windows, in turn
  std::vector<double> likelihoods_;  // likewise: b_j up to the window's scale
};

}  // namespace heed::hmm
