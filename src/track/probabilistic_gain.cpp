// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/track/gain_control.h>
#include <heed/track/hmm_trackers.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "track/simplex_walk.h"

namespace heed::track {

Tracked ProbabilisticGainTracker::track(const Evidence& evidence) const {
  if (!(step > 0) || !std::isfinite(step)) {
    throw Error(ErrorKind::invalid_argument, "a gain step of " + std::to_string(step) + "; give a positive number");
  }
  // A missing window has equal probabilities, and those move nobody.
  Posteriors gains = RawTracker::track(evidence).posteriors;
  gains.log_evidence = no_evidence;
  const Index speakers = gains.values.cols();
  std::vector<double> gain(static_cast<std::size_t>(speakers), 1 / static_cast<double>(speakers));
  for (Index t = 0; t < gains.values.rows(); ++t) {
    const auto row = data::view(gains.values).row(t);
    walk(gain, row, step);
    std::ranges::copy(gain, row.begin());
  }
  Path decisions = decide_gains(gains);
  return {std::move(gains), std::move(decisions)};
}

}  // namespace heed::track
