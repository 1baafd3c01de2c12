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
#include <numbers>
#include <string>
#include <utility>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

enum class Keeps { latest, all };

constexpr double log_unit = 512 * std::numbers::ln2;
static_assert(core::bank_weight_unit<double> == 0x1p+512);

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

// Forward-backward by the kernels: unscaled within blocks that are short enough for the smallest p.
class BankSmoother {
 public:
  BankSmoother(const Bank& bank, const LogLikelihoods& log_likelihoods);

  [[nodiscard]] static bool suits(const Bank& bank) noexcept {
    return bank.size() <= kernels::bank_width && bank.states() <= kernels::largest_bank_states &&
           bank.chains().moves.front() >= kernels::smallest_transition;
  }
  [[nodiscard]] BankPosteriors smooth() &&;

 private:
  using PerFilter = std::array<double, kernels::bank_width>;

  [[nodiscard]] Index windows() const noexcept { return result_.posteriors.values.rows(); }
  [[nodiscard]] std::size_t states() const noexcept { return static_cast<std::size_t>(bank_.states()); }
  [[nodiscard]] std::size_t filter_of(std::size_t lane) const noexcept { return std::min(lane, bank_.size() - 1); }
  [[nodiscard]] double* beliefs_of(Index t) noexcept {
    return beliefs_.data() + (static_cast<std::size_t>(t) * states() * kernels::bank_width);
  }
  void weigh(MatrixView log_likelihood);
  void absorb_first(std::span<const double> log_likelihood);
  void go_there();
  void come_back();
  [[nodiscard]] kernels::BankRun block(Index first, Index count) noexcept;
  void know() noexcept;

  const Bank& bank_;
  BankPosteriors result_;
  Index block_;  // windows
  PerFilter kept_{};
  PerFilter moves_{};
  PerFilter known_{};
  PerFilter totals_{};
  std::vector<double> likelihoods_;
  std::vector<double> beliefs_;
  std::vector<double> state_;
};

BankSmoother::BankSmoother(const Bank& bank, const LogLikelihoods& log_likelihoods)
    : bank_(bank), result_{.posteriors = room_for_posteriors(bank.chain(0), log_likelihoods)} {
  // A window takes no more than a factor of p off a belief, and numbers must hold a block of them twice.
  constexpr double exponents = 350;
  constexpr Index longest = 32;
  block_ = std::clamp<Index>(static_cast<Index>(exponents / -std::log2(bank.chains().moves.front())), 1, longest);
  result_.switching = {.weights = Matrix(windows(), static_cast<Index>(bank.size())), .after = bank.weights()};
  for (std::size_t lane = 0; lane < kept_.size(); ++lane) {
    kept_[lane] = bank.chains().kept[filter_of(lane)];
    moves_[lane] = bank.chains().moves[filter_of(lane)];
  }
  if (windows() == 0) return;
  likelihoods_.resize((static_cast<std::size_t>(windows()) * states()) + kernels::weights_slack);
  beliefs_.resize(static_cast<std::size_t>(windows()) * states() * kernels::bank_width);
  state_.resize(states() * kernels::bank_width);
  const MatrixView rows = data::view(log_likelihoods.values);
  weigh(rows);
  absorb_first(rows.row(0));
}

void BankSmoother::weigh(MatrixView log_likelihood) {
  std::vector<kernels::WeighedWindow> weighed(static_cast<std::size_t>(windows()));
  kernels::best_kernels().weigh({.log_likelihood = log_likelihood.data,
                                 .stride = log_likelihood.stride,
                                 .weights = likelihoods_.data(),
                                 .weighed = weighed.data(),
                                 .windows = windows(),
                                 .states = bank_.states()});
  for (const auto& window : std::span(weighed).subspan(1)) {
    result_.posteriors.log_evidence += window.whole ? window.shift : 0;
    result_.posteriors.held += window.whole ? 0 : 1;
  }
}

// What the filters say of p in probabilities, side by side.
void BankSmoother::know() noexcept {
  result_.switching.after.probabilities_into(std::span(known_).first(bank_.size()));
}

