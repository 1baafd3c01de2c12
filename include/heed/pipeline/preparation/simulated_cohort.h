// SPDX-License-Identifier: MIT
// Simulated listeners made ready for decoders without a file in between: the generator of `heed simulate recording`,
// the preparation of everything else. What is played is made once for all listeners.
#pragma once

#include <heed/pipeline/preparation/preparation.h>
#include <heed/sim/recording_run.h>

#include <memory>
#include <string>

namespace heed::pipeline {

// May be used by several threads at once. A participant is the same whatever else is asked for.
class SimulatedCohort {
 public:
  // Throws invalid_argument for options that make no sense.
  SimulatedCohort(sim::RecordingCohortOptions options, Preprocessing how);
  ~SimulatedCohort();
  SimulatedCohort(SimulatedCohort&&) noexcept;
  SimulatedCohort& operator=(SimulatedCohort&&) noexcept;

  [[nodiscard]] std::size_t participants() const noexcept;
  // Counted from 0; "01" is the first. One run at a time is in memory beside the result.
  [[nodiscard]] PreparedParticipant prepare(std::size_t participant) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::pipeline
