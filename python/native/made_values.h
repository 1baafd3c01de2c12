// SPDX-License-Identifier: MIT
// Objects that only __new__ made hold no value, and pybind11 would hand out memory that nobody filled. Every class of
// the module is loaded by way of this guard, which raises instead.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/model.h>
#include <heed/data/population.h>
#include <heed/data/scored.h>
#include <heed/data/trial.h>
#include <pybind11/pybind11.h>

#include <concepts>
#include <string>
#include <typeinfo>

namespace heed::python {

class AdaptiveEngine;
class AttentionStream;
class BidsFolder;
class LiveEngine;
struct Listener;

template <typename Value, typename... Others>
concept one_of = (std::same_as<Value, Others> || ...);
template <typename Value>
concept bound_value =
    one_of<Value, Decoder, GaussianComponent, GaussianEmission, GivenLogLikelihoods, HardDecisionEmission,
           MixtureEmission, Model, LearntListener, Population, ProbabilityEmission, ScoredParticipant, ScoredTrial,
           SoftmaxEmission, Trial, AdaptiveEngine, AttentionStream, BidsFolder, Listener, LiveEngine>;

// Throws TypeError for an object of the type that was never initialised.
inline void check_made(pybind11::handle object, const std::type_info& type) {
  const auto* bound = pybind11::detail::get_type_info(type);
  if (bound == nullptr || PyObject_TypeCheck(object.ptr(), bound->type) == 0) return;
  auto* instance = reinterpret_cast<pybind11::detail::instance*>(object.ptr());
  if (instance->get_value_and_holder(bound).value_ptr() != nullptr) return;
  throw pybind11::type_error(std::string(bound->type->tp_name) +
                             ": __init__ was not called; make it by calling its class");
}

}  // namespace heed::python

namespace pybind11::detail {

template <heed::python::bound_value Value>
class type_caster<Value> : public type_caster_base<Value> {
 public:
  bool load(handle source, bool convert) {
    if (source) heed::python::check_made(source, typeid(Value));
    return type_caster_base<Value>::load(source, convert);
  }
};

}  // namespace pybind11::detail
