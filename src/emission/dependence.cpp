// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/dependent_windows.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/filter.h>
#include <hmm/transition_stream.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <variant>

namespace heed::emission {
namespace {

using data::shown;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

constexpr int offset_nodes = 13;
constexpr double offset_reach = 3;  // sigmas
constexpr double most_staying = 600;

std::vector<DependentGaussian::Offset> usual_offsets(double sigma) {
  if (sigma == 0) return {{}};
  std::vector<DependentGaussian::Offset> offsets;
  for (int k = 0; k < offset_nodes; ++k) {
    const double standardised = offset_reach * ((2.0 * k / (offset_nodes - 1)) - 1);
    offsets.push_back({sigma * standardised, std::exp(-standardised * standardised / 2)});
  }
  return offsets;
}

void check_dependence(const GaussianEmission& emission, const Dependence& dependence, Index speakers) {
  check(emission, speakers);
  if (emission.spread == Spread::separate) {
    refuse("a dependence between windows needs one sigma for attended and unattended; fit the shared spread");
  }
  const double phi = dependence.autocorrelation;
  if (!(phi >= 0 && phi < 1)) {
    refuse("the autocorrelation of the scores is " + shown(phi) + "; it must be at least 0 and below 1");
  }
  if (!(dependence.offset_sigma >= 0) || !std::isfinite(dependence.offset_sigma)) {
    refuse("the sigma of the offset is " + shown(dependence.offset_sigma) + "; it must be at least 0");
  }
  if (dependence.offset_sigma > 0 && speakers != 2) {
    refuse("an offset is a bias between two speakers, not " + std::to_string(speakers) +
           "; choose the dependence ar1, which any number can have");
  }
  const double distance = emission.mu_attended - emission.mu_unattended;
  const double variance = emission.sigma_attended * emission.sigma_attended * (1 - emission.correlation);
  if (!(distance * distance * phi / (variance * (1 - (phi * phi))) <= most_staying)) {
    refuse("scores whose means are " + shown(std::abs(distance) / std::sqrt(variance)) +
           " sigmas apart with an autocorrelation of " + shown(phi) +
           " decide every window beyond what numbers hold; choose the dependence none");
  }
}

}  // namespace

DependentGaussian DependentGaussian::make(const GaussianEmission& emission, const Dependence& dependence,
                                          Index speakers) {
  check_dependence(emission, dependence, speakers);
  DependentGaussian model;
  model.emission_ = emission;
  model.dependence_ = dependence;
  model.speakers_ = speakers;
  return model.with_offsets(usual_offsets(dependence.offset_sigma));
}

DependentGaussian DependentGaussian::with_offsets(std::vector<Offset> offsets) const {
  double total = 0;
  for (const Offset& one : offsets) {
    if (!std::isfinite(one.value) || !(one.probability > 0)) {
      refuse("offsets must be finite, with probabilities above 0");
    }
    total += one.probability;
  }
  if (offsets.empty()) refuse("there must be an offset to consider; 0 alone means that there is none");
  for (Offset& one : offsets) one.probability /= total;
  DependentGaussian model = *this;
  model.offsets_ = std::move(offsets);
  return model;
}

std::optional<DependentGaussian> dependent_model(const Model& model, Index speakers) {
  if (!model.dependence) return std::nullopt;
  const auto* gaussian = std::get_if<GaussianEmission>(&model.emission);
  if (gaussian == nullptr) refuse("only Gaussian emissions have a dependence between windows");
  if (model.temperature != 1) {
    refuse(
        "the model has a temperature and a dependence between windows; each makes up for repeated scores, so that "
        "one of them must go");
  }
  return DependentGaussian::make(*gaussian, *model.dependence, speakers);
}

namespace {

// log sum_k exp(values_k)
double log_sum(std::span<const double> values) noexcept {
  const double largest = *std::ranges::max_element(values);
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (const double value : values) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

std::vector<hmm::TransitionStream> streams_of(const hmm::Chain& chain, std::size_t offsets, Index lag) {
  return std::vector<hmm::TransitionStream>(offsets, hmm::TransitionStream(chain, lag));
}

std::vector<hmm::TransitionStream> streams_of(const hmm::Bank& bank, std::size_t offsets, Index lag) {
  std::vector<hmm::TransitionStream> streams;
  for (std::size_t g = 0; g < bank.size(); ++g) {
    for (auto& stream : streams_of(bank.chain(g), offsets, lag)) streams.push_back(std::move(stream));
  }
  return streams;
}

}  // namespace

// A recursion for each value of p and each offset, on scores without the offset: how well each of them predicts the
// windows weighs them. Offsets of one p lie side by side.
struct DependentStream::State {
  State(const hmm::Chain& chain, const DependentGaussian& given, Index deepest)
      : State(given, deepest, chain.initial(), streams_of(chain, given.offsets().size(), deepest)) {
    start_trial();
  }
  State(const hmm::Bank& values, const DependentGaussian& given, Index deepest)
      : State(given, deepest, values.chain(0).initial(), streams_of(values, given.offsets().size(), deepest)) {
    bank = values;
    carried = values.weights();
    start_trial();
  }

