// SPDX-License-Identifier: MIT
#include <data/text.h>
#include "decode/adaptive/decoder_update.h"
#include "decode/adaptive/label_queue.h"
#include "decode/dense/dense.h"
#include "decode/shrunk_cosine.h"

#include <dsp/kernels/kernels.h>
#include <heed/data/error.h>
#include <heed/decode/adaptive_decoder.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

void require(bool holds, double value, const std::string& rule) {
  if (!holds) refuse(rule + ", not " + data::shown(value));
}

void check(const AdaptationOptions& o) {
  const auto count = [](double windows) { return windows >= 0 && std::isfinite(windows); };
  require(count(o.population_windows), o.population_windows, "a population must count as 0 or more windows");
  require(count(o.covariance_windows), o.covariance_windows, "a covariance must count as 0 or more windows");
  require(count(o.emission_windows) && o.emission_windows > 0, o.emission_windows,
          "the emission of the start must count as more than 0 windows");
  require(o.half_life > 0, o.half_life, "the half-life must be above 0 windows");
  require(o.block >= 1, static_cast<double>(o.block), "a block must have at least 1 window");
  require(o.handover >= 0 && o.handover < o.block, static_cast<double>(o.handover),
          "a decoder must be used less than a block after its own");
  require(o.uniform_windows >= 0, static_cast<double>(o.uniform_windows), "windows without labels must be at least 0");
  require(o.nobody_probability > 0 && o.nobody_probability < 1, o.nobody_probability,
          "the probability of attending to nobody must lie between 0 and 1");
  require(o.ridge >= 0 && std::isfinite(o.ridge), o.ridge, "the ridge must be at least 0");
  require(o.shrinkage >= 0 && std::isfinite(o.shrinkage), o.shrinkage, "the shrinkage must be at least 0");
}

void check(const AdaptiveStart& start, const AdaptiveShape& shape) {
  const Index n = shape.channels * shape.lags.count();
  const bool square = start.covariance.cols() == n || start.covariance.cols() == shape.channels;
  if (start.has_population() && (start.cross.size() != n || start.covariance.rows() != n || !square)) {
    refuse("the population is of " + std::to_string(start.cross.size()) + " lags x channels, the signals of " +
           std::to_string(n));
  }
  if (start.has_population() && !(start.cross.allFinite() && start.covariance.allFinite())) {
    refuse("the population holds values that are not numbers");
  }
  const GaussianEmission& emission = start.emission;
  if (!(emission.mu_attended > emission.mu_unattended) || !(emission.sigma_attended > 0)) {
    refuse("the emission must have a higher mean for attended than for unattended speech, and a deviation above 0");
  }
}

AdaptiveShape checked(const AdaptiveShape& shape, const AdaptiveStart& start, const AdaptationOptions& options) {
  check(options);
  if (shape.talkers < 2) refuse("attention is decided between two or more talkers");
  if (shape.channels < 1 || shape.lags.count() < 1 || shape.window_samples < 1) {
    refuse("an adaptive decoder needs at least one channel, one lag and one sample per window");
  }
  check(start, shape);
  return shape;
}

bool all_finite(MatrixView signal) {
  for (Index t = 0; t < signal.rows; ++t) {
    if (!std::ranges::all_of(signal.row(t), [](double value) { return std::isfinite(value); })) return false;
  }
  return true;
}

// Scores that lie below zero on average come from a decoder of the wrong sign: a population that does not fit, or EEG
// upside down.
class PolarityGuard {
 public:
  void see(std::span<const double> z) noexcept {
    double mean = 0;
    for (const double score : z) mean += score / static_cast<double>(z.size());
    sum_ = kept * sum_ + mean;
    windows_ = kept * windows_ + 1;
  }
  [[nodiscard]] bool fires(double deviation, Index talkers) const noexcept {
    const double spread = deviation / std::sqrt(static_cast<double>(talkers) * windows_);
    return windows_ >= fewest_windows && sum_ / windows_ < -2 * spread;
  }

