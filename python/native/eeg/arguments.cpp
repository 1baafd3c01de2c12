// SPDX-License-Identifier: MIT
#include "native/eeg/arguments.h"

#include <heed/io/model_file.h>
#include <pipeline/scoring/scoring.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <span>

#include "native/arrays.h"
#include "native/errors.h"

namespace heed::python {
namespace {

// Whether a key is there and says something.
bool says(const py::dict& options, const char* key) { return options.contains(key) && !options[key].is_none(); }

template <typename Value>
std::optional<Value> taken(const py::dict& options, const char* key) {
  if (!says(options, key)) return std::nullopt;
  try {
    return options[key].cast<Value>();
  } catch (const py::cast_error&) {
    const auto type = py::str(py::type::handle_of(options[key]).attr("__name__")).cast<std::string>();
    throw py::type_error(std::string(key) + ": a value of type " + type + " is not accepted here");
  }
}

void refuse_unknown(const py::dict& options) {
  constexpr std::array known{"band",      "rate",        "filters", "reference", "bad_channels",    "clip",
                             "target",    "channels",    "recipe",  "decoder",   "regularisation",  "ridge",
                             "first_lag", "longest_lag", "pairs",   "score",     "score_shrinkage", "score_memory"};
  for (const auto& [key, value] : options) {
    const auto name = py::str(key).cast<std::string>();
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string listed;
    for (const char* word : known) listed.append(listed.empty() ? "" : ", ").append(word);
    refuse("options", std::string("there is no '").append(name).append("'; there are ").append(listed));
  }
}

// A choice by the word the engine itself writes for it.
template <typename Choice, std::size_t Count>
std::optional<Choice> named(const py::dict& options, const char* key, const std::array<Choice, Count>& choices) {
  const auto wanted = taken<std::string>(options, key);
  if (!wanted) return std::nullopt;
  std::string known;
  for (const Choice choice : choices) {
    std::string_view word;
    if constexpr (requires { pipeline::name(choice); }) {
      word = pipeline::name(choice);
    } else {
      word = io::name_of(choice);
    }
    if (word == *wanted) return choice;
    known.append(known.empty() ? "" : choice == choices.back() ? " or " : ", ").append(word);
  }
  refuse(key, "'" + *wanted + "' is not " + known);
}

Reference reference_of(const py::object& value) {
  const std::vector<std::string> names = names_of(value, "reference");
  if (names == std::vector<std::string>{"average"}) return {};
  if (names == std::vector<std::string>{"none"}) return {ReferenceKind::none, {}};
  return {ReferenceKind::channels, names};
}

py::object reference_object(const Reference& reference) {
  switch (reference.kind) {
    case ReferenceKind::average:
      return py::str("average");
    case ReferenceKind::none:
      return py::str("none");
    case ReferenceKind::channels:
      break;
  }
  return py::cast(reference.channels);
}

py::object target_object(const std::vector<SpeechTarget>& targets) {
  const std::vector<std::string> names = io::names_of(targets);
  if (names.size() == 1) return py::str(names.front());
  return names == std::vector<std::string>{"envelope", "onset"} ? py::object(py::str("both")) : py::cast(names);
}

std::optional<pipeline::PowerMemory> memory_of(const py::dict& options) {
  if (!says(options, "score_memory")) return std::nullopt;
  if (!py::isinstance<py::str>(options["score_memory"])) {
    return pipeline::PowerMemory{Seconds{*taken<double>(options, "score_memory")}};
  }
  const auto word = options["score_memory"].cast<std::string>();
  if (word != "trial") refuse("score_memory", "'" + word + "' is neither seconds nor 'trial'; 60 is usual");
  return pipeline::PowerMemory{};
}

std::optional<pipeline::Band> band_of(const py::dict& options) {
  if (!says(options, "band")) return std::nullopt;
  const auto band = numbers_of(options["band"], "band");
  if (band.size() != 2) refuse("band", "must be two frequencies in Hz, e.g. (1, 9)");
  return pipeline::Band{Hertz{band[0]}, Hertz{band[1]}};
}

std::optional<pipeline::LagSpan> lags_of(const py::dict& options) {
  const auto first = taken<double>(options, "first_lag");
  const auto last = taken<double>(options, "longest_lag");
  if (!first && !last) return std::nullopt;
  const pipeline::DecoderChoice usual;
  return pipeline::LagSpan{{first.value_or(usual.first_lag.value)}, {last.value_or(usual.longest_lag.value)}};
}

}  // namespace

std::vector<SpeechTarget> targets_of(const py::object& value) {
  std::vector<std::string> names = names_of(value, "target");
  if (names == std::vector<std::string>{"both"}) names = {"envelope", "onset"};
  std::vector<SpeechTarget> targets;
  for (const std::string& name : names) {
    const auto target = name == io::name_of(SpeechTarget::onset) ? SpeechTarget::onset : SpeechTarget::envelope;
    if (io::name_of(target) != name) refuse("target", "'" + name + "' is not envelope, onset or both");
    if (std::ranges::find(targets, target) != targets.end()) refuse("target", "names " + name + " twice");
    targets.push_back(target);
  }
  if (targets.empty()) refuse("target", "there is none; envelope is usual");
  return targets;
}

pipeline::DecoderRequest request_of(const py::dict& options) {
  refuse_unknown(options);
  pipeline::DecoderRequest request;
  request.recipe = named(options, "recipe", std::array{pipeline::Recipe::paper, pipeline::Recipe::heed});
  request.kind = named(options, "decoder", pipeline::all_decoders);
  request.band = band_of(options);
  if (const auto rate = taken<double>(options, "rate")) request.sampling_frequency = Hertz{*rate};
  request.filters = named(options, "filters", std::array{FilterMode::zero_phase, FilterMode::causal});
  if (says(options, "reference")) request.reference = reference_of(options["reference"]);
  request.bad_channels = named(options, "bad_channels", std::array{BadChannels::exclude, BadChannels::interpolate});
  request.clip = taken<double>(options, "clip");
  if (says(options, "target")) request.targets = targets_of(options["target"]);
  if (says(options, "channels")) request.channels = names_of(options["channels"], "channels");
  request.regularisation = named(options, "regularisation", pipeline::all_regularisations);
  request.ridge = taken<double>(options, "ridge");
  request.lags = lags_of(options);
  request.pairs = taken<Index>(options, "pairs");
  request.measure = named(options, "score", std::array{WindowMeasure::pearson, WindowMeasure::cosine});
  request.shrinkage = taken<double>(options, "score_shrinkage");
  request.memory = memory_of(options);
  return request;
}

Preprocessing preprocessing_of(const py::dict& options) { return pipeline::resolve(request_of(options)).preprocessing; }

py::dict preprocessing_dict(const Preprocessing& preprocessing) {
  py::dict options;
  options["band"] = py::make_tuple(preprocessing.low.value, preprocessing.high.value);
  options["rate"] = preprocessing.sampling_frequency.value;
  options["filters"] = std::string(io::name_of(preprocessing.filters));
  options["reference"] = reference_object(preprocessing.reference);
  options["bad_channels"] = std::string(io::name_of(preprocessing.bad_channels));
  options["clip"] = preprocessing.clip;
  options["target"] = target_object(preprocessing.targets);
  return options;
}

namespace {

std::vector<Seconds> windows_of(const py::object& windows) {
  if (py::isinstance<py::float_>(windows) || py::isinstance<py::int_>(windows)) return {{windows.cast<double>()}};
  std::vector<Seconds> result;
  for (const double window : numbers_of(windows, "windows")) result.push_back({window});
  if (result.empty()) refuse("windows", "there is none; 1.0 is usual");
  return result;
}

std::optional<Seconds> seconds_of(std::optional<double> value) {
  return value ? std::optional(Seconds{*value}) : std::nullopt;
}

}  // namespace

std::vector<decode::WindowLayout> layouts_of(const py::object& windows, std::optional<double> hop,
                                             std::optional<double> step) {
  return pipeline::layouts_of(windows_of(windows), seconds_of(hop), seconds_of(step));
}

std::vector<std::string> names_of(const py::object& value, const char* argument) {
  if (value.is_none()) return {};
  if (py::isinstance<py::str>(value)) return {value.cast<std::string>()};
  std::vector<std::string> names;
  const auto wrong = [&] { return py::type_error(std::string(argument) + ": must be a name or a list of names"); };
  try {
    for (const py::handle name : value) {
      // Runs may be counted; anything else is a table taken for names, which may be endless.
      if (!py::isinstance<py::str>(name) && !py::isinstance<py::int_>(name)) throw wrong();
      names.push_back(py::str(name).cast<std::string>());
    }
  } catch (py::error_already_set&) {
    throw wrong();
  }
  return names;
}

std::vector<std::string> counted_names(Index count) {
  std::vector<std::string> names;
  for (Index k = 1; k <= count; ++k) names.push_back(std::to_string(k));
  return names;
}

Samples samples_of(const py::object& value, const char* argument) {
  const py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    refuse(argument, "cannot be converted to an array: give rows of equal length with numbers only");
  }
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u') {
    refuse(argument, "must be numbers, not an array of type " + py::str(array.dtype()).cast<std::string>());
  }
  if (array.ndim() != 2 || array.shape(1) == 0) {
    refuse(argument, "must be samples x channels (time down the rows), not of shape " +
                         py::str(array.attr("shape")).cast<std::string>());
  }
  return Samples(array);
}

}  // namespace heed::python
