// SPDX-License-Identifier: MIT
// Cohorts for studies without EEG: simulated scores behind the interface of study::Cohort.
#pragma once

#include <heed/data/error.h>
#include <heed/sim/score_cohort.h>
#include <study/cohorts/score_library.h>
#include <study/cohorts/study_cohort.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace heed::test {

inline NamedValues with(const std::string& name, TableValue value) { return {{name, std::move(value)}}; }

struct ScoredCohortCase {
  int participants = 4;
  Seconds trial{600};
  int trials = 2;
  SwitchInterval interval{};
  double accuracy = 0.62;           // of single windows
  std::set<std::size_t> failing{};  // participants whose scores cannot be had
  std::optional<pipeline::DecoderKind> unlearnable{};
};

inline std::vector<ScoredParticipant> scored_participants(const ScoredCohortCase& one) {
  sim::ScoreCohortOptions options;
  options.participants = one.participants;
  options.trials = one.trials;
  options.trial = one.trial;
  options.interval = one.interval;
  options.accuracy = one.accuracy;
  return sim::simulate_scores(options);
}

// Two speakers, windows of 1 s, one decoder; counts how often it is asked to decode.
class ScoredCohort final : public study::Cohort {
 public:
  explicit ScoredCohort(const ScoredCohortCase& one = {}) : case_(one), scores_(scored_participants(one)) {}

  [[nodiscard]] std::string describe() const override { return "made-up scores"; }
  [[nodiscard]] std::vector<int> speakers() const override { return {2}; }
  [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
    return pipeline::DecoderKind::cca;
  }
  [[nodiscard]] std::vector<std::string> participants(int) const override {
    std::vector<std::string> ids;
    for (const ScoredParticipant& one : scores_) ids.push_back(one.id);
    return ids;
  }
  [[nodiscard]] std::optional<std::string> obstacle(const study::Decoding& decoding, Seconds window) const override {
    if (decoding.decoder == pipeline::DecoderKind::csp) return "no rhythms here";
    if (window != Seconds{1}) return "only windows of 1 s";
    return std::nullopt;
  }
  [[nodiscard]] std::string digest(int, std::size_t participant) const override {
    return "made-up " + std::to_string(participant);
  }
  [[nodiscard]] std::vector<study::DecodedScores> scores(std::size_t participant,
                                                         std::span<const study::ScoresWanted> wanted) const override {
    {
      const std::scoped_lock lock(guard_);
      order.push_back(participant);
    }
    if (case_.failing.contains(participant)) throw Error(ErrorKind::bad_data, "no EEG");
    std::vector<study::DecodedScores> result;
    for (const study::ScoresWanted& one : wanted) {
      decoded += one.windows.size();
      if (one.decoding.decoder == case_.unlearnable) {
        result.push_back({.failure = "one class only"});
      } else {
        result.push_back({.lengths = std::vector(one.windows.size(), scores_[participant])});
      }
    }
    return result;
  }

  mutable std::atomic<std::size_t> decoded = 0;
  mutable std::vector<std::size_t> order;  // in which participants were asked for

 private:
  mutable std::mutex guard_;
  ScoredCohortCase case_;
  std::vector<ScoredParticipant> scores_;
};

}  // namespace heed::test
