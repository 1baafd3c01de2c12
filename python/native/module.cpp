// SPDX-License-Identifier: MIT
// heed._native: the engine as Python sees it. Users import heed, which gathers this and the estimators.
#include <heed/data/version.h>

#include "native/bindings.h"
#include "native/errors.h"

PYBIND11_MODULE(_native, module) {
  module.doc() = "The engine of heed. Use it through `import heed`.";
  pybind11::options options;
  options.disable_function_signatures();  // docstrings begin with one of their own
  heed::python::translate_errors();
  heed::python::bind_emissions(module);
  heed::python::bind_trackers(module);
  heed::python::bind_scores(module);
  heed::python::bind_evaluation(module);
  heed::python::bind_comparison(module);
  heed::python::bind_simulation(module);
  heed::python::bind_pictures(module);
  heed::python::bind_attention_stream(module);
  heed::python::bind_model_fit(module);
  heed::python::bind_signals(module);
  heed::python::bind_recordings(module);
  heed::python::bind_decoders(module);
  heed::python::bind_listeners(module);
  heed::python::bind_adaptive(module);
  heed::python::bind_live_session(module);
  module.attr("__version__") = std::string(heed::data::version());
}