  [[nodiscard]] std::size_t offsets() const noexcept { return model.offsets().size(); }

  // What is known of p stays; every offset is as likely as the model has it.
  void start_trial() noexcept {
    for (std::size_t k = 0; k < log_weights.size(); ++k) {
      log_weights[k] = carried.logarithm(k / offsets()) + std::log(model.offsets()[k % offsets()].probability);
    }
    share_out();
  }

  // The joint weights, and what they say of p and of the offset.
  void share_out() noexcept {
    std::ranges::fill(p, 0.0);
    std::ranges::fill(offset, 0.0);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      weights[k] = std::exp(log_weights[k]);
      p[k / offsets()] += weights[k];
      offset[k % offsets()] += weights[k];
    }
  }

  // weights_k <- weights_k P(the last window | p and offset k), and log P(the last window) into the sum.
  void weigh() noexcept {
    for (std::size_t k = 0; k < streams.size(); ++k) log_weights[k] += streams[k].log_evidence();
    const double window = log_sum(log_weights);
    for (double& weight : log_weights) weight -= window;
    log_evidence += window;
    share_out();
  }

  // log P(p) of a value, however improbable; one that is the only one is certain, whatever rounding says.
  [[nodiscard]] double log_probability(std::size_t value) const noexcept {
    return p.size() == 1 ? 0 : log_sum(std::span(log_weights).subspan(value * offsets(), offsets()));
  }
  void learn_from(const State& other) noexcept {
    for (std::size_t g = 0; g < p.size(); ++g) carried.set_logarithm(g, other.log_probability(g));
  }

  // result <- sum_k weights_k of what look(stream) gives for stream k.
  template <typename Look>
  void mix(std::span<double> result, const Look& look) noexcept {
    if (streams.size() == 1) {
      std::ranges::copy(look(streams.front()), result.begin());
      return;
    }
    std::ranges::fill(result, 0.0);
    for (std::size_t k = 0; k < streams.size(); ++k) {
      const std::span<const double> one = look(streams[k]);
      for (std::size_t j = 0; j < result.size(); ++j) result[j] += weights[k] * one[j];
    }
  }
  void mix_beliefs() noexcept {
    mix(belief, [](const hmm::TransitionStream& stream) { return stream.belief(); });
  }

  DependentGaussian model;
  DependentWindows windows;
  Index lag;
  std::optional<hmm::Bank> bank;
  std::vector<hmm::TransitionStream> streams;
  std::vector<double> log_weights;
  std::vector<double> weights;
  hmm::BankWeights carried;  // of p, from trial to trial
  std::vector<double> p;
  std::vector<double> offset;
  double log_evidence = 0;
  std::vector<double> belief;
  std::vector<double> z;
  std::vector<double> before;  // z of the last observed window
  std::vector<double> arriving;
  std::vector<double> departing;
  std::vector<double> found;

