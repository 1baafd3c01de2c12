// SPDX-License-Identifier: MIT
// The in-place tier never touches the heap; making a workspace does, which shows that the counter sees.
#include <heed/hmm/batch.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/fixed_lag.h>

#include "support/allocation_counter.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

using heed::Index;
using heed::Matrix;
using heed::RandomStream;
using heed::hmm::Chain;
using heed::test::AllocationCount;

class HmmAllocation : public testing::TestWithParam<bool> {
 protected:
  HmmAllocation()
      : chain_(GetParam() ? Chain::sticky(3, 0.02)
                          : heed::test::to_chain(heed::test::random_chain(3, {.zero = 0.2}, random_))),
        values_(heed::test::random_log_likelihoods(200, 3, {.missing = 0.1, .impossible = 0.1}, random_)),
        out_(200, 3) {}

  [[nodiscard]] heed::MatrixView in() const { return heed::data::view(values_); }
  heed::MutableMatrixView out() { return heed::data::view(out_); }

  RandomStream random_{91};
  Chain chain_;
  Matrix values_;
  Matrix out_;
};

TEST_P(HmmAllocation, InPlaceTierMakesNone) {
  const AllocationCount making;
  heed::hmm::FilterWorkspace filter(3);
  heed::hmm::SmoothWorkspace smooth(200, 3);
  heed::hmm::ViterbiWorkspace viterbi(200, 3);
  heed::hmm::ExpectationWorkspace expectation(200, 3);
  EXPECT_GE(making.so_far(), 9U);  // the positive control
  std::vector<heed::Speaker> path(200);

  const AllocationCount running;
  const double evidence = heed::hmm::filter_into(chain_, in(), filter, out());
  const double smoothed = heed::hmm::smooth_into(chain_, in(), smooth, out());
  const double lagged = heed::hmm::fixed_lag_into(chain_, {in(), 5}, smooth, out());
  const double expected = heed::hmm::expectation_into(chain_, in(), expectation, out());
  const double best = heed::hmm::viterbi_into(chain_, in(), viterbi, path);
  smooth.prepare(100, 2);  // smaller: nothing to grow
  EXPECT_EQ(running.so_far(), 0U);
  EXPECT_NEAR(smoothed, evidence, 1e-12 * std::abs(evidence));
  EXPECT_NEAR(lagged, evidence, 1e-12 * std::abs(evidence));
  EXPECT_NEAR(expected, evidence, 1e-12 * std::abs(evidence));
  EXPECT_LT(best, evidence);
}

TEST_P(HmmAllocation, BatchesMakeNone) {
  constexpr std::array<Index, 4> lengths{50, 100, 0, 50};
  std::array<heed::hmm::SequenceSummary, 4> summaries{};
  std::vector<heed::Speaker> path(200);
  heed::hmm::FilterWorkspace filter(3);
  heed::hmm::SmoothWorkspace smooth(100, 3);
  heed::hmm::ViterbiWorkspace viterbi(100, 3);
  const AllocationCount running;
  const bool filtered = heed::hmm::filter_batch_into(chain_, {in(), lengths}, filter, {out(), summaries});
  const bool smoothed = heed::hmm::smooth_batch_into(chain_, {in(), lengths}, smooth, {out(), summaries});
  const bool searched = heed::hmm::viterbi_batch_into(chain_, {in(), lengths}, viterbi, {path, summaries});
  EXPECT_EQ(running.so_far(), 0U);
  EXPECT_TRUE(filtered && smoothed && searched);
}

INSTANTIATE_TEST_SUITE_P(Chains, HmmAllocation, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Sticky" : "General"; });

}  // namespace
