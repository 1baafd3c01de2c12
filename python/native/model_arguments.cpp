// SPDX-License-Identifier: MIT
#include "native/model_arguments.h"

#include <data/switching.h>
#include <pipeline/artificial_switches.h>

#include <cmath>

#include "native/arrays.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/views.h"

namespace heed::python {
namespace {

using pipeline::EmissionChoice;
using pipeline::EmissionFamily;

// A word of a keyword whose default is called auto.
template <typename Choice>
void take_word(const Keywords& keywords, const char* keyword, Choice (*named)(std::string_view),
               std::optional<Choice>& choice) {
  const auto word = keywords.word(keyword);
  if (!word || *word == "auto") return;
  try {
    choice = named(*word);
  } catch (const Error& error) {
    throw Error(error.kind(), std::string(error.what()) + ", auto");
  }
}

void take_emission(const Keywords& keywords, EmissionChoice& choice) {
  const py::object emission = keywords.object("emission");
  if (py::isinstance<py::str>(emission)) {
    choice.family = pipeline::family_named(emission.cast<std::string>());
  } else if (const auto model = model_of(emission)) {
    choice.given = model->emission;
    choice.temperature = model->temperature;
    choice.given_dependence = model->dependence;
  }
}

void take_mixture(const Keywords& keywords, emission::MixtureOptions& mixture) {
  if (const auto components = keywords.whole("components")) mixture.components = *components;
  mixture.seed = keywords.seed("mixture_seed").value_or(mixture.seed);
  if (const auto word = keywords.word("covariance")) mixture.covariance = pipeline::covariance_named(*word);
}

// Better refused than ignored.
void check_combination(const EmissionChoice& choice, bool accuracy_given) {
  const EmissionFamily family = choice.family.value_or(EmissionFamily::gaussian);
  const bool gaussian = family == EmissionFamily::gaussian || family == EmissionFamily::fisher_gaussian;
  const bool classifier = family == EmissionFamily::softmax || family == EmissionFamily::probability;
  const bool decides = family == EmissionFamily::hard_decision;
  if (choice.spread && (choice.given || !gaussian)) {
    refuse("spread", "needs a Gaussian emission that is fitted");
  }
  if (!choice.class_priors.empty() && !classifier) {
    refuse("class_priors", "need the emission softmax or probability");
  }
  if (accuracy_given && !decides) refuse("accuracy", "needs the emission hard-decision");
}

}  // namespace

EmissionChoice emission_choice(const Keywords& keywords) {
  EmissionChoice choice;
  take_emission(keywords, choice);
  take_word(keywords, "fit", pipeline::fit_named, choice.fit);
  take_word(keywords, "spread", pipeline::spread_named, choice.spread);
  if (const py::object priors = keywords.object("class_priors"); !priors.is_none()) {
    choice.class_priors = numbers_of(priors, "class_priors");
  }
  const auto accuracy = keywords.number("accuracy");
  choice.accuracy = accuracy.value_or(0);
  take_mixture(keywords, choice.mixture);
  choice.fit_switch_probability = keywords.flag("fit_switch_probability");
  choice.calibrate = keywords.flag("calibrate");
  take_word(keywords, "evidence", pipeline::evidence_named, choice.evidence);
  if (const auto word = keywords.word("dependence")) choice.dependence = pipeline::dependence_named(*word);
  check_combination(choice, accuracy.has_value());
  return choice;
}

std::optional<Model> whole_model(const Keywords& keywords) {
  const py::object emission = keywords.object("emission");
  return py::isinstance<Model>(emission) ? std::optional(emission.cast<const Model&>()) : std::nullopt;
}

bool is_unknown(const py::object& switch_probability) {
  if (!py::isinstance<py::str>(switch_probability)) return false;
  const auto word = switch_probability.cast<std::string>();
  if (word != "auto") refuse("switch_probability", "is '" + word + "'; give a probability, or 'auto'");
  return true;
}

pipeline::ChainChoice chain_choice(const ChainArguments& arguments) {
  pipeline::ChainChoice choice{.unknown_switch_probability = is_unknown(arguments.switch_probability)};
  const bool given = !arguments.switch_probability.is_none();
  if (given && !choice.unknown_switch_probability) {
    choice.switch_probability = number_of(arguments.switch_probability, "switch_probability");
  }
  if (!arguments.initial.is_none()) {
    choice.initial = numbers_of(arguments.initial, "initial");
    if (choice.initial.empty()) refuse("initial", "is empty; give a probability for each speaker, or None");
  }
  if (arguments.transition.is_none()) return choice;
  if (given) {
    refuse("transition", "a whole chain was given, and a switch_probability too; give one of them");
  }
  choice.transition = copied(rows_of(arguments.transition, "transition").view);
  choice.transition_file = "transition";
  return choice;
}

pipeline::ChainChoice chain_choice(const Keywords& keywords) {
  auto choice = chain_choice(ChainArguments{.switch_probability = keywords.object("switch_probability"),
                                            .transition = keywords.object("transition"),
                                            .initial = keywords.object("initial")});
  if (const py::object seconds = keywords.object("expected_seconds_between_switches"); !seconds.is_none()) {
    choice.between_switches = Seconds{number_of(seconds, "expected_seconds_between_switches")};
  }
  const std::string scaling = keywords.word("switch_scaling").value_or("linear");
  if (scaling != "linear" && scaling != "exact") refuse("switch_scaling", "is '" + scaling + "'; give linear or exact");
  if (scaling == "exact") choice.scaling = pipeline::SwitchScaling::exact;
  return choice;
}

hmm::Chain chain_of(const ChainArguments& arguments, Index states) {
  if (!(arguments.window > 0) || !std::isfinite(arguments.window)) refuse("window", "must be in seconds, above 0");
  return pipeline::make_chain(chain_choice(arguments), states, Seconds{arguments.window});
}

std::optional<hmm::Bank> bank_of(const ChainArguments& arguments, Index states) {
  return pipeline::make_bank(chain_choice(arguments), states, Seconds{arguments.window});
}

py::dict switching_dict(const SwitchPosterior& found) {
  std::vector<double> intervals;
  for (std::size_t g = 0; g < found.weights.size(); ++g) {
    intervals.push_back(data::switch_interval(found, g).value);
  }
  py::dict result;
  result["per_second"] = to_numpy(std::vector<double>(found.per_second));
  result["per_window"] = to_numpy(std::vector<double>(found.per_window));
  result["interval"] = to_numpy(std::move(intervals));
  result["posterior"] = to_numpy(std::vector<double>(found.weights));
  result["words"] = data::switching_words(found);
  return result;
}

std::string interval_text(const py::object& value) {
  if (!py::isinstance<py::tuple>(value) && !py::isinstance<py::list>(value)) {
    return py::str(value).cast<std::string>();
  }
  const auto pair = value.cast<py::sequence>();
  std::string text;
  for (const py::handle seconds : pair) text += (text.empty() ? "" : "-") + py::str(seconds).cast<std::string>();
  return text;
}

SwitchInterval interval_of(const py::object& value) {
  return pipeline::parse_interval("switch_every", interval_text(value));
}

}  // namespace heed::python