 private:
  State(DependentGaussian given, Index deepest, std::span<const double> initial,
        std::vector<hmm::TransitionStream> made)
      : model(std::move(given)),
        windows(model),
        lag(deepest),
        streams(std::move(made)),
        log_weights(streams.size()),
        weights(streams.size()),
        carried(hmm::BankWeights::flat(streams.size() / model.offsets().size())),
        p(carried.weights.size()),
        offset(model.offsets().size()),
        belief(initial.begin(), initial.end()),
        z(belief.size()),
        before(belief.size()),
        arriving(belief.size()),
        departing(belief.size()),
        found(belief.size()) {}
};

namespace {

Index checked_lag(const hmm::Chain& chain, const DependentGaussian& model, Index lag) {
  if (chain.states() != model.speakers()) {
    refuse("the chain has " + std::to_string(chain.states()) + " states, the model " +
           std::to_string(model.speakers()) + " speakers; they must be as many");
  }
  if (lag >= 0 && lag <= hmm::longest_stream_lag) return lag;
  refuse("a stream cannot look back " + std::to_string(lag) + " windows; give 0 to " +
         std::to_string(hmm::longest_stream_lag));
}

}  // namespace

DependentStream::DependentStream(const hmm::Chain& chain, const DependentGaussian& model, Index lag)
    : state_(std::make_unique<State>(chain, model, checked_lag(chain, model, lag))) {}
DependentStream::DependentStream(const hmm::Bank& bank, const DependentGaussian& model, Index lag)
    : state_(std::make_unique<State>(bank, model, checked_lag(bank.chain(0), model, lag))) {}
DependentStream::~DependentStream() = default;
DependentStream::DependentStream(DependentStream&&) noexcept = default;
DependentStream& DependentStream::operator=(DependentStream&&) noexcept = default;

core::Step DependentStream::step(std::span<const double> scores) noexcept {
  State& s = *state_;
  if (scores.size() != s.z.size()) return core::Step::wrong_size;
  const bool fisher = s.model.emission().fisher;
  if (!std::ranges::all_of(scores, [=](double x) { return is_score(x, fisher); })) {
    for (auto& stream : s.streams) stream.hold();
    s.mix_beliefs();
    return core::Step::held;
  }
  std::ranges::transform(scores, s.z.begin(), [=](double x) { return transformed_score(x, fisher); });
  const Index hops = s.streams.front().hops();
  for (std::size_t k = 0; k < s.streams.size(); ++k) {
    const double offset = s.model.offsets()[k % s.offsets()].value;
    s.streams[k].step(s.windows.evidence(s.z, s.before, hops, offset, {s.arriving, s.departing}));
  }
  s.before.swap(s.z);
  s.weigh();
  s.mix_beliefs();
  return core::Step::updated;
}

Index DependentStream::lag() const noexcept { return state_->lag; }
Index DependentStream::windows() const noexcept { return state_->streams.front().windows(); }
std::span<const double> DependentStream::belief() const noexcept { return state_->belief; }
double DependentStream::log_evidence() const noexcept { return state_->log_evidence; }
std::span<const double> DependentStream::offset_posterior() const noexcept { return state_->offset; }
std::span<const double> DependentStream::probabilities() const noexcept { return state_->p; }

hmm::BankWeights DependentStream::known() const {
  const State& s = *state_;
  hmm::BankWeights known = s.carried;
  for (std::size_t g = 0; g < s.p.size(); ++g) known.set_logarithm(g, s.log_probability(g));
  return known;
}

std::optional<SwitchPosterior> DependentStream::switching() const {
  if (!state_->bank) return std::nullopt;
  return state_->bank->posterior(known());
}

bool DependentStream::look_back(Index age, std::span<double> posterior) noexcept {
  State& s = *state_;
  const bool there = age >= 0 && age <= s.lag && age < windows() && posterior.size() == s.belief.size();
  if (!there) return false;
  s.mix(posterior, [&](hmm::TransitionStream& stream) {
    (void)stream.look_back(age, s.found);
    return std::span<const double>(s.found);
  });
  return true;
}

Matrix DependentStream::look_back_on_last(Index windows) {
  State& s = *state_;
  const Index rows = std::clamp<Index>(windows, 0, std::min(s.lag + 1, this->windows()));
  Matrix posteriors = Matrix::Zero(rows, std::ssize(s.belief));
  Matrix one(posteriors.rows(), posteriors.cols());
  for (std::size_t k = 0; k < s.streams.size(); ++k) {
    s.streams[k].look_back_on_last(data::view(one));
    posteriors += s.streams.size() == 1 ? one : Matrix(s.weights[k] * one);
  }
  return posteriors;
}

void DependentStream::reset() noexcept {
  State& s = *state_;
  for (auto& stream : s.streams) stream.reset();
  s.learn_from(s);
  s.start_trial();
  s.log_evidence = 0;
  s.mix_beliefs();
}

bool DependentStream::resume(std::span<const double> belief) noexcept {
  double total = 0;
  for (const double p : belief) total += p >= 0 ? p : std::numeric_limits<double>::quiet_NaN();
  if (belief.size() != state_->belief.size() || !(std::abs(total - 1) <= 1e-6)) return false;
  reset();
  for (auto& stream : state_->streams) stream.resume(belief);
  std::ranges::copy(belief, state_->belief.begin());
  return true;
}

bool DependentStream::resume(const DependentStream& other) noexcept {
  State& s = *state_;
  const State& o = *other.state_;
  if (!(s.model == o.model) || s.streams.size() != o.streams.size()) return false;
  for (std::size_t k = 0; k < s.streams.size(); ++k) s.streams[k].resume(o.streams[k]);
  std::ranges::copy(o.log_weights, s.log_weights.begin());
  std::ranges::copy(o.before, s.before.begin());
  std::ranges::copy(o.belief, s.belief.begin());
  s.carried = o.carried;
  s.share_out();
  s.log_evidence = 0;
  return true;
}

bool DependentStream::learn_from(const DependentStream& other) noexcept {
  State& s = *state_;
  if (other.state_->p.size() != s.p.size()) return false;
  s.learn_from(*other.state_);
  s.start_trial();
  return true;
}

}  // namespace heed::emission
