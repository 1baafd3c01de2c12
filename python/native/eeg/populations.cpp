// SPDX-License-Identifier: MIT
// heed.Population, and whoever lends to a listener.
#include <heed/io/model_file.h>
#include <io/digest.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <set>

#include "native/bindings.h"
#include "native/docs/listener_texts.h"
#include "native/eeg/arguments.h"
#include "native/eeg/folders.h"
#include "native/eeg/trials.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/pickling.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

using pipeline::PopulationOptions;

std::string digest_of(const Matrix& values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());  // NOLINT(*-reinterpret-cast): bytes of doubles
  return io::Digest().add({bytes, static_cast<std::size_t>(values.size()) * sizeof(double)}).hex();
}

void check_listener(const py::handle& value) {
  if (py::isinstance<Listener>(value)) return;
  throw py::type_error("others: expected a heed.Population, a heed.BidsFolder or a sequence of heed.Listener, not " +
                       py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>());
}

// Sums of a folder's listeners, or of those in a sequence.
std::vector<PopulationEntry> entries_of(const py::object& listeners, const PopulationOptions& options) {
  if (py::isinstance<BidsFolder>(listeners)) {
    const auto& folder = listeners.cast<const BidsFolder&>();
    const Released released;
    return pipeline::sum_up(folder.open(), folder.open().participants(), options, {.take_kept = true}).entries;
  }
  std::vector<PopulationEntry> entries;
  for (const py::handle value : listeners) {
    check_listener(value);
    const auto& listener = value.cast<const Listener&>();
    const Released released;
    for (PopulationEntry& entry : pipeline::population_entries(listener.participant, sources_of(listener), options)) {
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

Preprocessing signals_of(const py::object& listeners) {
  if (py::isinstance<BidsFolder>(listeners)) return listeners.cast<const BidsFolder&>().choice().preprocessing;
  for (const py::handle value : listeners) {
    check_listener(value);
    return value.cast<const Listener&>().preprocessing;
  }
  refuse("listeners", "there is none");
}

std::optional<pipeline::Recipe> recipe_of(const py::object& listeners) {
  if (py::isinstance<BidsFolder>(listeners)) return listeners.cast<const BidsFolder&>().recipe();
  for (const py::handle value : listeners) return value.cast<const Listener&>().recipe;
  return std::nullopt;
}

// How everybody fares by what the others know.
void try_adaptation(const BidsFolder& folder, const PopulationOptions& options, Population& population) {
  std::vector<pipeline::ParticipantOutcome> summed_up;  // whoever could not be has been thrown
  for (const io::ParticipantRuns& one : folder.open().participants()) summed_up.push_back({one.id, {}});
  Notes notes;
  {
    const Released released;
    pipeline::try_adaptation(folder.open(), summed_up, options, population, notes);
  }
  warn_of(notes);
}

void try_adaptation(const py::object& listeners, const PopulationOptions& options, Population& population) {
  PopulationAdaptation adaptation{.seconds = pipeline::seconds_to_try()};
  Notes notes;
  for (const py::handle value : listeners) {
    const auto& listener = value.cast<const Listener&>();
    const Released released;
    try {
      auto trial = pipeline::adaptation_trial(listener.participant, sources_of(listener), population, options,
                                              adaptation.seconds);
      if (trial) adaptation.trials.push_back(std::move(*trial));
    } catch (const Error& error) {
      notes.push_back(pipeline::not_tried(listener.participant.id, error));
    }
  }
  if (!adaptation.trials.empty()) population.adaptation = std::move(adaptation);
  warn(texts_of(notes));
}

Population make_population(const py::object& listeners, double window, const py::dict& options) {
  const Listener alike{.preprocessing = signals_of(listeners), .recipe = recipe_of(listeners)};
  PopulationOptions made{.choice = choice_for(alike, request_of(options)), .window = Seconds{window}};
  made.covariances = pipeline::can_adapt(made.choice);
  pipeline::check_population(made);
  Population population = pipeline::make_population(made, entries_of(listeners, made));
  const bool folder = py::isinstance<BidsFolder>(listeners);
  if (folder) population.origin += " of " + listeners.cast<const BidsFolder&>().open().dataset().name;
  if (made.covariances && folder) {
    try_adaptation(listeners.cast<const BidsFolder&>(), made, population);
  } else if (made.covariances) {
    try_adaptation(listeners, made, population);
  }
  return population;
}

std::vector<std::string> ids_of(const Population& population) {
  std::set<std::string> ids;
  for (const PopulationEntry& entry : population.entries) ids.insert(entry.listener);
  return {ids.begin(), ids.end()};
}

}  // namespace

pipeline::DecoderChoice choice_for(const Listener& listener, pipeline::DecoderRequest request,
                                   const Population* population) {
  if (request.recipe && listener.recipe && *request.recipe != *listener.recipe) {
    refuse("recipe", "the listener's signals are those of the recipe '" +
                         std::string(pipeline::name(*listener.recipe)) +
                         "'; read them with heed.read_bids(..., recipe=\"" +
                         std::string(pipeline::name(*request.recipe)) + "\")");
  }
  if (!request.recipe && population == nullptr) request.recipe = listener.recipe;
  request.filters = listener.preprocessing.filters;  // of which the memory of scores depends
  pipeline::DecoderChoice choice = pipeline::resolve(request, population);
  choice.preprocessing = listener.preprocessing;
  return choice;
}

std::vector<pipeline::TrialSource> sources_of(const Listener& listener) {
  if (!listener.sources.empty()) return listener.sources;
  if (listener.folder) return listener.folder->sources_of(listener.participant.id);
  std::vector<pipeline::TrialSource> sources;
  for (std::size_t k = 0; k < listener.participant.trials.size(); ++k) {
    const Trial& trial = listener.participant.trials[k];
    std::set<std::string> sounds;
    for (const Matrix& stimulus : trial.stimuli) sounds.insert(digest_of(stimulus));
    sources.push_back({trial.name, listener.participant.runs[k], digest_of(trial.eeg), {sounds.begin(), sounds.end()}});
  }
  return sources;
}

Others::Others(const py::object& others, const Listener& listener, const pipeline::DecoderRequest& request,
               std::optional<double> weight, std::optional<Seconds> scores) {
  if (weight && !(*weight >= 0 && *weight <= 1)) refuse("prior_weight", "must lie between 0 and 1");
  if (others.is_none() && weight.value_or(0) > 0) {
    refuse("prior_weight", "there is nobody to weigh; say with others= who lends");
  }
  pipeline::PopulationRequest asked{.weight = weight};
  const bool nobody = others.is_none() || weight == 0.0;
  if (!nobody && py::isinstance<Population>(others)) {
    asked.given = std::make_shared<const Population>(others.cast<const Population&>());
    choice_ = choice_for(listener, request, asked.given.get());
    recipe_ = pipeline::recipe_of(request, asked.given.get());
    pipeline::check_population({.choice = choice_});
    lender_ = std::make_unique<const pipeline::Lender>(*asked.given, asked, choice_);
    return;
  }
  choice_ = choice_for(listener, request);
  recipe_ = pipeline::recipe_of({.recipe = request.recipe ? request.recipe : listener.recipe, .kind = request.kind});
  const bool wants_others = recipe_ && pipeline::uses_population(*recipe_);
  if (weight.value_or(0) > 0 && !wants_others) {
    refuse("prior_weight", "only heed's recipe has a population; pass others= a heed.Population, or omit it");
  }
  forgotten_ = wants_others && others.is_none() && !weight && listener.folder &&
               listener.folder->dataset().participants.size() > pipeline::fewest_others;
  if (nobody || !wants_others) return;
  if (signals_of(others) != listener.preprocessing) {
    refuse("others", "were preprocessed in another way than the listener: " + io::describe(signals_of(others)) +
                         ", not " + io::describe(listener.preprocessing));
  }
  if (!py::isinstance<BidsFolder>(others)) asked.name = "listeners";
  const PopulationOptions options{
      .choice = choice_, .window = scores.value_or(Seconds{1}), .scores = scores.has_value()};
  lender_ = std::make_unique<const pipeline::Lender>(pipeline::population_of(options, entries_of(others, options)),
                                                     asked, choice_);
}

void bind_population(py::module_& module) {
  py::class_<Population> type(module, "Population", texts::population);
  type.def(py::init([](const py::object& listeners, double window, const py::kwargs& options) {
             return make_population(listeners, window, options);
           }),
           py::arg("listeners"), py::kw_only(), py::arg("window") = 1.0);
  type.def_static("load", &io::read_population, py::arg("path"), texts::population_load);
  type.def(
      "save", [](const Population& self, const std::filesystem::path& path) { io::write_population(path, self); },
      py::arg("path"), texts::population_save);
  type.def_property_readonly("listeners", &ids_of);
  type.def_property_readonly("preprocessing",
                             [](const Population& self) { return preprocessing_dict(self.preprocessing); });
  type.def_readonly("origin", &Population::origin);
  type.def("__len__", [](const Population& self) { return io::listeners_in(self); });
  type.def("__repr__", [](const Population& self) { return "<heed.Population: " + io::describe(self) + ">"; });
  type.def(
      "__eq__",
      [](const Population& a, const Population& b) { return io::population_text(a) == io::population_text(b); },
      py::is_operator());
  type.attr("__hash__") = py::none();  // equal by what they hold, which is much
  add_pickling(
      type, [](const Population& self) { return py::make_tuple(io::population_text(self)); },
      [](const py::tuple& state) {
        if (state.size() != 1) refuse("state", "is not of a heed.Population");
        return io::parse_population(state[0].cast<std::string>());
      });
}

}  // namespace heed::python
