// SPDX-License-Identifier: MIT
#include "native/decoding/arguments.h"

#include <heed/io/decoder_file.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <span>

#include "native/arrays.h"
#include "native/errors.h"

namespace heed::python {
namespace {

// The value of a key, or what is there without it.
template <typename Value>
Value taken(const py::dict& options, const char* key, Value otherwise) {
  if (!options.contains(key)) return otherwise;
  try {
    return options[key].cast<Value>();
  } catch (const py::cast_error&) {
    const auto type = py::str(py::type::handle_of(options[key]).attr("__name__")).cast<std::string>();
    throw py::type_error(std::string(key) + ": a value of type " + type + " is not accepted here");
  }
}

void refuse_unknown(const py::dict& options, std::span<const char* const> known, const char* argument) {
  for (const auto& [key, value] : options) {
    const auto name = py::str(key).cast<std::string>();
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string listed;
    for (const char* word : known) listed.append(listed.empty() ? "" : ", ").append(word);
    refuse(argument, std::string("there is no '").append(name).append("'; there are ").append(listed));
  }
}

// A choice by the word the engine itself writes for it.
template <typename Choice, std::size_t Count>
Choice named(const py::dict& options, const char* key, const std::array<Choice, Count>& choices, Choice otherwise) {
  if (!options.contains(key)) return otherwise;
  const auto wanted = taken<std::string>(options, key, {});
  std::string known;
  for (const Choice choice : choices) {
    if (io::name_of(choice) == wanted) return choice;
    known.append(known.empty() ? "" : " or ").append(io::name_of(choice));
  }
  refuse(key, "'" + wanted + "' is not " + known);
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

decode::RegularisationKind regularisation_named(const std::string& wanted) {
  if (wanted == "ridge") return decode::RegularisationKind::ridge;
  if (wanted == "ridge-cv") return decode::RegularisationKind::cross_validated;
  if (wanted == "ledoit-wolf") return decode::RegularisationKind::ledoit_wolf;
  refuse("regularisation", "'" + wanted + "' is not ridge, ridge-cv or ledoit-wolf");
}

pipeline::DecoderKind decoder_named(const std::string& wanted) {
  for (const auto kind :
       {pipeline::DecoderKind::least_squares, pipeline::DecoderKind::cca, pipeline::DecoderKind::csp}) {
    if (pipeline::name(kind) == wanted) return kind;
  }
  refuse("decoder", "'" + wanted + "' is not ls, cca or csp");
}

py::object target_object(const std::vector<SpeechTarget>& targets) {
  const std::vector<std::string> names = io::names_of(targets);
  if (names.size() == 1) return py::str(names.front());
  return names == std::vector<std::string>{"envelope", "onset"} ? py::object(py::str("both")) : py::cast(names);
}

// What a window's score is; `rule` where nothing is said.
ScoreRule rule_of(const py::dict& options, ScoreRule rule, FilterMode filters) {
  const bool cosine = rule.measure == WindowMeasure::cosine;
  const auto score = taken<std::string>(options, "score", cosine ? "cosine" : "pearson");
  if (score != "pearson" && score != "cosine") refuse("score", "'" + score + "' is not pearson or cosine");
  if (score == "pearson") {
    for (const char* key : {"score_shrinkage", "score_memory"}) {
      if (options.contains(key)) refuse(key, "is of score=\"cosine\"; pearson has none");
    }
    return {};
  }
  rule.measure = WindowMeasure::cosine;
  rule.shrinkage = taken(options, "score_shrinkage", rule.shrinkage);
  if (!options.contains("score_memory")) {
    if (filters == FilterMode::causal) rule.memory = pipeline::live_memory;
  } else if (!py::isinstance<py::str>(options["score_memory"])) {
    rule.memory = Seconds{taken(options, "score_memory", 0.0)};
  } else if (const auto word = options["score_memory"].cast<std::string>(); word != "trial") {
    refuse("score_memory", "'" + word + "' is neither seconds nor 'trial'; 60 is usual");
  }
  return rule;
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

pipeline::Recipe recipe_named(const std::string& wanted) {
  for (const auto recipe : {pipeline::Recipe::paper, pipeline::Recipe::heed}) {
    if (pipeline::name(recipe) == wanted) return recipe;
  }
  refuse("recipe", "'" + wanted + "' is not paper or heed");
}

Preprocessing preprocessing_of(const py::dict& options, Preprocessing how) {
  constexpr std::array known{"band", "rate", "filters", "reference", "bad_channels", "clip", "target"};
  refuse_unknown(options, known, "preprocessing");
  if (options.contains("band")) {
    const auto band = numbers_of(options["band"], "band");
    if (band.size() != 2) refuse("band", "must be two frequencies in Hz, e.g. (1, 9)");
    how.low = Hertz{band[0]};
    how.high = Hertz{band[1]};
  }
  how.sampling_frequency = Hertz{taken(options, "rate", how.sampling_frequency.value)};
  how.filters = named(options, "filters", std::array{FilterMode::zero_phase, FilterMode::causal}, how.filters);
  if (options.contains("reference")) how.reference = reference_of(options["reference"]);
  how.bad_channels =
      named(options, "bad_channels", std::array{BadChannels::exclude, BadChannels::interpolate}, how.bad_channels);
  how.clip = taken(options, "clip", how.clip);
  if (options.contains("target")) how.targets = targets_of(options["target"]);
  return how;
}

py::dict preprocessing_dict(const Preprocessing& how) {
  py::dict options;
  options["band"] = py::make_tuple(how.low.value, how.high.value);
  options["rate"] = how.sampling_frequency.value;
  options["filters"] = std::string(io::name_of(how.filters));
  options["reference"] = reference_object(how.reference);
  options["bad_channels"] = std::string(io::name_of(how.bad_channels));
  options["clip"] = how.clip;
  options["target"] = target_object(how.targets);
  return options;
}

pipeline::DecoderChoice choice_of(const py::dict& options, const Preprocessing& how) {
  constexpr std::array known{"recipe",      "decoder", "regularisation", "ridge",           "first_lag",
                             "longest_lag", "pairs",   "score",          "score_shrinkage", "score_memory"};
  refuse_unknown(options, known, "decoder");
  const auto recipe = recipe_named(taken<std::string>(options, "recipe", "paper"));
  pipeline::DecoderChoice choice = pipeline::with_recipe({}, recipe);
  choice.kind = decoder_named(taken(options, "decoder", std::string(pipeline::name(choice.kind))));
  choice.preprocessing = how;
  choice.rule = rule_of(options, choice.rule, how.filters);
  if (choice.kind == pipeline::DecoderKind::csp && choice.rule != ScoreRule{}) {
    refuse("decoder", "csp does not look at the sound: it has neither heed's recipe nor a score=\"cosine\"");
  }
  choice.regularisation.kind = regularisation_named(taken<std::string>(options, "regularisation", "ridge"));
  choice.regularisation.ridge = taken(options, "ridge", choice.regularisation.ridge);
  choice.first_lag = Seconds{taken(options, "first_lag", choice.first_lag.value)};
  choice.longest_lag = Seconds{taken(options, "longest_lag", choice.longest_lag.value)};
  choice.pairs = taken(options, "pairs", choice.pairs);
  return choice;
}

std::vector<Seconds> windows_of(const py::object& windows) {
  if (py::isinstance<py::float_>(windows) || py::isinstance<py::int_>(windows)) return {{windows.cast<double>()}};
  std::vector<Seconds> result;
  for (const double window : numbers_of(windows, "windows")) result.push_back({window});
  if (result.empty()) refuse("windows", "there is none; 1.0 is usual");
  return result;
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
