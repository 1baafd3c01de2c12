// SPDX-License-Identifier: MIT
// A study on scores that are there: settings that share scores, switches and emission share their log-likelihoods, and
// every participant is tracked with an emission fitted to the others.
#pragma once

#include <data/study.h>
#include <pipeline/decoding/in_parallel.h>
#include <study/cohorts/score_library.h>

#include <cstdint>
#include <span>
#include <string>

namespace heed::study {

struct RunOptions {
  pipeline::Threads threads{1};
  std::uint64_t seed = 1;  // of random intervals
  int most_repeats = 1000;
};

// Settings the cohort cannot give are left out with a note. A study that has nothing left to show has an obstacle
// instead of tables. The same for any number of threads.
[[nodiscard]] StudyResult run_study(const Study& study, const ScoreLibrary& scores, const RunOptions& options);

}  // namespace heed::study
