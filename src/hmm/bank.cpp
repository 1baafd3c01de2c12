// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "hmm/bank_window.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

enum class Keeps { latest, all };

// The forward pass of every filter over a trial, and room for what comes after it. beliefs: windows x (values x
// states), so that filter g is a trellis of its own whose rows lie that far apart.
class BankPass {
 public:
  BankPass(const Bank& bank, const LogLikelihoods& log_likelihoods, Keeps keeps);

  [[nodiscard]] Index windows() const noexcept { return beliefs_.rows; }
  [[nodiscard]] Trellis trellis(std::size_t value) noexcept;
  // Row t of the posterior, p being known as well as after window `seen`.
  void mix(Index t, Index seen) noexcept;

  BankPosteriors result{};

 private:
  void forward(const Bank& bank, MatrixView log_likelihood, Keeps keeps) noexcept;

  Index states_;
  Matrix belief_storage_;
  Matrix likelihood_storage_;
  std::vector<double> future_;
  std::vector<double> scratch_;
  MutableMatrixView beliefs_;
  MutableMatrixView likelihoods_;
};

BankPass::BankPass(const Bank& bank, const LogLikelihoods& log_likelihoods, Keeps keeps)
    : states_(bank.states()), future_(static_cast<std::size_t>(states_)), scratch_(future_.size()) {
  result.posteriors = room_for_posteriors(bank.chain(0), log_likelihoods);
  const Index windows = log_likelihoods.values.rows();
  const auto values = static_cast<Index>(bank.size());
  result.switching = {.weights = Matrix(windows, values), .after = bank.weights()};
  const bool all = keeps == Keeps::all;
  belief_storage_.resize(all ? windows : 1, values * states_);
  likelihood_storage_.resize(all ? windows : 1, states_);
  // Stride 0 is one row for all windows, as for filter_into.
  beliefs_ = {belief_storage_.data(), windows, values * states_, all ? values * states_ : 0};
  likelihoods_ = {likelihood_storage_.data(), windows, states_, all ? states_ : 0};
  forward(bank, data::view(log_likelihoods.values), keeps);
}

void BankPass::forward(const Bank& bank, MatrixView log_likelihood, Keeps keeps) noexcept {
  Posteriors& posteriors = result.posteriors;
  for (Index t = 0; t < windows(); ++t) {
    if (t > 0 && keeps == Keeps::all) std::ranges::copy(beliefs_.row(t - 1), beliefs_.row(t).begin());
    const core::BankView<double> view{.chains = bank.sticky(),
                                      .beliefs = beliefs_.row(t),
                                      .weights = result.switching.after,
                                      .likelihoods = likelihoods_.row(t)};
    const auto absorbed = take_window(bank, view, log_likelihood.row(t), t == 0);
    if (absorbed.step == core::Step::held) {
      ++posteriors.held;
    } else {
      posteriors.log_evidence += absorbed.shift + std::log(absorbed.normaliser);
    }
    show(result.switching.after, data::view(result.switching.weights).row(t));
    if (keeps == Keeps::latest) mix(t, t);
  }
}

Trellis BankPass::trellis(std::size_t value) noexcept {
  const MutableMatrixView own{beliefs_.data + (static_cast<Index>(value) * states_), windows(), states_,
                              beliefs_.stride};
  return {.beliefs = own, .weights = likelihoods_, .future = future_, .scratch = scratch_};
}

void BankPass::mix(Index t, Index seen) noexcept {
  const auto probabilities = data::view(std::as_const(result.switching.weights)).row(seen);
  core::mix(beliefs_.row(t), probabilities, data::view(result.posteriors.values).row(t));
}

void require_values(std::size_t values) {
  if (values == 0) reject("a bank without switch probabilities; give at least one");
}

}  // namespace

Bank Bank::make(Index states, std::span<const double> switch_probabilities, Seconds hop) {
  require_values(switch_probabilities.size());
  Bank bank;
  for (const double p : switch_probabilities) {
    bank.chains_.push_back(Chain::sticky(states, p));
    bank.sticky_.push_back(*bank.chains_.back().as_sticky());
    bank.per_second_.push_back(hop.value == 1 ? p : exact_switch_probability(states, Seconds{1 / hop.value}, p));
    if (p < core::smallest_bank_probability<double>) {
      reject("switch probability " + data::shown(p) + " in a bank: nobody switches so rarely; give at least " +
             data::shown(core::smallest_bank_probability<double>));
    }
    if (bank.chains_.size() > 1 && !(p > switch_probabilities[bank.chains_.size() - 2])) {
      reject("the switch probabilities of a bank must rise; " + data::shown(p) + " follows " +
             data::shown(switch_probabilities[bank.chains_.size() - 2]));
    }
  }
  bank.weights_.assign(bank.size(), {.value = 1 / static_cast<double>(bank.size())});
  return bank;
}

