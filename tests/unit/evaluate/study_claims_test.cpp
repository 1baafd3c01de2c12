// SPDX-License-Identifier: MIT
// Claims of a whole study (study_claims.cpp).
#include <evaluate/claims.h>
#include <gtest/gtest.h>

namespace heed::evaluate {
namespace {

Claim above(double bound, const std::string& tracker = "causal") {
  return {.kind = ClaimKind::above, .measure = "accuracy", .setting = {{"tracker", tracker}}, .bound = bound};
}

TEST(CountClaims, DropsNone) {
  StudyResult result;
  ResultTable table{{"tracker", "participant", "accuracy"}, {}};
  for (int k = 1; k <= 6; ++k) table.rows.push_back({"causal", std::to_string(k), 0.91 - (0.01 * k)});
  result.tables = {{"tracking", std::move(table)}};
  result.study.claims = {above(0.5), above(0.95), above(0.872), above(0.5, "viterbi")};
  const ClaimCounts counts = count_claims(result);
  EXPECT_EQ(counts.hold, 1U);
  EXPECT_EQ(counts.fail, 1U);
  EXPECT_EQ(counts.open, 2U);
  result.obstacle = "needs EEG";
  EXPECT_EQ(count_claims(result).open, 4U);
  EXPECT_EQ(judge(above(0.5), result).evidence, "not applicable here: needs EEG");
  EXPECT_FALSE(judge(above(0.5), result).has_results);
}

TEST(IsOfThePaper, WhereBothStudyAndClaimAre) {
  Claim claim = above(0.5);
  Study study{.paper = "Section V"};
  EXPECT_FALSE(is_of_the_paper(claim, study)) << "a claim of ours";
  claim.place = "Section V-B";
  EXPECT_TRUE(is_of_the_paper(claim, study));
  study.paper.clear();
  EXPECT_FALSE(is_of_the_paper(claim, study));
}

}  // namespace
}  // namespace heed::evaluate
