// SPDX-License-Identifier: MIT
// From the scores of a window to who is attended: emission (given, or adapted as windows come), temperature, tracker
// and decision rule, with the bits of the offline chain. Whoever tracks otherwise fits behind LiveTracker.
#pragma once

#include <heed/core/decision.h>
#include <heed/core/recursion.h>
#include <heed/emission/adaptive.h>
#include <heed/hmm/filter.h>
#include <heed/live/session.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heed::live {

// One window after the other. Never allocates after it is made.
class LiveTracker {
 public:
  LiveTracker() = default;
  virtual ~LiveTracker() = default;
  LiveTracker(const LiveTracker&) = delete;
  LiveTracker& operator=(const LiveTracker&) = delete;
  LiveTracker(LiveTracker&&) = delete;
  LiveTracker& operator=(LiveTracker&&) = delete;

  // The scores of the window that comes next, for whoever looks at more than its log-likelihoods; NaN if it is missing.
  virtual void see(std::span<const double> /*scores*/) noexcept {}
  virtual core::Step step(std::span<const double> log_likelihood) noexcept = 0;
  [[nodiscard]] virtual std::span<const double> belief() const noexcept = 0;
  // posterior_j <- P(attending j `age` windows ago | all windows so far); false: not that many.
  [[nodiscard]] virtual bool look_back(Index age, std::span<double> posterior) noexcept = 0;
  virtual void reset() noexcept = 0;
  // Goes on from the belief of another tracker, and from what both know of the listener.
  virtual void resume(const LiveTracker& other) noexcept = 0;
  // How often the listener switches, where that is to be found out.
  [[nodiscard]] virtual std::optional<SwitchPosterior> switching() const { return std::nullopt; }
};

class WindowTracker {
 public:
  struct Windows {
    Index speakers = 0;
    Seconds window{1};
    Seconds hop = window;
    StreamContent content = StreamContent::scores;
    ScoreType type = ScoreType::correlation;
  };
  // Throws as make_chain and emission::check do, unsupported for emissions of features.
  WindowTracker(const TrackingOptions& options, const Windows& windows);

  struct Result {
    bool held = false;
    bool refused = false;  // the scores made no sense: taken for missing
  };
  // Scores, or log-likelihoods, of a window.
  Result step(std::span<const double> scores) noexcept;

  [[nodiscard]] std::span<const double> log_likelihoods() const noexcept { return log_likelihoods_; }
  [[nodiscard]] std::span<const double> posterior() const noexcept { return tracker_->belief(); }
  [[nodiscard]] Speaker decision() const noexcept { return decision_; }
  [[nodiscard]] std::span<const double> hindsight() const noexcept { return {hindsight_.data(), known_}; }
  [[nodiscard]] const Emission& emission() const noexcept { return emission_; }
  [[nodiscard]] const Notes& notes() const noexcept { return notes_; }
  [[nodiscard]] std::optional<double> switch_probability() const noexcept { return switch_probability_; }
  [[nodiscard]] std::optional<SwitchPosterior> switching() const { return tracker_->switching(); }

  void reset() noexcept;  // to a new trial; what was learnt of the scores stays
  void resume(const WindowTracker& other) noexcept;

 private:
  [[nodiscard]] bool makes_sense(std::span<const double> scores) const noexcept;

  Emission start_;
  Emission emission_;  // what was learnt from there
  double temperature_ = 1;
  std::optional<emission::AdaptiveGaussian> adaptation_{};
  std::unique_ptr<LiveTracker> tracker_;
  core::DecisionRule<double> rule_{};
  std::optional<double> switch_probability_{};
  Index lag_ = 0;  // hops
  Speaker decision_ = 0;
  std::vector<double> log_likelihoods_;
  std::vector<double> hindsight_;
  std::size_t known_ = 0;
  Notes notes_{};
};

}  // namespace heed::live