 private:
  static constexpr double fewest_windows = 100;
  static inline const double kept = std::exp2(-1.0 / 120);
  double sum_ = 0;
  double windows_ = 0;
};

Index scaled_count(Index windows, double per_window, Index least) {
  return std::max(least, static_cast<Index>(std::lround(static_cast<double>(windows) / per_window)));
}

}  // namespace

AdaptationOptions for_windows_of(AdaptationOptions options, Seconds window) {
  const double length = window.value;
  const auto hop = [&](double probability) { return -std::expm1(length * std::log1p(-probability)); };
  options.population_windows /= length;
  options.covariance_windows /= length;
  options.emission_windows /= length;
  options.half_life /= length;
  options.useful_windows /= length;
  options.block = scaled_count(options.block, length, 1);
  options.handover = std::min(options.handover, options.block - 1);
  options.lag = scaled_count(options.lag, length, 1);
  options.uniform_windows = scaled_count(options.uniform_windows, length, 1);
  options.switch_probability = hop(options.switch_probability);
  options.nobody_probability = hop(options.nobody_probability);
  return options;
}

struct AdaptiveDecoder::State {
  State(const AdaptiveStart& start, const AdaptiveShape& given, const AdaptationOptions& asked, const State* leader)
      : options(asked),
        shape(checked(given, start, asked)),
        dimensions(shape.channels * shape.lags.count()),
        kept(std::exp2(-1 / asked.half_life)),
        with_population(start.has_population()),
        uniform_left(with_population ? 0 : asked.uniform_windows),
        leads(leader == nullptr),
        update(std::make_shared<DecoderUpdate>(start, shape, asked, leads ? nullptr : leader->update)),
        block(leads ? std::make_shared<BlockOfWindows>(shape.channels, shape.lags.count(), asked.block)
                    : leader->block),
        queue(shape.talkers, dimensions, asked, with_population),
        emission(start.emission, asked.emission_windows),
        filter(hmm::Chain::sticky(shape.talkers, asked.switch_probability)),
        decoder{Eigen::VectorXd::Zero(dimensions), Eigen::VectorXd::Zero(dimensions)},
        taken(decoder),
        reconstruction(static_cast<std::size_t>(shape.window_samples + 1)),
        z(static_cast<std::size_t>(shape.talkers)),
        scores(z),
        log_likelihoods(z) {
    if (leader != nullptr) leader->check_leads(shape, options);
    sums.cross = Eigen::VectorXd::Zero(dimensions);
    update->ask(*block, sums, with_population);
    has_decoder = update->take(decoder);
  }

  void check_leads(const AdaptiveShape& follower_shape, AdaptationOptions follower_options) const;
  void check(const AdaptiveSignals& signals, std::span<const double> label) const;
  void take_decoder();
  void score(const AdaptiveSignals& signals);
  void learn_eeg(MatrixView eeg);
  void wait_for_label(const AdaptiveSignals& signals, std::span<const double> label);
  void learn_oldest();
  void give_up_population();
  void end_block();
  // Nothing, while there is no decoder.
  [[nodiscard]] std::span<const double> taken_up(const Eigen::VectorXd& values) const noexcept {
    return {values.data(), has_decoder ? static_cast<std::size_t>(values.size()) : 0};
  }

  AdaptationOptions options;
  AdaptiveShape shape;
  Index dimensions;
  double kept;  // of what was learnt, from one window to the next
  bool with_population;
  Index uniform_left;

  bool leads;  // false: another decoder sums up the EEG
  std::shared_ptr<DecoderUpdate> update;
  std::shared_ptr<BlockOfWindows> block;
  SampleSums sums{};
  LabelQueue queue;
  LearntEmission emission;
  PolarityGuard guard{};
  hmm::Stream filter;

