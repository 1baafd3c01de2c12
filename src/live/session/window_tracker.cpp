// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <live/session/window_tracker.h>
#include <pipeline/model_fit.h>
#include <pipeline/unknown_switching.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::live {
namespace {

class ChainTracker final : public LiveTracker {
 public:
  ChainTracker(const hmm::Chain& chain, Index lag) : stream_(chain, lag) {}
  core::Step step(std::span<const double> log_likelihood) noexcept override { return stream_.step(log_likelihood); }
  [[nodiscard]] std::span<const double> belief() const noexcept override { return stream_.belief(); }
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept override {
    return stream_.look_back(age, posterior);
  }
  void reset() noexcept override { stream_.reset(); }
  void resume(const LiveTracker& other) noexcept override { stream_.resume(other.belief()); }

 private:
  hmm::Stream stream_;
};

// Of a listener whose switch probability is unknown; what was learnt of it stays from trial to trial.
class BankTracker final : public LiveTracker {
 public:
  BankTracker(const hmm::Bank& bank, Index lag) : stream_(bank, lag) {}
  core::Step step(std::span<const double> log_likelihood) noexcept override { return stream_.step(log_likelihood); }
  [[nodiscard]] std::span<const double> belief() const noexcept override { return stream_.belief(); }
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept override {
    return stream_.look_back(age, posterior);
  }
  void reset() noexcept override { stream_.reset(); }
  void resume(const LiveTracker& other) noexcept override {
    stream_.resume(other.belief());
    if (const auto* same = dynamic_cast<const BankTracker*>(&other)) stream_.learn_from(same->stream_);
  }
  [[nodiscard]] std::optional<SwitchPosterior> switching() const override { return stream_.switching(); }

 private:
  hmm::BankStream stream_;
};

// Of scores that repeat each other.
class DependentTracker final : public LiveTracker {
 public:
  // Of a chain, or of a bank of them.
  template <typename Chains>
  DependentTracker(const Chains& chains, const emission::DependentGaussian& model, Index lag)
      : stream_(chains, model, lag), scores_(static_cast<std::size_t>(chains.states())) {}
  void see(std::span<const double> scores) noexcept override { std::ranges::copy(scores, scores_.begin()); }
  core::Step step(std::span<const double> /*log_likelihood*/) noexcept override { return stream_.step(scores_); }
  [[nodiscard]] std::span<const double> belief() const noexcept override { return stream_.belief(); }
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept override {
    return stream_.look_back(age, posterior);
  }
  void reset() noexcept override { stream_.reset(); }
  void resume(const LiveTracker& other) noexcept override {
    const auto* same = dynamic_cast<const DependentTracker*>(&other);
    if (same != nullptr && stream_.resume(same->stream_)) return;
    stream_.resume(other.belief());
    if (same != nullptr) stream_.learn_from(same->stream_);
  }
  [[nodiscard]] std::optional<SwitchPosterior> switching() const override { return stream_.switching(); }

 private:
  emission::DependentStream stream_;
  std::vector<double> scores_;
};

// Independent: the tracker of windows that are.
template <typename Independent, typename Chains>
std::unique_ptr<LiveTracker> make_live_tracker(const Chains& chains,
                                               const std::optional<emission::DependentGaussian>& dependent, Index lag) {
  if (dependent) return std::make_unique<DependentTracker>(chains, *dependent, lag);
  return std::make_unique<Independent>(chains, lag);
}

// Where nothing is known of a listener's scores: about what windows of one second have (docs/live.md), narrower for
// longer ones. Only a start, from which the adaptation goes on.
GaussianEmission usual_emission(ScoreType type, Seconds window) {
  if (type == ScoreType::step_cosine) {
    return {.fisher = false, .mu_attended = 0.1, .mu_unattended = 0.02, .sigma_attended = 0.4, .sigma_unattended = 0.4};
  }
  const double narrower = 1 / std::sqrt(window.value);
  if (type == ScoreType::correlation) {
    return {.fisher = true,
            .mu_attended = 0.12,
            .mu_unattended = 0.03,
            .sigma_attended = 0.2 * narrower,
            .sigma_unattended = 0.2 * narrower};
  }
  return {.fisher = false,
          .mu_attended = 0.2,
          .mu_unattended = -0.2,
          .sigma_attended = 0.6 * narrower,
          .sigma_unattended = 0.6 * narrower};
}

Emission start_of(const TrackingOptions& options, const WindowTracker::Windows& windows) {
  if (windows.content == StreamContent::log_likelihoods) return GivenLogLikelihoods{};
  if (options.model) return options.model->emission;
  return usual_emission(windows.type, windows.window);
}

void check_emission(const Emission& emission, Index speakers) {
  if (std::holds_alternative<MixtureEmission>(emission)) {
    throw Error(ErrorKind::unsupported, "a mixture is a model of features; live sessions take one score per speaker");
  }
  emission::check(emission, speakers);
}

}  // namespace

