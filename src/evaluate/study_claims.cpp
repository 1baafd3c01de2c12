// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>

namespace heed::evaluate {

ClaimCounts count_claims(const StudyResult& result) {
  ClaimCounts counts;
  for (const Claim& claim : result.study.claims) counts.add(judge(claim, result).holds);
  return counts;
}

ClaimVerdict judge(const Claim& claim, const StudyResult& result, const SideNames& names) {
  if (result.obstacle.empty()) return judge(claim, result.judged(), names);
  return {.evidence = "not applicable here: " + result.obstacle, .has_results = false};
}

bool is_of_the_paper(const Claim& claim, const Study& study) noexcept {
  return !study.paper.empty() && !claim.place.empty();
}

}  // namespace heed::evaluate
