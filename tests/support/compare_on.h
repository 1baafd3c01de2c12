// SPDX-License-Identifier: MIT
#pragma once

#include <heed/pipeline/compare.h>

#include <span>
#include <utility>

namespace heed::test {

// A request that is asked of several cohorts, or a cohort that nothing else holds.
[[nodiscard]] inline pipeline::Comparison compare_on(std::span<const ScoredParticipant> participants,
                                                     pipeline::CompareRequest request = {}) {
  request.participants = participants;
  return pipeline::compare(request);
}

}  // namespace heed::test
