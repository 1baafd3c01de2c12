// SPDX-License-Identifier: MIT
// Paths drawn at random: from the chain alone (to simulate attention) or from what it is given the
// data (forward filtering, backward sampling), e.g. to see how sure a switch time is.
#pragma once

#include <heed/data/random.h>
#include <heed/data/series.h>
#include <heed/hmm/chain.h>

namespace heed::hmm {

// log_probability is that of the path under the chain. Throws invalid_argument if windows < 0.
Path sample_prior(const Chain& chain, Index windows, RandomStream& random);

// Filters once, then draws as many paths as asked, O(T N) each. Copies what it needs.
class PosteriorSampler {
 public:
  PosteriorSampler(const Chain& chain, const LogLikelihoods& log_likelihoods);

  // log_probability is that of the path and the data together, as Viterbi's.
  [[nodiscard]] Path draw(RandomStream& random) const;

 private:
  [[nodiscard]] double evidence(Index t, Index state) const;

  Chain chain_;
  Posteriors filtered_;
  Matrix log_likelihood_;
};

}  // namespace heed::hmm
