// SPDX-License-Identifier: MIT
#include "native/emissions.h"

#include <data/text.h>
#include <heed/emission/dependence.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/io/model_file.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <utility>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/emission_texts.h"
#include "native/docs/model_texts.h"
#include "native/errors.h"
#include "native/pickling.h"

namespace heed::python {
namespace {

std::vector<double> priors_of(const py::object& class_priors) {
  return class_priors.is_none() ? std::vector<double>{} : numbers_of(class_priors, "class_priors");
}

struct Spreads {
  std::optional<double> sigma_unattended{};
  std::optional<double> correlation{};
};

GaussianEmission make_gaussian(double mu_attended, double mu_unattended, double sigma, const Spreads& spreads) {
  if (spreads.sigma_unattended && spreads.correlation) {
    refuse("correlation", "needs one sigma for all; omit sigma_unattended");
  }
  GaussianEmission emission;
  emission.mu_attended = mu_attended;
  emission.mu_unattended = mu_unattended;
  emission.sigma_attended = sigma;
  emission.sigma_unattended = spreads.sigma_unattended.value_or(sigma);
  emission.correlation = spreads.correlation.value_or(0);
  if (spreads.sigma_unattended) emission.spread = Spread::separate;
  if (spreads.correlation) emission.spread = Spread::exchangeable;
  return emission;
}

// Values written as the text of a model's file read back exactly, so that is how they are pickled and compared.
Emission parsed_emission(const std::string& text) { return io::parse_model(text).emission; }

template <typename Family>
std::string text_of(const Family& emission) {
  return io::model_text({.emission = emission});
}

// An emission is valid from birth, for some number of speakers.
template <typename Family>
Family checked(Family emission, Index speakers) {
  emission::check(emission, speakers);
  return emission;
}

template <typename Family>
Family checked_priors(const py::object& class_priors) {
  Family emission{priors_of(class_priors)};
  const auto speakers = static_cast<Index>(emission.class_priors.size());
  return checked(std::move(emission), speakers == 0 ? 2 : speakers);
}

HardDecisionEmission make_hard_decisions(double accuracy) {
  if (!(accuracy > 0 && accuracy < 1)) refuse("accuracy", "must lie between chance, 1/N, and 1");
  return {accuracy};
}

template <typename Family>
void add_value_habits(py::class_<Family>& type) {
  type.def("__repr__", [](const Family& self) { return "<heed: " + io::describe(Emission(self)) + ">"; });
  type.def(
      "__eq__", [](const Family& self, const Family& other) { return text_of(self) == text_of(other); },
      py::is_operator());
  type.def("__hash__", [](const Family& self) { return py::hash(py::str(text_of(self))); });
  add_pickling(
      type, [](const Family& self) { return text_of(self); },
      [](const std::string& text) { return std::get<Family>(parsed_emission(text)); });
}

void bind_gaussian(py::module_& module) {
  py::class_<GaussianEmission> type(module, "GaussianEmission", texts::gaussian_emission);
  type.def(
      py::init([](double mu_attended, double mu_unattended, double sigma, std::optional<double> sigma_unattended,
                  std::optional<double> correlation, bool fisher) {
        GaussianEmission emission = make_gaussian(mu_attended, mu_unattended, sigma, {sigma_unattended, correlation});
        emission.fisher = fisher;
        return checked(emission, 2);
      }),
      py::arg("mu_attended"), py::arg("mu_unattended"), py::arg("sigma"), py::kw_only(),
      py::arg("sigma_unattended") = py::none(), py::arg("correlation") = py::none(), py::arg("fisher") = true);
  type.def_readonly("mu_attended", &GaussianEmission::mu_attended);
  type.def_readonly("mu_unattended", &GaussianEmission::mu_unattended);
  type.def_readonly("sigma", &GaussianEmission::sigma_attended);
  type.def_readonly("sigma_unattended", &GaussianEmission::sigma_unattended);
  type.def_readonly("correlation", &GaussianEmission::correlation);
  type.def_readonly("fisher", &GaussianEmission::fisher);
  add_value_habits(type);
}

void bind_classifier_emissions(py::module_& module) {
  py::class_<SoftmaxEmission> softmax(module, "SoftmaxEmission", texts::softmax_emission);
  softmax.def(py::init(&checked_priors<SoftmaxEmission>), py::arg("class_priors") = py::none());
  softmax.def_readonly("class_priors", &SoftmaxEmission::class_priors);
  add_value_habits(softmax);

  py::class_<ProbabilityEmission> probability(module, "ProbabilityEmission", texts::probability_emission);
  probability.def(py::init(&checked_priors<ProbabilityEmission>), py::arg("class_priors") = py::none());
  probability.def_readonly("class_priors", &ProbabilityEmission::class_priors);
  add_value_habits(probability);

  py::class_<HardDecisionEmission> decision(module, "HardDecisionEmission", texts::hard_decision_emission);
  decision.def(py::init(&make_hard_decisions), py::arg("accuracy"));
  decision.def_readonly("accuracy", &HardDecisionEmission::accuracy);
  add_value_habits(decision);

  py::class_<GivenLogLikelihoods> given(module, "LogLikelihoodEmission", texts::log_likelihood_emission);
  given.def(py::init<>());
  add_value_habits(given);
}

void bind_mixture(py::module_& module) {
  py::class_<GaussianComponent> component(module, "GaussianComponent", texts::gaussian_component);
  component.def_readonly("weight", &GaussianComponent::weight);
  component.def_property_readonly("mean", [](const GaussianComponent& self) {
    return to_numpy(std::vector<double>(self.mean.begin(), self.mean.end()));
  });
  component.def_property_readonly("covariance",
                                  [](const GaussianComponent& self) { return to_numpy(Matrix(self.covariance)); });
  serve_old_protocols(component);

  py::class_<MixtureEmission> mixture(module, "MixtureEmission", texts::mixture_emission);
  mixture.def_readonly("states", &MixtureEmission::states);
  mixture.def_readonly("features", &MixtureEmission::features);
  mixture.def_readonly("mixtures", &MixtureEmission::mixtures);
  add_value_habits(mixture);
}

Model make_model(const py::object& emission, double window, double temperature, const std::string& origin,
                 std::optional<double> hop, const Dependence& dependence) {
  const std::optional<Model> given = model_of(emission);
  if (!given) refuse("emission", "is None: a model needs one, e.g. heed.GaussianEmission(0.12, 0.04, 0.3)");
  if (!(window > 0) || !std::isfinite(window)) refuse("window", "must be in seconds, above 0");
  if (hop && (!(*hop > 0) || *hop > window)) {
    refuse("hop", "must be in seconds, above 0 and at most the window's length, not " + data::shown(*hop));
  }
  if (!(temperature > 0) || !std::isfinite(temperature)) refuse("temperature", "must be a number greater than 0");
  Model model{.emission = given->emission,
              .window = Seconds{window},
              .hop = Seconds{hop.value_or(window)},
              .participants = 0,
              .origin = origin,
              .temperature = temperature};
  if (dependence == Dependence{}) return model;
  model.dependence = dependence;
  (void)emission::dependent_model(model, 2);  // which throws where it is none
  return model;
}

void bind_model(py::module_& module) {
  py::class_<Model> type(module, "Model", texts::model);
  type.def(py::init([](const py::object& emission, double window, double temperature, const std::string& origin,
                       std::optional<double> hop, double autocorrelation, double offset_sigma) {
             return make_model(emission, window, temperature, origin, hop, {autocorrelation, offset_sigma});
           }),
           py::arg("emission"), py::kw_only(), py::arg("window") = 1.0, py::arg("temperature") = 1.0,
           py::arg("origin") = "given by hand", py::arg("hop") = py::none(), py::arg("autocorrelation") = 0.0,
           py::arg("offset_sigma") = 0.0);
  type.def_static("load", &io::read_model, py::arg("path"), texts::model_load);
  type.def_static(
      "reference",
      [](double window, std::optional<double> hop) {
        return emission::reference_model(Seconds{window}, Seconds{hop.value_or(window)});
      },
      py::arg("window") = 1.0, py::kw_only(), py::arg("hop") = py::none(), texts::model_reference);
  type.def_static("from_json", &io::parse_model, py::arg("text"), texts::model_from_json);
  type.def(
      "save", [](const Model& self, const std::filesystem::path& path) { io::write_model(path, self); },
      py::arg("path"), texts::model_save);
  type.def("to_json", &io::model_text, texts::model_to_json);
  type.def_property_readonly("emission", [](const Model& self) { return emission_object(self.emission); });
  type.def_property_readonly("window", [](const Model& self) { return self.window.value; });
  type.def_property_readonly("hop", [](const Model& self) { return self.hop.value; });
  type.def_readonly("temperature", &Model::temperature);
  type.def_property_readonly("autocorrelation",
                             [](const Model& self) { return self.dependence.value_or(Dependence{}).autocorrelation; });
  type.def_property_readonly("offset_sigma",
                             [](const Model& self) { return self.dependence.value_or(Dependence{}).offset_sigma; });
  type.def_readonly("participants", &Model::participants);
  type.def_readonly("origin", &Model::origin);
  type.def("__repr__", [](const Model& self) { return "<heed.Model: " + io::describe(self) + ">"; });
  type.def(
      "__eq__", [](const Model& a, const Model& b) { return io::model_text(a) == io::model_text(b); },
      py::is_operator());
  type.def("__hash__", [](const Model& self) { return py::hash(py::str(io::model_text(self))); });
  add_pickling(type, &io::model_text, [](const std::string& text) { return io::parse_model(text); });
}

template <typename... Families>
std::optional<Model> model_of_families(py::handle emission, const std::variant<Families...>& /*all*/) {
  std::optional<Model> model;
  const auto take = [&]<typename Family>(const Family* /*tag*/) {
    if (!model && py::isinstance<Family>(emission)) {
      model = Model{.emission = emission.cast<const Family&>(), .origin = "given by hand"};
    }
  };
  (take(static_cast<const Families*>(nullptr)), ...);
  return model;
}

}  // namespace

std::optional<Model> model_of(py::handle emission) {
  if (emission.is_none()) return std::nullopt;
  if (py::isinstance<Model>(emission)) return emission.cast<const Model&>();
  if (auto model = model_of_families(emission, Emission{})) return model;
  throw py::type_error("emission: expected a heed.Model or an emission such as heed.GaussianEmission(...), not " +
                       py::str(py::type::handle_of(emission)).cast<std::string>());
}

py::object emission_object(const Emission& emission) {
  return std::visit([](const auto& family) -> py::object { return py::cast(family); }, emission);
}

void bind_emissions(py::module_& module) {
  bind_gaussian(module);
  bind_classifier_emissions(module);
  bind_mixture(module);
  bind_model(module);
}

}  // namespace heed::python
