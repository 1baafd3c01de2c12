// SPDX-License-Identifier: MIT
#include "native/emission_arguments.h"

#include <cstdint>
#include <optional>
#include <string>

#include "native/arrays.h"
#include "native/emissions.h"
#include "native/errors.h"

namespace heed::python {
namespace {

using pipeline::EmissionChoice;
using pipeline::EmissionFamily;

template <typename Value>
std::optional<Value> given(const py::dict& keywords, const char* name, const char* wanted) {
  if (!keywords.contains(name) || keywords[name].is_none()) return std::nullopt;
  const py::object value = keywords[name];
  try {
    return value.cast<Value>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(name) + ": expected " + wanted + ", not " + py::repr(value).cast<std::string>());
  }
}

void take_emission(const py::dict& keywords, EmissionChoice& choice) {
  if (!keywords.contains("emission")) return;
  const py::object emission = keywords["emission"];
  if (py::isinstance<py::str>(emission)) {
    choice.family = pipeline::family_named(emission.cast<std::string>());
  } else if (const auto model = model_of(emission)) {
    choice.given = model->emission;
    choice.temperature = model->temperature;
  }
}

void take_mixture(const py::dict& keywords, emission::MixtureOptions& mixture) {
  const char* whole = "a whole number";
  mixture.components = given<Index>(keywords, "components", whole).value_or(mixture.components);
  mixture.seed = given<std::uint64_t>(keywords, "mixture_seed", "a whole number, 0 or more").value_or(mixture.seed);
  if (const auto word = given<std::string>(keywords, "covariance", "full or diagonal")) {
    mixture.covariance = pipeline::covariance_named(*word);
  }
}

// Better refused than ignored.
void check_combination(const EmissionChoice& choice, bool accuracy_given) {
  const EmissionFamily family = choice.family.value_or(EmissionFamily::gaussian);
  const bool gaussian = family == EmissionFamily::gaussian || family == EmissionFamily::fisher_gaussian;
  const bool classifier = family == EmissionFamily::softmax || family == EmissionFamily::probability;
  const bool decides = family == EmissionFamily::hard_decision;
  if (choice.spread != Spread::shared && (choice.given || !gaussian)) {
    refuse("spread", "belongs to a Gaussian emission that is fitted");
  }
  if (!choice.class_priors.empty() && !classifier)
    refuse("class_priors", "belong to the emissions softmax and probability");
  if (accuracy_given && !decides) refuse("accuracy", "belongs to the emission hard-decision");
  if (decides && !accuracy_given) refuse("accuracy", "how often the decisions are right; hard-decision needs it");
}

}  // namespace

EmissionChoice emission_choice(const py::dict& keywords) {
  EmissionChoice choice;
  take_emission(keywords, choice);
  if (const auto word = given<std::string>(keywords, "fit", "labels, baum-welch or memoryless")) {
    choice.fit = pipeline::fit_named(*word);
  }
  if (const auto word = given<std::string>(keywords, "spread", "shared, separate or exchangeable")) {
    choice.spread = pipeline::spread_named(*word);
  }
  if (const auto priors = given<py::object>(keywords, "class_priors", "a probability for each class")) {
    choice.class_priors = numbers_of(*priors, "class_priors");
  }
  const auto accuracy = given<double>(keywords, "accuracy", "a number");
  choice.accuracy = accuracy.value_or(0);
  take_mixture(keywords, choice.mixture);
  choice.fit_switch_probability = given<bool>(keywords, "fit_switch_probability", "True or False").value_or(false);
  choice.calibrate = given<bool>(keywords, "calibrate", "True or False").value_or(false);
  check_combination(choice, accuracy.has_value());
  return choice;
}

}  // namespace heed::python
