// SPDX-License-Identifier: MIT
// Simulated listeners made ready for decoders without a file in between: the generator of `heed simulate recording`,
// the preparation of everything else. What is played is made once for all listeners.
#pragma once

#include <pipeline/preparation/preparation.h>
#include <pipeline/preparation/speaker_track.h>
#include <sim/recording_run.h>

#include <memory>
#include <span>
#include <vector>

namespace heed::pipeline {

// The stories of a programme as if they were files; each is spoken once.
[[nodiscard]] std::shared_ptr<const SoundSource> story_sounds(const sim::Programme& programme, Hertz rate);

// May be used by several threads at once. A participant is the same whatever else is asked for.
class SimulatedCohort {
 public:
  // Throws invalid_argument for options that make no sense.
  explicit SimulatedCohort(sim::RecordingCohortOptions options);
  ~SimulatedCohort();
  SimulatedCohort(SimulatedCohort&&) noexcept;
  SimulatedCohort& operator=(SimulatedCohort&&) noexcept;

  [[nodiscard]] std::size_t participants() const noexcept;
  // Counted from 0; "01" is the first. Simulated once for all ways, [w] is prepared by ways[w]. One run at a time is in
  // memory beside the result. Throws invalid_argument for preprocessing that cannot be done.
  [[nodiscard]] std::vector<PreparedParticipant> prepare(std::size_t participant,
                                                         std::span<const Preprocessing> ways) const;
  [[nodiscard]] PreparedParticipant prepare(std::size_t participant, const Preprocessing& way = {}) const;

  // What each trial was made from, as Preparation::sources_of says of files.
  [[nodiscard]] std::vector<TrialSource> sources_of(std::size_t participant) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::pipeline
