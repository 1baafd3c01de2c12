// SPDX-License-Identifier: MIT
// Data with known attention.
#include <heed/sim/score_cohort.h>
#include <pybind11/stl.h>

#include "native/bindings.h"
#include "native/docs/simulation_texts.h"
#include "native/interval_argument.h"
#include "native/scores.h"

namespace heed::python {
namespace {

py::list simulate_scores(const sim::ScoreCohortOptions& options) {
  std::vector<ScoredParticipant> cohort;
  {
    const py::gil_scoped_release released;
    cohort = sim::simulate_scores(options);
  }
  return to_list(std::move(cohort));
}

void bind_scores_of_cohorts(py::module_& module) {
  const sim::ScoreCohortOptions usual;
  module.def(
      "simulate_scores",
      [](int participants, int speakers, int trials, double minutes, double window, double accuracy,
         double accuracy_spread, double autocorrelation, const py::object& switch_every, double artefacts,
         double artefact_length, std::uint64_t seed) {
        return simulate_scores({.speakers = speakers,
                                .participants = participants,
                                .trials = trials,
                                .trial = Seconds{minutes * 60},
                                .window = Seconds{window},
                                .accuracy = accuracy,
                                .accuracy_spread = accuracy_spread,
                                .autocorrelation = autocorrelation,
                                .interval = interval_of(switch_every),
                                .artefact_rate = artefacts,
                                .artefact_length = Seconds{artefact_length},
                                .seed = seed});
      },
      py::kw_only(), py::arg("participants") = usual.participants, py::arg("speakers") = usual.speakers,
      py::arg("trials") = usual.trials, py::arg("minutes") = usual.trial.value / 60,
      py::arg("window") = usual.window.value, py::arg("accuracy") = usual.accuracy,
      py::arg("accuracy_spread") = usual.accuracy_spread, py::arg("autocorrelation") = usual.autocorrelation,
      py::arg("switch_every") = usual.interval.shortest.value, py::arg("artefacts") = usual.artefact_rate,
      py::arg("artefact_length") = usual.artefact_length.value, py::arg("seed") = usual.seed, texts::simulate_scores);
}

}  // namespace

void bind_simulation(py::module_& module) { bind_scores_of_cohorts(module); }

}  // namespace heed::python
