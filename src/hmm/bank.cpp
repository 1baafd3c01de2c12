// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

enum class Keeps { latest, all };

// Windows whose exponentials are computed together.
constexpr Index chunk = 128;

// The forward pass of every filter over a trial, and room for the way back.
class BankPass {
 public:
  BankPass(const Bank& bank, const LogLikelihoods& log_likelihoods, Keeps keeps);

  [[nodiscard]] Index windows() const noexcept { return result.posteriors.values.rows(); }
  // The way back: from the end, one window at a time.
  void turn_round() noexcept { std::ranges::fill(future_, 1.0); }
  void retreat_to(Index t) noexcept { core::retreat(bank_.chains(), future_, likelihoods_of(t + 1), scratch_); }
  void combine(Index t) noexcept { core::combine(beliefs_of(t), future_, scratch_); }
  // Row t of the posterior, p being known as well as after window `seen`.
  void mix(Index t, Index seen) noexcept;

  BankPosteriors result{};

 private:
  void forward(MatrixView log_likelihood) noexcept;
  void absorb_first(std::span<const double> log_likelihood) noexcept;
  void advance_to(Index t, const kernels::WeighedWindow& window) noexcept;
  [[nodiscard]] core::BankView<double> view(Index t) noexcept;
  [[nodiscard]] std::span<double> beliefs_of(Index t) noexcept {
    return std::span(beliefs_).subspan(static_cast<std::size_t>(all_ ? t : 0) * future_.size(), future_.size());
  }
  [[nodiscard]] std::span<double> likelihoods_of(Index t) noexcept {
    const auto states = static_cast<std::size_t>(bank_.states());
    return std::span(likelihoods_).subspan(static_cast<std::size_t>(all_ ? t : t % chunk) * states, states);
  }

  const Bank& bank_;
  bool all_;
  std::vector<double> future_;  // states x values
  std::vector<double> scratch_;
  std::vector<double> beliefs_;      // of all windows, or of the latest: states x values each
  std::vector<double> likelihoods_;  // of all windows, or of a chunk
};

BankPass::BankPass(const Bank& bank, const LogLikelihoods& log_likelihoods, Keeps keeps)
    : bank_(bank), all_(keeps == Keeps::all), scratch_(bank.size()) {
  result.posteriors = room_for_posteriors(bank.chain(0), log_likelihoods);
  result.switching = {.weights = Matrix(windows(), static_cast<Index>(bank.size())), .after = bank.weights()};
  const auto states = static_cast<std::size_t>(bank.states());
  const auto rows = static_cast<std::size_t>(all_ ? windows() : 1);
  const auto weighed = static_cast<std::size_t>(all_ ? windows() : chunk);
  future_.resize(states * bank.size());
  beliefs_.resize(rows * future_.size());
  likelihoods_.resize((weighed * states) + kernels::weights_slack);
  if (windows() > 0) forward(data::view(log_likelihoods.values));
}

core::BankView<double> BankPass::view(Index t) noexcept {
  BankWeights& known = result.switching.after;
  return {.chains = bank_.chains(),
          .beliefs = beliefs_of(t),
          .weights = known.weights,
          .scales = known.scales,
          .likelihoods = likelihoods_of(t),
          .scratch = scratch_};
}

void BankPass::forward(MatrixView log_likelihood) noexcept {
  const kernels::KernelSet& set = kernels::best_kernels();
  std::array<kernels::WeighedWindow, chunk> weighed;
  for (Index first = 0; first < windows(); first += chunk) {
    const Index count = std::min(chunk, windows() - first);
    set.weigh({.log_likelihood = log_likelihood.row(first).data(),
               .stride = log_likelihood.stride,
               .weights = likelihoods_of(first).data(),
               .weighed = weighed.data(),
               .windows = count,
               .states = bank_.states()});
    for (Index t = first; t < first + count; ++t) {
      if (t == 0) {
        absorb_first(log_likelihood.row(0));
      } else {
        advance_to(t, weighed[static_cast<std::size_t>(t - first)]);
      }
      result.switching.after.probabilities_into(data::view(result.switching.weights).row(t));
      if (!all_) mix(t, t);
    }
  }
}