// Every filter absorbs the first window alike.
void BankSmoother::absorb_first(std::span<const double> log_likelihood) {
  std::vector<double> belief(bank_.chain(0).initial().begin(), bank_.chain(0).initial().end());
  const auto absorbed = core::absorb(belief, log_likelihood, std::span(likelihoods_).first(states()));
  result_.posteriors.held += absorbed.step == core::Step::held ? 1 : 0;
  result_.posteriors.log_evidence += absorbed.shift + std::log(absorbed.normaliser);
  for (std::size_t j = 0; j < states(); ++j) {
    std::fill_n(state_.begin() + static_cast<std::ptrdiff_t>(j * kernels::bank_width), kernels::bank_width, belief[j]);
  }
  std::ranges::copy(state_, beliefs_of(0));
  know();
  std::ranges::copy(std::span(known_).first(bank_.size()), data::view(result_.switching.weights).row(0).begin());
}

kernels::BankRun BankSmoother::block(Index first, Index count) noexcept {
  return {.likelihoods = likelihoods_.data() + (static_cast<std::size_t>(first) * states()),
          .windows = count,
          .states = bank_.states(),
          .kept = kept_.data(),
          .move = moves_.data(),
          .beliefs = beliefs_of(first),
          .state = state_.data(),
          .known = known_.data()};
}

void BankSmoother::go_there() {
  const MutableMatrixView probabilities = data::view(result_.switching.weights);
  BankWeights& known = result_.switching.after;
  for (Index first = 1; first < windows(); first += block_) {
    kernels::BankRun run = block(first, std::min(block_, windows() - first));
    run.totals = totals_.data();
    run.rows = probabilities.row(first).data();
    run.row_stride = probabilities.stride;
    run.rows_end = probabilities.data + (probabilities.rows * probabilities.stride);
    kernels::best_kernels().bank_block(run);
    for (std::size_t g = 0; g < bank_.size(); ++g) known.weights[g] *= totals_[g];
    result_.posteriors.log_evidence += std::log(core::normalise_weights(known.weights, known.scales));
    know();
  }
}

void BankSmoother::come_back() {
  const MutableMatrixView posteriors = data::view(result_.posteriors.values);
  std::ranges::fill(state_, 1.0);
  const Index blocks = (windows() - 1 + block_ - 1) / block_;
  for (Index k = blocks; k >= 0; --k) {
    const Index first = k == 0 ? 0 : 1 + ((k - 1) * block_);
    const Index end = std::min(1 + (k * block_), windows());
    kernels::BankRun run = block(first, end - first);
    run.rows = posteriors.row(first).data();
    run.row_stride = posteriors.stride;
    run.back = true;
    kernels::best_kernels().bank_block(run);
  }
}

BankPosteriors BankSmoother::smooth() && {
  if (windows() > 0) {
    go_there();
    come_back();
  }
  return std::move(result_);
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

std::size_t BankWeights::heaviest() const noexcept {
  const auto heavier = [&](std::size_t a, std::size_t b) {
    return scales[a] == scales[b] ? weights[a] > weights[b] : scales[a] > scales[b];
  };
  std::size_t best = 0;
  for (std::size_t g = 1; g < weights.size(); ++g) best = heavier(g, best) ? g : best;
  return best;
}

double BankWeights::logarithm(std::size_t value) const noexcept {
  return std::log(weights[value]) + (scales[value] * log_unit);
}

void BankWeights::set_logarithm(std::size_t value, double log_probability) noexcept {
  scales[value] = log_probability > -log_unit ? 0 : static_cast<int>(std::ceil(log_probability / log_unit));
  weights[value] = std::exp(log_probability - (scales[value] * log_unit));
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
  if (BankSmoother::suits(bank)) return BankSmoother(bank, log_likelihoods).smooth();
  return look_back(bank, log_likelihoods, log_likelihoods.values.rows());
}

BankPosteriors fixed_lag(const Bank& bank, const LogLikelihoods& log_likelihoods, Seconds lag) {
  return look_back(bank, log_likelihoods, lag_in_windows(lag, log_likelihoods.hop));
}

BankPath viterbi(const Bank& bank, const LogLikelihoods& log_likelihoods) {
  BankPosteriors filtered = filter(bank, log_likelihoods);
  return {.path = viterbi(bank.chain(filtered.switching.after.heaviest()), log_likelihoods),
          .log_evidence = filtered.posteriors.log_evidence,
          .switching = std::move(filtered.switching)};
}

}  // namespace heed::hmm
