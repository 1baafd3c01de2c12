// SPDX-License-Identifier: MIT
// Models fitted to participants, as AttentionHMM.fit asks for them.
#include <heed/emission/log_likelihoods.h>
#include <heed/pipeline/model_fit.h>
#include <pybind11/stl.h>

#include <optional>
#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/chain_arguments.h"
#include "native/docs/stream_texts.h"
#include "native/emission_arguments.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/interrupt.h"

namespace heed::python {
namespace {

using pipeline::EmissionChoice;
using pipeline::FittedModel;
using pipeline::Notes;

hmm::Chain chain_for(const Keywords& keywords, const ScoredParticipant& participant) {
  ChainArguments arguments;
  arguments.switch_probability = keywords.number("switch_probability");
  arguments.transition = keywords.object("transition");
  arguments.initial = keywords.object("initial");
  arguments.window = participant.trials.front().scores.window.value;
  return chain_of(arguments, static_cast<Index>(participant.speakers.size()));
}

// The emission as it was given, or known without a fit.
std::optional<Model> known_model(const Keywords& keywords, const EmissionChoice& choice,
                                 const ScoredParticipant& first) {
  const py::object emission = keywords.object("emission");
  if (py::isinstance<Model>(emission)) return emission.cast<const Model&>();
  const auto known = pipeline::label_free(choice, first.type);
  if (!known) return std::nullopt;
  return Model{.emission = *known, .window = first.trials.front().scores.window, .origin = "given by hand"};
}

FittedModel run_fit(EmissionChoice choice, const std::vector<ScoredParticipant>& participants, const hmm::Chain& chain,
                    Notes& notes) {
  Released released;
  choice.each_iteration = [&] { released.check(); };
  return pipeline::fit_model(choice, participants, chain, notes);
}

// What is known stays as it is, unless it is to be calibrated.
FittedModel fitted_model(const Keywords& keywords, const std::vector<ScoredParticipant>& participants, Notes& notes) {
  const hmm::Chain chain = chain_for(keywords, participants.front());
  const EmissionChoice choice = emission_choice(keywords);
  const auto known = known_model(keywords, choice, participants.front());
  if (known) emission::check(known->emission, chain.states());
  if (known && !choice.calibrate) return {.model = *known, .chain = chain};
  FittedModel fitted = run_fit(choice, participants, chain, notes);
  if (known) fitted.model.origin = known->origin + "; temperature " + fitted.model.origin;
  return fitted;
}

Matrix transitions(const hmm::Chain& chain) {
  Matrix matrix(chain.states(), chain.states());
  for (Index from = 0; from < chain.states(); ++from) {
    for (Index to = 0; to < chain.states(); ++to) matrix(from, to) = chain.transition({from}, {to});
  }
  return matrix;
}

py::dict fit_model(const std::vector<ScoredParticipant>& participants, const py::dict& keywords) {
  if (participants.empty()) refuse("participants", "there is none to fit the model to");
  Notes notes;
  FittedModel fitted = fitted_model(Keywords(keywords), participants, notes);
  const auto* sticky = fitted.chain.as_sticky();
  const auto initial = fitted.chain.initial();
  py::dict result;
  result["switch_probability"] = sticky == nullptr ? py::object(py::none()) : py::float_(sticky->move());
  result["transition"] = to_numpy(transitions(fitted.chain));
  result["initial"] = to_numpy(std::vector<double>(initial.begin(), initial.end()));
  result["history"] = to_numpy(std::move(fitted.history));
  result["converged"] = fitted.converged;
  result["notes"] = notes;
  result["model"] = std::move(fitted.model);
  return result;
}

py::list sequence_lengths(const py::object& lengths, Index rows) { return py::cast(lengths_of(lengths, rows)); }

}  // namespace

void bind_model_fit(py::module_& module) {
  module.def("fit_model", &fit_model, py::arg("participants"), py::arg("keywords"), texts::fit_model);
  module.def("sequence_lengths", &sequence_lengths, py::arg("lengths"), py::arg("rows"), texts::sequence_lengths);
}

}  // namespace heed::python