  DecoderSolution decoder;
  DecoderSolution taken;
  bool has_decoder = false;
  bool outdated = false;  // the decoder under way rests on a population that was given up
  Index windows = 0;
  Index in_block = 0;
  Index due = 0;  // the window that takes the decoder under way up
  Index decoders = 0;
  std::optional<Index> guarded{};

  bool eeg_there = false;
  bool sounds = false;
  bool scored = false;
  std::vector<double> reconstruction;
  std::vector<double> z;
  std::vector<double> scores;
  std::vector<double> log_likelihoods;
};

void AdaptiveDecoder::State::check_leads(const AdaptiveShape& follower_shape,
                                         AdaptationOptions follower_options) const {
  follower_options.population_windows = options.population_windows;
  if (follower_shape == shape && follower_options == options && windows == 0) return;
  refuse("decoders that share a covariance may differ in how much the population counts, and begin together");
}

void AdaptiveDecoder::State::check(const AdaptiveSignals& signals, std::span<const double> label) const {
  const Index samples = signals.speech.rows;
  if (signals.eeg.columns != shape.channels || signals.eeg.stride != shape.channels ||
      signals.eeg.rows != samples + shape.lags.count() - 1) {
    refuse("a window of " + std::to_string(samples) + " samples needs the EEG of its samples and lags, " +
           std::to_string(samples + shape.lags.count() - 1) + " rows of " + std::to_string(shape.channels) +
           " channels, not " + std::to_string(signals.eeg.rows) + " of " + std::to_string(signals.eeg.columns));
  }
  if (signals.speech.columns != shape.talkers || std::abs(samples - shape.window_samples) > 1) {
    refuse("a window needs about " + std::to_string(shape.window_samples) + " samples of " +
           std::to_string(shape.talkers) + " talkers, not " + std::to_string(samples) + " of " +
           std::to_string(signals.speech.columns));
  }
  double total = 0;
  for (const double share : label) {
    const double counted = share >= 0 ? share : std::numeric_limits<double>::infinity();
    total += counted;
  }
  if (!label.empty() && (std::ssize(label) != shape.talkers || !(total <= 1 + 1e-9))) {
    refuse("a label needs one probability per talker, which sum to at most 1");
  }
}

void AdaptiveDecoder::State::take_decoder() {
  const bool there = update->take(taken);
  if (there && !outdated) {
    std::swap(decoder, taken);
    has_decoder = true;
    ++decoders;
  }
  outdated = false;
}

void AdaptiveDecoder::State::score(const AdaptiveSignals& signals) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr PairPowers unit{1, 1};
  eeg_there = !signals.eeg_missing && all_finite(signals.eeg);
  sounds = eeg_there && !signals.missing && all_finite(signals.speech);
  scored = sounds && has_decoder && uniform_left == 0;
  std::ranges::fill(scores, nan);
  std::ranges::fill(log_likelihoods, 0.0);
  if (!scored) return;
  const Index samples = signals.speech.rows;
  dsp::kernels::best_kernels().filter_lagged(
      {signals.eeg.data, samples, dimensions, shape.channels, decoder.weights.data(), 1, reconstruction.data()});
  const GaussianEmission& now = emission.emission();
  const double slope = (now.mu_attended - now.mu_unattended) / (now.sigma_attended * now.sigma_attended);
  const double middle = (now.mu_attended + now.mu_unattended) / 2;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    PairSums pair;
    for (Index t = 0; t < samples; ++t) {
      pair.add(reconstruction[static_cast<std::size_t>(t)], signals.speech(t, static_cast<Index>(j)));
    }
    scores[j] = shrunk_cosine({&pair, 1}, {&unit, 1}, options.shrinkage * static_cast<double>(samples));
    z[j] = fisher(scores[j]);
    log_likelihoods[j] = slope * (z[j] - middle);
  }
}

void AdaptiveDecoder::State::learn_eeg(MatrixView eeg) {
  if (leads) block->fade(kept);
  sums.eeg_samples *= kept;
  if (!eeg_there) return;
  if (leads) block->add(eeg);
  sums.eeg_samples += static_cast<double>(eeg.rows - shape.lags.count() + 1);
}

