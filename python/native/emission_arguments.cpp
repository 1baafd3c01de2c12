// SPDX-License-Identifier: MIT
#include "native/emission_arguments.h"

#include <string>

#include "native/arrays.h"
#include "native/emissions.h"
#include "native/errors.h"

namespace heed::python {
namespace {

using pipeline::EmissionChoice;
using pipeline::EmissionFamily;

void take_emission(const Keywords& keywords, EmissionChoice& choice) {
  const py::object emission = keywords.object("emission");
  if (py::isinstance<py::str>(emission)) {
    choice.family = pipeline::family_named(emission.cast<std::string>());
  } else if (const auto model = model_of(emission)) {
    choice.given = model->emission;
    choice.temperature = model->temperature;
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
  if (choice.spread != Spread::shared && (choice.given || !gaussian)) {
    refuse("spread", "needs a Gaussian emission that is fitted");
  }
  if (!choice.class_priors.empty() && !classifier) {
    refuse("class_priors", "need the emission softmax or probability");
  }
  if (accuracy_given && !decides) refuse("accuracy", "needs the emission hard-decision");
  if (decides && !accuracy_given) refuse("accuracy", "how often the decisions are right; hard-decision needs it");
}

}  // namespace

EmissionChoice emission_choice(const Keywords& keywords) {
  EmissionChoice choice;
  take_emission(keywords, choice);
  if (const auto word = keywords.word("fit")) choice.fit = pipeline::fit_named(*word);
  if (const auto word = keywords.word("spread")) choice.spread = pipeline::spread_named(*word);
  if (const py::object priors = keywords.object("class_priors"); !priors.is_none()) {
    choice.class_priors = numbers_of(priors, "class_priors");
  }
  const auto accuracy = keywords.number("accuracy");
  choice.accuracy = accuracy.value_or(0);
  take_mixture(keywords, choice.mixture);
  choice.fit_switch_probability = keywords.flag("fit_switch_probability");
  choice.calibrate = keywords.flag("calibrate");
  check_combination(choice, accuracy.has_value());
  return choice;
}

}  // namespace heed::python
