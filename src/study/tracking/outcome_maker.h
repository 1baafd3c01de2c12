// SPDX-License-Identifier: MIT
// Outcomes made from scores that are there, participant by participant: models and log-likelihoods are shared by the
// settings of a group, and learnt for those participants only whose outcomes are wanted.
#pragma once

#include <data/in_parallel.h>
#include <data/study.h>
#include <study/cohorts/score_library.h>
#include <study/results/outcome.h>

#include <cstdint>
#include <functional>
#include <span>

namespace heed::study {

struct RunOptions {
  data::Threads threads{1};
  std::uint64_t seed = 1;  // of random intervals
  int most_repeats = 1000;
};

class PreparedGroup;

class OutcomeMaker {
 public:
  // All must outlive it; the grid is that of the study and the cohort the scores are of.
  OutcomeMaker(const Study& study, const OutcomeGrid& grid, const ScoreLibrary& scores, const RunOptions& options);

  using Done = std::function<void(OutcomePlace, const Outcome&)>;
  // Hands out every outcome as soon as it is made, from several threads at once. What `done` throws ends it.
  void make(std::span<const OutcomePlace> wanted, const Done& done) const;

 private:
  struct Row;
  struct ReadyGroup;

  void make_lags(std::span<const OutcomePlace> wanted, const Done& done) const;
  [[nodiscard]] std::vector<ReadyGroup> ready_groups(std::span<const OutcomePlace> wanted) const;
  void follow(const PreparedGroup& prepared, const std::vector<std::size_t>& settings, const Row& row,
              const Done& done) const;
  void trace(const PreparedGroup& prepared, const std::vector<std::size_t>& members, const Row& row,
             const Done& done) const;

  const Study& study_;
  const OutcomeGrid& grid_;
  const ScoreLibrary& scores_;
  RunOptions options_;
};

}  // namespace heed::study