void AdaptiveDecoder::State::wait_for_label(const AdaptiveSignals& signals, std::span<const double> label) {
  LabelledWindow& window = queue.next();
  window.samples = static_cast<double>(signals.speech.rows);
  window.sounds = sounds;
  window.scored = scored;
  window.uniform = uniform_left > 0;
  window.told = !label.empty();
  std::ranges::copy(label, window.label.begin());
  std::ranges::copy(z, window.z.begin());
  if (sounds) {
    window.cross.setZero();
    for (Index lag = 0; lag < shape.lags.count(); ++lag) {
      add_product(data::view(window.cross).middle_rows(lag * shape.channels, shape.channels),
                  signals.eeg.middle_rows(lag, signals.speech.rows), signals.speech, 1);
    }
  }
  queue.push(log_likelihoods);
}

void AdaptiveDecoder::State::learn_oldest() {
  const LabelledWindow& window = queue.pop();
  sums.cross *= kept;
  sums.cross_samples *= kept;
  emission.fade(kept);
  if (!window.sounds) return;
  for (Index i = 0; i < dimensions; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < window.label.size(); ++j)
      sum += window.label[j] * window.cross(i, static_cast<Index>(j));
    sums.cross(i) += sum;
  }
  for (const double share : window.label) sums.cross_samples += share * window.samples;
  if (window.scored) emission.learn(window.z, window.label);
}

void AdaptiveDecoder::State::give_up_population() {
  guarded = windows;
  with_population = false;
  has_decoder = false;
  outdated = update->is_under_way();
  uniform_left = options.uniform_windows;
  sums.cross.setZero();
  sums.cross_samples = 0;
  emission.restart(AdaptiveStart{}.emission);
  queue.give_up_nobody();
  filter.reset();
}

void AdaptiveDecoder::State::end_block() {
  update->ask(*block, sums, with_population);
  if (leads) block->start_next();
  in_block = 0;
  due = windows + options.handover;
}

AdaptiveDecoder::AdaptiveDecoder(const AdaptiveStart& start, const AdaptiveShape& shape,
                                 const AdaptationOptions& options, const AdaptiveDecoder* leader)
    : state_(std::make_unique<State>(start, shape, options, leader == nullptr ? nullptr : leader->state_.get())) {}
AdaptiveDecoder::~AdaptiveDecoder() = default;
AdaptiveDecoder::AdaptiveDecoder(AdaptiveDecoder&&) noexcept = default;
AdaptiveDecoder& AdaptiveDecoder::operator=(AdaptiveDecoder&&) noexcept = default;

AdaptiveWindow AdaptiveDecoder::step(const AdaptiveSignals& signals, std::span<const double> label) {
  State& s = *state_;
  s.check(signals, label);
  if (s.update->is_under_way() && s.windows >= s.due) s.take_decoder();
  s.score(signals);
  (void)s.filter.step(s.log_likelihoods);
  ++s.windows;
  const AdaptiveWindow result{s.scores, s.log_likelihoods, s.filter.belief()};
  if (!s.options.adapt) return result;
  s.learn_eeg(signals.eeg);
  s.wait_for_label(signals, label);
  if (s.queue.size() > s.options.lag) s.learn_oldest();
  s.uniform_left = std::max<Index>(0, s.uniform_left - 1);
  if (s.scored && s.with_population) {
    s.guard.see(s.z);
    if (s.guard.fires(s.emission.emission().sigma_attended, s.shape.talkers)) s.give_up_population();
  }
  if (++s.in_block == s.options.block) s.end_block();
  return result;
}

void AdaptiveDecoder::restart() {
  State& s = *state_;
  s.filter.reset();
  const bool learnt = s.in_block > 0 || s.queue.size() > 0;
  if (!s.options.adapt || !learnt) return;
  if (s.update->is_under_way()) s.take_decoder();
  while (s.queue.size() > 0) s.learn_oldest();
  s.queue.restart();
  s.end_block();
}

