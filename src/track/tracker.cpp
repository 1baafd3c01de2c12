// SPDX-License-Identifier: MIT
#include <heed/core/decision.h>
#include <heed/track/tracker.h>

namespace heed::track {

Path decide(const Posteriors& posteriors) {
  Path path{.states = {}, .window = posteriors.window, .log_probability = 0, .held = posteriors.held};
  path.states.reserve(static_cast<std::size_t>(posteriors.values.rows()));
  core::DecisionRule<double> rule;
  for (Index t = 0; t < posteriors.values.rows(); ++t) {
    path.states.push_back(static_cast<Speaker>(rule.decide(data::view(posteriors.values).row(t))));
  }
  return path;
}

}  // namespace heed::track
