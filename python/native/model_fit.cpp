// SPDX-License-Identifier: MIT
// Models fitted to participants, as AttentionHMM.fit asks for them.
#include <heed/emission/evidence_scale.h>
#include <heed/pipeline/model_choice.h>
#include <pybind11/stl.h>

#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/stream_texts.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/model_arguments.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

Matrix transitions(const hmm::Chain& chain) {
  Matrix matrix(chain.states(), chain.states());
  for (Index from = 0; from < chain.states(); ++from) {
    for (Index to = 0; to < chain.states(); ++to) matrix(from, to) = chain.transition({from}, {to});
  }
  return matrix;
}

pipeline::FittedModel run_fit(const Keywords& keywords, const std::vector<ScoredParticipant>& participants) {
  pipeline::FitRequest request{.participants = participants};
  request.emission = emission_choice(keywords);
  request.model = whole_model(keywords);
  request.chain = chain_choice(keywords);
  Released released;
  request.interruption = [&] { released.check(); };
  return pipeline::fit_model(request);
}

// None where the switch probability is unknown, since there is no one chain then.
py::object chain_object(const pipeline::FittedModel& fitted, bool unknown) {
  return unknown ? py::object(py::none()) : to_numpy(transitions(fitted.chain));
}

py::dict fit_model(const std::vector<ScoredParticipant>& participants, const py::dict& keywords) {
  if (participants.empty()) refuse("participants", "there is none to fit the model to");
  pipeline::FittedModel fitted = run_fit(Keywords(keywords), participants);
  const auto* sticky = fitted.chain.as_sticky();
  const auto initial = fitted.chain.initial();
  py::dict result;
  const bool unknown = is_unknown(Keywords(keywords).object("switch_probability"));
  const bool has_p = sticky != nullptr && !unknown;
  result["switch_probability"] = has_p ? py::object(py::float_(sticky->move())) : py::none();
  result["transition"] = chain_object(fitted, unknown);
  result["initial"] = to_numpy(std::vector<double>(initial.begin(), initial.end()));
  result["history"] = to_numpy(std::move(fitted.history));
  result["converged"] = fitted.converged;
  result["notes"] = texts_of(fitted.notes);
  result["warnings"] = warnings_of(fitted.notes);
  result["evidence_scale"] = fitted.evidence_scale ? py::object(py::float_(*fitted.evidence_scale)) : py::none();
  result["evidence"] = fitted.evidence_words;
  const auto& dependence = fitted.model.dependence;
  result["dependence"] = !dependence ? "none" : dependence->offset_sigma > 0 ? "offset" : "ar1";
  result["model"] = std::move(fitted.model);
  return result;
}

py::list sequence_lengths(const py::object& lengths, Index rows) { return py::cast(lengths_of(lengths, rows)); }

}  // namespace

void bind_model_fit(py::module_& module) {
  module.def("fit_model", &fit_model, py::arg("participants"), py::arg("keywords"), texts::fit_model);
  module.def("equivalent_switch_probability", &emission::equivalent_switch_probability, py::arg("scale"),
             py::arg("separation"), py::arg("switch_probability"), texts::equivalent_switch_probability);
  module.def("sequence_lengths", &sequence_lengths, py::arg("lengths"), py::arg("rows"), texts::sequence_lengths);
}

}  // namespace heed::python