WindowTracker::WindowTracker(const TrackingOptions& options, const Windows& windows)
    : start_(start_of(options, windows)),
      emission_(start_),
      log_likelihoods_(static_cast<std::size_t>(windows.speakers)),
      hindsight_(static_cast<std::size_t>(windows.speakers)) {
  const bool scored = windows.content != StreamContent::log_likelihoods;
  check_emission(emission_, windows.speakers);
  if (options.model && scored) {
    temperature_ = options.model->temperature;
    ScoredParticipant like{.type = windows.type, .trials = std::vector<ScoredTrial>(1)};
    like.trials.front().scores = {.window = windows.window, .hop = windows.hop};
    pipeline::note_model(options.model, like, notes_);
  }
  if (scored && (options.adaptation || !options.model)) {
    const auto* gaussian = std::get_if<GaussianEmission>(&emission_);
    if (gaussian == nullptr) {
      throw Error(ErrorKind::unsupported, "only Gaussian emissions can follow a listener; leave the adaptation out");
    }
    adaptation_ = emission::AdaptiveGaussian::make(*gaussian, windows.speakers, windows.hop,
                                                   options.adaptation.value_or(emission::AdaptiveOptions{}));
  }
  if (!options.model && scored) {
    // Windows that overlap say the same thing several times; a model that is fitted knows how often.
    temperature_ = windows.window / windows.hop;
    notes_.push_back({.kind = NoteKind::chosen,
                      .text = "no model of the scores is given: heed begins with usual ones and adapts them to the "
                              "listener without labels"});
  }
  lag_ = static_cast<Index>(std::llround(options.lag / windows.hop));
  std::optional<emission::DependentGaussian> dependent;
  if (options.model && scored) dependent = emission::dependent_model(*options.model, windows.speakers);
  if (dependent && adaptation_) {
    throw Error(ErrorKind::unsupported,
                "a model of scores that depend on each other cannot follow a listener; leave the adaptation out");
  }
  if (const auto bank = pipeline::make_bank(options.chain, windows.speakers, windows.hop)) {
    pipeline::note_left_out(*bank, notes_);
    tracker_ = make_live_tracker<BankTracker>(*bank, dependent, lag_);
    return;
  }
  const hmm::Chain chain = pipeline::make_chain(options.chain, windows.speakers, windows.hop);
  if (const auto* sticky = chain.as_sticky()) switch_probability_ = sticky->move();
  tracker_ = make_live_tracker<ChainTracker>(chain, dependent, lag_);
}

bool WindowTracker::makes_sense(std::span<const double> scores) const noexcept {
  const auto* gaussian = std::get_if<GaussianEmission>(&emission_);
  if (gaussian != nullptr) {
    return std::ranges::all_of(scores, [&](double x) { return emission::is_score(x, gaussian->fisher); });
  }
  if (std::holds_alternative<GivenLogLikelihoods>(emission_)) return true;  // the tracker knows broken windows itself
  if (std::holds_alternative<ProbabilityEmission>(emission_)) {
    double total = 0;
    for (const double p : scores) {
      const double counted = p >= 0 && p <= 1 ? p : std::numeric_limits<double>::infinity();
      total += counted;
    }
    return std::abs(total - 1) <= 0.02;
  }
  return std::ranges::all_of(scores, [](double x) { return std::isfinite(x); });
}

WindowTracker::Result WindowTracker::step(std::span<const double> scores) noexcept {
  Result result;
  const bool missing = std::ranges::any_of(scores, [](double x) { return std::isnan(x); });
  const auto columns = static_cast<Index>(scores.size());
  if (missing || !makes_sense(scores)) {
    result.refused = !missing;
    std::ranges::fill(log_likelihoods_, std::numeric_limits<double>::quiet_NaN());
    tracker_->see(log_likelihoods_);
  } else {
    tracker_->see(scores);
    emission::log_likelihoods_into(emission_, {scores.data(), 1, columns, columns},
                                   {log_likelihoods_.data(), 1, columns, columns});
    if (temperature_ != 1) {
      for (double& value : log_likelihoods_) value /= temperature_;
    }
  }
  result.held = tracker_->step(log_likelihoods_) != core::Step::updated;
  decision_ = static_cast<Speaker>(rule_.decide(tracker_->belief()));
  known_ = lag_ > 0 && tracker_->look_back(lag_, hindsight_) ? hindsight_.size() : 0;
  if (adaptation_ && !result.held) {
    adaptation_->update(scores, tracker_->belief());
    emission_ = adaptation_->emission();
  }
  return result;
}

void WindowTracker::reset() noexcept {
  tracker_->reset();
  rule_.reset();
  decision_ = 0;
  known_ = 0;
}

void WindowTracker::resume(const WindowTracker& other) noexcept {
  tracker_->resume(*other.tracker_);
  rule_ = other.rule_;
  decision_ = other.decision_;
  // What was learnt of the listener's scores since the same start stays.
  if (adaptation_ && other.adaptation_ && start_ == other.start_) {
    adaptation_ = other.adaptation_;
    emission_ = other.emission_;
  }
}

}  // namespace heed::live
