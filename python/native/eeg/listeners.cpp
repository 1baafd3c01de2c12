// SPDX-License-Identifier: MIT
// BIDS folders as listeners with trials, and their scores by leaving trials out: what `heed score` does.
#include <decode/dense/dense.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/model_file.h>
#include <pipeline/preparation/preparation.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/scoring.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

#include "native/bindings.h"
#include "native/docs/listener_texts.h"
#include "native/eeg/arguments.h"
#include "native/eeg/folders.h"
#include "native/eeg/trials.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/pickling.h"
#include "native/scores.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

// As warnings and attributes tell it.
std::string note_text(const std::string& id, const Note& note) {
  return note.subject == id ? note.text : note.subject + ": " + note.text;
}

std::vector<std::string> notes_of(const Listener& listener) {
  std::vector<std::string> texts;
  for (const Note& note : listener.participant.notes) texts.push_back(note_text(listener.participant.id, note));
  return texts;
}

std::vector<std::string> ids_of(const BidsFolder& folder) {
  std::vector<std::string> ids;
  for (const io::ParticipantRuns& one : folder.open().participants()) ids.push_back(one.id);
  return ids;
}

Listener listener_at(const BidsFolder& folder, Index place) {
  const auto count = std::ssize(folder.open().participants());
  if (place < -count || place >= count) {
    throw py::index_error("listener " + std::to_string(place) + " of " + std::to_string(count));
  }
  Listener listener;
  {
    const Released released;
    listener = folder.listener(static_cast<std::size_t>(place < 0 ? place + count : place));
  }
  warn_of(listener.participant.notes);
  return listener;
}

Listener listener_named(const BidsFolder& folder, const std::string& id) {
  const auto ids = ids_of(folder);
  const auto found = std::ranges::find(ids, id.starts_with("sub-") ? id.substr(4) : id);
  if (found == ids.end()) {
    std::string known;
    for (const std::string& one : ids) known.append(known.empty() ? "" : ", ").append(one);
    throw py::key_error("there is no participant '" + id + "'; there are " + known);
  }
  return listener_at(folder, found - ids.begin());
}

std::vector<Listener> listeners_in(const BidsFolder& folder, const py::slice& slice) {
  py::ssize_t place = 0;
  py::ssize_t stop = 0;
  py::ssize_t step = 0;
  py::ssize_t count = 0;
  if (!slice.compute(std::ssize(folder.open().participants()), &place, &stop, &step, &count))
    throw py::error_already_set();
  std::vector<Listener> listeners;
  for (; count > 0; --count, place += step) listeners.push_back(listener_at(folder, place));
  return listeners;
}

std::optional<std::filesystem::path> cache_of(const py::object& cache) {
  if (cache.is_none() || cache.is(py::bool_(false))) return std::nullopt;
  if (cache.is(py::bool_(true))) return pipeline::default_cache();
  return cache.cast<std::filesystem::path>();
}

io::RunSelection selection_of(const py::dict& labels) {
  const auto taken = [&](const char* key) { return names_of(labels[key], key); };
  return {taken("participants"), taken("sessions"), taken("tasks"), taken("runs"), taken("exclude_runs")};
}

BidsFolder open_folder(const std::filesystem::path& root, const py::dict& labels, const py::dict& options,
                       const py::object& cache) {
  return {{.dataset = root, .selection = selection_of(labels), .cache = cache_of(cache), .interrupt = look_for_signals},
          request_of(options)};
}

// ---- listeners ----

// Those without a name are counted, so that each can be told from the others.
void name_trials(std::vector<Trial>& trials) {
  for (std::size_t k = 0; trials.size() > 1 && k < trials.size(); ++k) {
    if (trials[k].name.empty()) trials[k].name = std::to_string(k + 1);
  }
}