Bank Bank::per_second(Index states, Seconds hop, std::span<const double> values) {
  require_values(values.size());
  std::vector<double> kept;
  std::vector<double> converted;
  std::vector<double> left_out;
  for (const double p : values) {
    if (states >= 2 && p > 1 / static_cast<double>(states)) {
      left_out.push_back(p);
      continue;
    }
    // Windows of minutes make neighbours one value, as near to 1/N as numbers go.
    const double of_window = exact_switch_probability(states, hop, p);
    if (!converted.empty() && !(of_window > converted.back())) continue;
    kept.push_back(p);
    converted.push_back(of_window);
  }
  if (kept.empty()) {
    reject("no switch probability of the bank can be used with " + std::to_string(states) +
           " states: all are above 1/N = " + data::shown(1 / static_cast<double>(states)));
  }
  Bank bank = make(states, converted, hop);
  bank.per_second_ = std::move(kept);
  bank.left_out_ = std::move(left_out);
  return bank;
}

Bank Bank::with_initial(std::span<const double> initial) const {
  Bank bank = *this;
  for (Chain& chain : bank.chains_) chain = chain.with_initial(initial);
  return bank;
}

Bank Bank::with_weights(BankWeights weights) const {
  if (weights.size() != size()) {
    reject(std::to_string(weights.size()) + " weights for a bank of " + std::to_string(size()) +
           " switch probabilities; give one for each");
  }
  Bank bank = *this;
  bank.weights_ = std::move(weights);
  return bank;
}

SwitchPosterior Bank::posterior(std::span<const double> probabilities) const {
  SwitchPosterior posterior{.speakers = states(), .per_second = per_second_};
  for (const auto& chain : sticky_) posterior.per_window.push_back(chain.move());
  posterior.weights.assign(probabilities.begin(), probabilities.end());
  return posterior;
}

BankPosteriors filter(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  return std::move(BankPass(bank, log_likelihoods, Keeps::latest).result);
}

BankPosteriors smooth(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  BankPass pass(bank, log_likelihoods, Keeps::all);
  for (std::size_t g = 0; g < bank.size(); ++g) backward(bank.chain(g), pass.trellis(g), 0, [](Index) {});
  for (Index t = 0; t < pass.windows(); ++t) pass.mix(t, pass.windows() - 1);
  return std::move(pass.result);
}

BankPosteriors fixed_lag(const Bank& bank, const LogLikelihoods& log_likelihoods, Seconds lag) {
  const Index wait = lag_in_windows(lag, log_likelihoods.hop);
  BankPass pass(bank, log_likelihoods, Keeps::all);
  const Index windows = pass.windows();
  const Index first_that_sees_the_end = std::max<Index>(windows - 1 - std::min(wait, windows), 0);
  for (std::size_t g = 0; g < bank.size(); ++g) {
    const Trellis trellis = pass.trellis(g);
    for (Index t = 0; wait > 0 && t < first_that_sees_the_end; ++t) {
      std::ranges::fill(trellis.future, 1.0);
      for (Index s = t + wait - 1; s >= t; --s) retreat(bank.chain(g), trellis, s);
      combine(trellis, t);
    }
    backward(bank.chain(g), trellis, first_that_sees_the_end, [](Index) {});
  }
  for (Index t = 0; t < windows; ++t) pass.mix(t, std::min(t + std::min(wait, windows), windows - 1));
  return std::move(pass.result);
}

BankPath viterbi(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  BankPosteriors filtered = filter(bank, log_likelihoods);
  std::vector<double> probabilities(bank.size());
  show(filtered.switching.after, probabilities);
  const auto heaviest = std::ranges::max_element(probabilities) - probabilities.begin();
  return {.path = viterbi(bank.chain(static_cast<std::size_t>(heaviest)), log_likelihoods),
          .log_evidence = filtered.posteriors.log_evidence,
          .switching = std::move(filtered.switching)};
}

}  // namespace heed::hmm
