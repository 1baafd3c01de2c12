// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/sample.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace heed::hmm {
namespace {

// An index with probability in proportion to its weight, never one of weight 0.
Index draw_index(std::span<const double> weights, RandomStream& random) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double left = random.uniform() * total;
  Index drawn = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (!(weights[j] > 0)) continue;
    drawn = static_cast<Index>(j);
    if (left < weights[j]) break;
    left -= weights[j];
  }
  return drawn;
}

}  // namespace

Path sample_prior(const Chain& chain, Index windows, RandomStream& random) {
  if (windows < 0) {
    throw Error(ErrorKind::invalid_argument,
                "a path of " + std::to_string(windows) + " windows is not possible; give at least 0");
  }
  Path path;
  std::vector<double> weights(chain.initial().begin(), chain.initial().end());
  for (Index t = 0; t < windows; ++t) {
    const Index state = draw_index(weights, random);
    path.log_probability += std::log(weights[static_cast<std::size_t>(state)]);
    path.states.push_back(static_cast<Speaker>(state));
    for (Index j = 0; j < chain.states(); ++j) {
      weights[static_cast<std::size_t>(j)] = chain.transition(From{state}, To{j});
    }
  }
  return path;
}

PosteriorSampler::PosteriorSampler(const Chain& chain, const LogLikelihoods& log_likelihoods)
    : chain_(chain), filtered_(filter(chain, log_likelihoods)), log_likelihood_(log_likelihoods.values) {}

// P(S_t | S_t+1, windows 0..t) is the filtered belief times the transition, from the last window back.
Path PosteriorSampler::draw(RandomStream& random) const {
  const Index windows = filtered_.values.rows();
  Path path{.states = std::vector<Speaker>(static_cast<std::size_t>(windows)),
            .window = filtered_.window,
            .hop = filtered_.hop,
            .held = filtered_.held};
  std::vector<double> weights(static_cast<std::size_t>(chain_.states()));
  Index next = 0;
  for (Index t = windows - 1; t >= 0; --t) {
    const auto belief = data::view(filtered_.values).row(t);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = belief[i] * (t + 1 < windows ? chain_.transition(From{static_cast<Index>(i)}, To{next}) : 1.0);
    }
    const Index state = draw_index(weights, random);
    if (t + 1 < windows) path.log_probability += std::log(chain_.transition(From{state}, To{next}));
    path.log_probability += evidence(t, state);
    path.states[static_cast<std::size_t>(t)] = static_cast<Speaker>(state);
    next = state;
  }
  if (windows > 0) path.log_probability += std::log(chain_.initial()[static_cast<std::size_t>(next)]);
  return path;
}

// A drawn state is possible, so -inf means that the window was missing, as NaN or +inf anywhere do.
double PosteriorSampler::evidence(Index t, Index state) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double log_likelihood = log_likelihood_(t, state);
  const bool observed = (log_likelihood_.row(t).array() < infinity).all() && log_likelihood > -infinity;
  return observed ? log_likelihood : 0;
}

}  // namespace heed::hmm