void BankPass::absorb_first(std::span<const double> log_likelihood) noexcept {
  const auto absorbed = core::absorb(view(0), bank_.chain(0).initial(), log_likelihood);
  result.posteriors.held += absorbed.step == core::Step::held ? 1 : 0;
  result.posteriors.log_evidence += absorbed.shift + std::log(absorbed.normaliser);
}

void BankPass::advance_to(Index t, const kernels::WeighedWindow& window) noexcept {
  if (all_) std::ranges::copy(beliefs_of(t - 1), beliefs_of(t).begin());
  if (!window.whole) {
    core::hold(view(t));
    ++result.posteriors.held;
    return;
  }
  result.posteriors.log_evidence += window.shift + std::log(core::advance_by(view(t)));
}

void BankPass::mix(Index t, Index seen) noexcept {
  const auto probabilities = data::view(std::as_const(result.switching.weights)).row(seen);
  core::mix(beliefs_of(t), probabilities, data::view(result.posteriors.values).row(t));
}

// Row t has seen `lag` windows more, or all there are. The last rows share one way back.
BankPosteriors look_back(const Bank& bank, const LogLikelihoods& log_likelihoods, Index lag) {
  BankPass pass(bank, log_likelihoods, Keeps::all);
  const Index last = pass.windows() - 1;
  const Index shared = std::max<Index>(last - std::min(lag, pass.windows()), 0);
  for (Index t = 0; lag > 0 && t < shared; ++t) {
    pass.turn_round();
    for (Index s = t + lag - 1; s >= t; --s) pass.retreat_to(s);
    pass.combine(t);
  }
  pass.turn_round();
  for (Index t = last - 1; t >= shared && lag > 0; --t) {
    pass.retreat_to(t);
    pass.combine(t);
  }
  for (Index t = 0; t <= last; ++t) pass.mix(t, std::min(t + std::min(lag, pass.windows()), last));
  return std::move(pass.result);
}

void require_values(std::size_t values) {
  if (values == 0) reject("a bank without switch probabilities; give at least one");
}

}  // namespace

BankWeights BankWeights::flat(std::size_t values) {
  return {.weights = std::vector<double>(values, 1 / static_cast<double>(values)), .scales = std::vector<int>(values)};
}

void BankWeights::probabilities_into(std::span<double> probabilities) const noexcept {
  for (std::size_t g = 0; g < probabilities.size(); ++g) probabilities[g] = scales[g] == 0 ? weights[g] : 0;
}

Bank Bank::make(Index states, std::span<const double> switch_probabilities, Seconds hop) {
  require_values(switch_probabilities.size());
  Bank bank;
  for (const double p : switch_probabilities) {
    bank.chains_.push_back(Chain::sticky(states, p));
    bank.moves_.push_back(p);
    bank.kept_.push_back(bank.chains_.back().as_sticky()->kept());
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
  bank.weights_ = BankWeights::flat(bank.size());
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
  if (weights.weights.size() != size() || weights.scales.size() != size()) {
    reject(std::to_string(weights.weights.size()) + " weights for a bank of " + std::to_string(size()) +
           " switch probabilities; give one for each");
  }
  Bank bank = *this;
  bank.weights_ = std::move(weights);
  return bank;
}

SwitchPosterior Bank::posterior(const BankWeights& known) const {
  SwitchPosterior posterior{.speakers = states(), .per_second = per_second_, .per_window = moves_};
  posterior.weights.resize(size());
  known.probabilities_into(posterior.weights);
  return posterior;
}

BankPosteriors filter(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  return std::move(BankPass(bank, log_likelihoods, Keeps::latest).result);
}

BankPosteriors smooth(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  return look_back(bank, log_likelihoods, log_likelihoods.values.rows());
}

BankPosteriors fixed_lag(const Bank& bank, const LogLikelihoods& log_likelihoods, Seconds lag) {
  return look_back(bank, log_likelihoods, lag_in_windows(lag, log_likelihoods.hop));
}

BankPath viterbi(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  BankPosteriors filtered = filter(bank, log_likelihoods);
  std::vector<double> probabilities(bank.size());
  filtered.switching.after.probabilities_into(probabilities);
  const auto heaviest = std::ranges::max_element(probabilities) - probabilities.begin();
  return {.path = viterbi(bank.chain(static_cast<std::size_t>(heaviest)), log_likelihoods),
          .log_evidence = filtered.posteriors.log_evidence,
          .switching = std::move(filtered.switching)};
}

}  // namespace heed::hmm