Listener make_listener(std::string id, const std::vector<Trial>& trials, const py::object& preprocessing) {
  if (trials.empty()) refuse("trials", "a listener needs at least one");
  Listener listener{.participant = {.id = std::move(id), .trials = trials}};
  name_trials(listener.participant.trials);
  for (const Trial& trial : listener.participant.trials) listener.participant.runs.push_back(trial.name);
  py::dict options;
  if (!preprocessing.is_none()) {
    if (!py::isinstance<py::dict>(preprocessing)) throw py::type_error("preprocessing: must be a dict or None");
    options = preprocessing.cast<py::dict>();
  }
  listener.preprocessing = preprocessing_of(options);
  if (!options.contains("rate")) listener.preprocessing.sampling_frequency = trials.front().sampling_frequency;
  if (!options.contains("target")) listener.preprocessing.targets = targets_of(py::cast(trials.front().targets));
  for (const Trial& trial : trials) {
    if (trial.targets != io::names_of(listener.preprocessing.targets)) {
      refuse("trials", "one has a target other than that of preprocessing or the first trial; see Trial(target=)");
    }
  }
  return listener;
}

py::list trials_of(const py::object& self) {
  py::list result;
  for (const Trial& trial : self.cast<const Listener&>().participant.trials) {
    result.append(py::cast(trial, py::return_value_policy::reference_internal, self));
  }
  return result;
}

py::tuple listener_state(const py::object& self) {
  const auto& listener = self.cast<const Listener&>();
  py::list notes;
  for (const Note& note : listener.participant.notes) {
    notes.append(py::make_tuple(note.subject, static_cast<int>(note.kind), note.text));
  }
  py::list sources;
  if (listener.folder) {
    for (const auto& [trial, run, recording, stimuli] : sources_of(listener)) {
      sources.append(py::make_tuple(trial, run, recording, stimuli));
    }
  }
  const auto recipe = listener.recipe ? py::object(py::str(std::string(pipeline::name(*listener.recipe)))) : py::none();
  return py::make_tuple(listener.participant.id, trials_of(self), listener.participant.runs, notes,
                        preprocessing_dict(listener.preprocessing), recipe, sources);
}

Listener listener_of_state(const py::tuple& state) {
  if (state.size() != 7) refuse("state", "is not of a heed.Listener");
  Listener listener = make_listener(state[0].cast<std::string>(), state[1].cast<std::vector<Trial>>(), state[4]);
  listener.participant.runs = state[2].cast<std::vector<std::string>>();
  for (const py::handle note : state[3]) {
    const auto [subject, kind, text] = note.cast<std::tuple<std::string, int, std::string>>();
    listener.participant.notes.push_back({subject, static_cast<NoteKind>(kind), text});
  }
  py::dict options;
  options["recipe"] = state[5];
  listener.recipe = request_of(options).recipe;
  for (const py::handle source : state[6]) {
    const auto [trial, run, recording, stimuli] =
        source.cast<std::tuple<std::string, std::string, std::string, std::vector<std::string>>>();
    listener.sources.push_back({trial, run, recording, stimuli});
  }
  return listener;
}

// ---- scores ----

void check_band(const pipeline::DecoderChoice& choice) {
  const Preprocessing wanted = pipeline::signals_for(choice);
  if (wanted.low == choice.preprocessing.low && wanted.high == choice.preprocessing.high) return;
  refuse("decoder", py::str("{} reads rhythms of {:g} ... {:g} Hz; read the listener with that band")
                        .format(std::string(pipeline::name(choice.kind)), wanted.low.value, wanted.high.value)
                        .cast<std::string>());
}

// Each trial is a test of its own.
std::vector<std::vector<std::string>> tests_of(const Listener& listener) {
  std::vector<std::vector<std::string>> tests;
  for (const Trial& trial : listener.participant.trials) tests.push_back({trial.name});
  return tests;
}

struct Layouts {
  py::object windows;
  std::optional<double> hop{};
  std::optional<double> step{};
};