void AdaptiveDecoder::lean_on(const AdaptiveStart& start) {
  State& s = *state_;
  decode::check(start, s.shape);
  if (!s.with_population || !start.has_population()) return;
  if (s.update->is_under_way()) s.take_decoder();
  s.update->lean_on(start);
  s.emission.lean_on(start.emission);
  s.update->ask(*s.block, s.sums, true);
  s.take_decoder();
}

LearntSums AdaptiveDecoder::sums() const {
  const State& s = *state_;
  const auto window = static_cast<double>(s.shape.window_samples);
  const auto mean = [](double samples) { return samples > 0 ? 1 / samples : 0; };
  return {.covariance = mean(s.sums.eeg_samples) * s.block->first_column(),
          .eeg_windows = s.sums.eeg_samples / window,
          .cross = mean(s.sums.cross_samples) * s.sums.cross,
          .labelled_windows = s.sums.cross_samples / window,
          .scores = s.emission.sums()};
}

void AdaptiveDecoder::resume(const LearntSums& learnt) {
  State& s = *state_;
  const bool fits = learnt.covariance.rows() == s.dimensions && learnt.covariance.cols() == s.shape.channels &&
                    learnt.cross.size() == s.dimensions && learnt.scores.size() == s.emission.sums().size();
  if (!fits) refuse("what was learnt is of other channels or lags; start anew");
  const bool numbers = learnt.covariance.allFinite() && learnt.cross.allFinite() && learnt.eeg_windows >= 0 &&
                       learnt.labelled_windows >= 0 &&
                       std::ranges::all_of(learnt.scores, [](double sum) { return std::isfinite(sum); });
  if (!numbers) refuse("what was learnt holds values that are not numbers; start anew");
  const auto window = static_cast<double>(s.shape.window_samples);
  s.sums.eeg_samples = learnt.eeg_windows * window;
  s.sums.cross_samples = learnt.labelled_windows * window;
  s.sums.cross = s.sums.cross_samples * learnt.cross;
  if (s.leads) s.block->start_from(s.sums.eeg_samples * learnt.covariance);
  s.emission.resume(learnt.scores);
  if (!s.with_population && learnt.labelled_windows > static_cast<double>(s.options.uniform_windows)) {
    s.uniform_left = 0;
  }
  s.update->ask(*s.block, s.sums, s.with_population);
  s.take_decoder();
}

bool AdaptiveDecoder::has_work() const noexcept { return state_->update->waits(); }
void AdaptiveDecoder::compute() noexcept { state_->update->compute(); }

void AdaptiveDecoder::settle() {
  State& s = *state_;
  if (!s.options.adapt) return;
  if (s.update->is_under_way()) s.take_decoder();
  s.end_block();
  s.take_decoder();
}

void AdaptiveDecoder::learn(bool wanted) {
  if (!wanted) settle();
  state_->options.adapt = wanted;
}

std::span<const double> AdaptiveDecoder::weights() const noexcept { return state_->taken_up(state_->decoder.weights); }
std::span<const double> AdaptiveDecoder::pattern() const noexcept { return state_->taken_up(state_->decoder.pattern); }

LearningState AdaptiveDecoder::learnt() const noexcept {
  const State& s = *state_;
  const auto samples = static_cast<double>(s.shape.window_samples);
  LearningState result{.eeg_windows = s.sums.eeg_samples / samples,
                       .labelled_windows = s.sums.cross_samples / samples,
                       .emission = s.emission.emission(),
                       .decoders = s.decoders,
                       .guarded = s.guarded};
  const double lent = s.with_population ? s.options.population_windows : 0;
  const double all = result.labelled_windows + lent;
  result.population_share = all > 0 ? lent / all : 0;
  result.learning = !s.with_population && result.labelled_windows < s.options.useful_windows;
  return result;
}

}  // namespace heed::decode
