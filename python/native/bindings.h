// SPDX-License-Identifier: MIT
// The parts of the module, each in the file of its name: doors that parse, call and hand over, without arithmetic.
#pragma once

#include <pybind11/pybind11.h>

#include "native/made_values.h"

namespace heed::python {

namespace py = pybind11;

void bind_adaptive(py::module_& module);          // a decoder that learns while it listens
void bind_attention_stream(py::module_& module);  // window by window; decisions
void bind_comparison(py::module_& module);        // compare, mesd
void bind_decoders(py::module_& module);          // trained decoders
void bind_emissions(py::module_& module);         // emissions and models
void bind_evaluation(py::module_& module);        // evaluate
void bind_live_session(py::module_& module);      // attention as it happens
void bind_listeners(py::module_& module);         // BIDS folders, listeners, trials
void bind_model_fit(py::module_& module);         // models from participants
void bind_pictures(py::module_& module);          // what heed.plot draws from
void bind_recordings(py::module_& module);        // files of EEG
void bind_scores(py::module_& module);            // participants and their files
void bind_signals(py::module_& module);           // envelopes, preprocessing
void bind_simulation(py::module_& module);        // data with known attention
void bind_trackers(py::module_& module);          // filter, smooth, viterbi, fixed_lag

}  // namespace heed::python