py::list cross_validate(const Listener& listener, const py::dict& options, const Layouts& wanted,
                        const py::object& lenders, std::optional<double> weight) {
  const Others others(lenders, listener, request_of(options), weight);
  check_band(others.choice());
  const auto layouts = layouts_of(wanted.windows, wanted.hop, wanted.step);
  std::vector<ScoredParticipant> scored;
  Notes notes;
  if (others.were_forgotten()) {
    notes.push_back({"", NoteKind::chosen,
                     "decoded without a population, though the folder has enough other listeners: pass the folder as "
                     "others= to learn from them as 'heed score' does, or prior_weight=0 to do without"});
  }
  {
    const Released released;
    const pipeline::Lender* lender = others.lender();
    pipeline::PriorRequest asked{listener.participant.id, {}, tests_of(listener)};
    std::optional<pipeline::ListenerPrior> prior;
    if (lender != nullptr) {
      asked.sources = sources_of(listener);
      prior = lender->prior_of(asked, notes);
    }
    scored = pipeline::cross_validate(listener.participant, others.choice(), layouts,
                                      {prior ? &*prior : nullptr, look_for_signals});
    const std::string lent = pipeline::population_words(lender, prior, asked, others.recipe());
    for (ScoredParticipant& one : scored) one.origin = pipeline::origin_of(others.choice(), others.recipe(), lent);
  }
  warn_of(notes);
  return to_list(std::move(scored));
}

py::list score_trials(const Listener& listener, const Decoder& decoder, const Layouts& wanted) {
  const auto layouts = layouts_of(wanted.windows, wanted.hop, wanted.step);
  std::vector<ScoredParticipant> scored;
  {
    const Released released;
    scored = pipeline::score_trials(listener.participant, decoder, layouts);
    for (ScoredParticipant& one : scored) {
      one.origin = {io::describe(decoder), io::describe(decoder.preprocessing), "n/a", "", decode::kernel_name()};
    }
  }
  return to_list(std::move(scored));
}

void bind_listener(py::module_& module) {
  py::class_<Listener> type(module, "Listener", texts::listener);
  type.def(py::init(&make_listener), py::arg("id"), py::arg("trials"), py::kw_only(),
           py::arg("preprocessing") = py::none());
  type.def_property_readonly("id", [](const Listener& self) { return self.participant.id; });
  type.def_property_readonly("trials", &trials_of);
  type.def_property_readonly("runs", [](const Listener& self) { return self.participant.runs; });
  type.def_property_readonly("notes", [](const Listener& self) { return notes_of(self); });
  type.def_property_readonly("preprocessing",
                             [](const Listener& self) { return preprocessing_dict(self.preprocessing); });
  type.def("__len__", [](const Listener& self) { return self.participant.trials.size(); });
  type.def("__repr__", [](const Listener& self) {
    return "<heed.Listener " + self.participant.id + ": " + std::to_string(self.participant.trials.size()) + " trials>";
  });
  add_pickling(type, &listener_state, &listener_of_state);
}

void bind_folder(py::module_& module) {
  py::class_<BidsFolder> type(module, "BidsFolder", texts::bids_folder);
  type.def_property_readonly("participants", &ids_of);
  type.def_property_readonly("root", [](const BidsFolder& self) { return self.open().dataset().root.string(); });
  type.def("__len__", [](const BidsFolder& self) { return self.open().participants().size(); });
  type.def("__getitem__", &listener_at);
  type.def("__getitem__", &listener_named);
  type.def("__getitem__", &listeners_in);
  type.def("__repr__", [](const BidsFolder& self) {
    return "<heed.BidsFolder " + self.open().dataset().root.string() + ": " +
           std::to_string(self.open().participants().size()) + " participants>";
  });
  serve_old_protocols(type);
}

}  // namespace

void look_for_signals() {
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void bind_listeners(py::module_& module) {
  bind_trials(module);
  bind_listener(module);
  bind_folder(module);
  bind_population(module);
  module.def("_open_folder", &open_folder);
  module.def("_cross_validate",
             [](const Listener& listener, const py::dict& options, const py::object& windows, std::optional<double> hop,
                std::optional<double> step, const py::object& lenders, std::optional<double> weight) {
               return cross_validate(listener, options, {windows, hop, step}, lenders, weight);
             });
  module.def("_score_trials", [](const Listener& listener, const Decoder& decoder, const py::object& windows,
                                 std::optional<double> hop, std::optional<double> step) {
    return score_trials(listener, decoder, {windows, hop, step});
  });
}

}  // namespace heed::python
