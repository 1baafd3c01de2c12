// SPDX-License-Identifier: MIT
// What must hold of scores that depend on each other, whatever they are.
#include <heed/data/random.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/filter.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/hmm_cases.h"

namespace heed::emission {
namespace {

struct Case {
  hmm::Chain chain;
  DependentGaussian model;
  Scores scores;
};

Case any_case() {
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
  const auto speakers = static_cast<Index>(*rc::gen::inRange(2, 9));
  const auto windows = static_cast<Index>(*rc::gen::inRange(1, 120));
  const bool sticky = *rc::gen::arbitrary<bool>();
  const GaussianEmission emission{.fisher = false,
                                  .mu_attended = 0.5 * random.normal(),
                                  .mu_unattended = 0.5 * random.normal(),
                                  .sigma_attended = 1,
                                  .sigma_unattended = 1};
  const Dependence dependence{.autocorrelation = 0.97 * random.uniform(),
                              .offset_sigma = speakers == 2 && *rc::gen::arbitrary<bool>() ? random.uniform() : 0};
  Scores scores{.values = Matrix(windows, speakers)};
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) scores.values(t, j) = random.normal();
    if (random.uniform() < 0.15) scores.values(t, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  const auto chain = sticky ? hmm::Chain::sticky(speakers, random.uniform() / static_cast<double>(speakers))
                            : test::to_chain(test::random_chain(speakers, {.zero = 0.1}, random));
  return {chain, DependentGaussian::make(emission, dependence, speakers), scores};
}

RC_GTEST_PROP(DependenceLaws, RowsAreDistributionsAndTheEndsAgree, ()) {
  const Case one = any_case();
  const Posteriors filtered = filter(one.chain, one.model, one.scores);
  const Posteriors smoothed = smooth(one.chain, one.model, one.scores);
  const Index last = one.scores.values.rows() - 1;
  for (Index t = 0; t <= last; ++t) {
    RC_ASSERT(std::abs(filtered.values.row(t).sum() - 1) < 1e-12);
    RC_ASSERT(std::abs(smoothed.values.row(t).sum() - 1) < 1e-12);
    RC_ASSERT(smoothed.values.row(t).minCoeff() >= 0);
  }
  RC_ASSERT((filtered.values.row(last) - smoothed.values.row(last)).cwiseAbs().maxCoeff() < 1e-12);
  RC_ASSERT(std::abs(filtered.log_evidence - smoothed.log_evidence) < 1e-9 * (1 + std::abs(filtered.log_evidence)));
}

// A path's probability is part of the evidence, and no path beats the best: the posterior's own decisions, for one.
RC_GTEST_PROP(DependenceLaws, TheBestPathIsPartOfTheEvidence, ()) {
  const Case one = any_case();
  const Path best = viterbi(one.chain, one.model, one.scores);
  RC_ASSERT(best.log_probability <= filter(one.chain, one.model, one.scores).log_evidence + 1e-9);
}

RC_GTEST_PROP(DependenceLaws, WithoutDependenceItIsTheFilter, ()) {
  const Case one = any_case();
  const auto plain = DependentGaussian::make(one.model.emission(), {}, one.model.speakers());
  const Posteriors mine = filter(one.chain, plain, one.scores);
  const Posteriors theirs = hmm::filter(one.chain, log_likelihoods(one.model.emission(), one.scores));
  RC_ASSERT(test::largest_difference(mine.values, theirs.values) < 1e-11);
}

// Who is called first is a matter of taste.
RC_GTEST_PROP(DependenceLaws, SpeakersMayChangePlaces, ()) {
  const Case one = any_case();
  if (one.chain.as_sticky() == nullptr) return;  // a general matrix tells speakers apart
  Scores turned = one.scores;
  turned.values.rowwise().reverseInPlace();
  const Matrix reversed = smooth(one.chain, one.model, turned).values.rowwise().reverse();
  RC_ASSERT(test::largest_difference(smooth(one.chain, one.model, one.scores).values, reversed) < 1e-10);
}

// Windows one at a time have the bits of all at once.
RC_GTEST_PROP(DependenceLaws, AStreamIsTheFilter, ()) {
  const Case one = any_case();
  const Posteriors filtered = filter(one.chain, one.model, one.scores);
  DependentStream stream(one.chain, one.model, 3);
  for (Index t = 0; t < one.scores.values.rows(); ++t) {
    stream.step(data::view(one.scores.values).row(t));
    RC_ASSERT(std::ranges::equal(stream.belief(), data::view(filtered.values).row(t)));
  }
}

}  // namespace
}  // namespace heed::emission
