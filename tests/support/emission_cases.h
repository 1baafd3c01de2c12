// SPDX-License-Identifier: MIT
// Scores and features with known parameters and labels, for the tests of the emissions.
#pragma once

#include <heed/data/model.h>
#include <heed/data/random.h>
#include <heed/data/scored.h>

#include <string>
#include <vector>

namespace heed::test {

struct ScoreCase {
  Index windows = 600;  // of each trial
  Index speakers = 2;
  int trials = 1;
  Index block = 100;  // windows between switches of attention
  double mu_attended = 0.5;
  double mu_unattended = -0.1;
  double sigma = 0.8;
  double autocorrelation = 0;  // lag 1, of each speaker's noise
  std::uint64_t seed = 1;
};

inline std::vector<std::string> names(Index count, const std::string& stem) {
  std::vector<std::string> result;
  for (Index k = 0; k < count; ++k) result.push_back(stem + std::to_string(k + 1));
  return result;
}

// Normal scores, not correlations: attention goes round from block to block.
inline ScoredParticipant scored_participant(const ScoreCase& options) {
  RandomStream random(options.seed);
  ScoredParticipant result{
      "p" + std::to_string(options.seed), names(options.speakers, "s"), ScoreType::log_odds, {}, {}};
  const double innovation = std::sqrt(1 - (options.autocorrelation * options.autocorrelation));
  for (int k = 0; k < options.trials; ++k) {
    ScoredTrial trial{std::to_string(k + 1), {}, {Matrix(options.windows, options.speakers), Seconds{1}}, {}};
    std::vector<double> noise(static_cast<std::size_t>(options.speakers));
    for (double& value : noise) value = random.normal();
    for (Index t = 0; t < options.windows; ++t) {
      const auto attended = static_cast<Speaker>((t / options.block + k) % options.speakers);
      trial.attention.attended.push_back(attended);
      for (Index j = 0; j < options.speakers; ++j) {
        double& value = noise[static_cast<std::size_t>(j)];
        trial.scores.values(t, j) =
            (j == attended ? options.mu_attended : options.mu_unattended) + options.sigma * value;
        value = (options.autocorrelation * value) + (innovation * random.normal());
      }
    }
    result.trials.push_back(std::move(trial));
  }
  return result;
}

// Points x features, a cloud for each centre in turn.
inline Matrix clouds(Index points, const std::vector<Eigen::VectorXd>& centres, double deviation, std::uint64_t seed) {
  RandomStream random(seed);
  Matrix result(points, centres.front().size());
  for (Index i = 0; i < points; ++i) {
    const Eigen::VectorXd& centre = centres[static_cast<std::size_t>(i) % centres.size()];
    for (Index d = 0; d < result.cols(); ++d) result(i, d) = centre(d) + deviation * random.normal();
  }
  return result;
}

}  // namespace heed::test
