// SPDX-License-Identifier: MIT
// BIDS folders as listeners with trials, and their scores by leaving trials out: what `heed score` does.
#include <heed/io/bids_dataset.h>
#include <heed/io/decoder_file.h>
#include <pipeline/decoding/cross_validation.h>
#include <pipeline/preparation/preparation.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <memory>

#include "native/bindings.h"
#include "native/decoding/arguments.h"
#include "native/decoding/trials.h"
#include "native/docs/listener_texts.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/pickling.h"
#include "native/scores.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

// Called without the GIL, between pieces of work that take a moment each.
void look_for_signals() {
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

class BidsFolder {
 public:
  BidsFolder(const std::filesystem::path& root, const io::RunSelection& selection, pipeline::DecoderChoice choice,
             std::optional<std::filesystem::path> cache)
      : dataset_(std::make_unique<io::BidsDataset>(io::read_dataset(root))),
        participants_(io::select_runs(*dataset_, selection)),
        choice_(std::move(choice)),
        preparation_(*dataset_, {choice_.preprocessing, std::move(cache), look_for_signals}) {}

  [[nodiscard]] const std::vector<io::ParticipantRuns>& participants() const { return participants_; }
  [[nodiscard]] std::string root() const { return dataset_->root.string(); }

  // By several threads at once, if the caller likes.
  [[nodiscard]] Listener listener(std::size_t k) const {
    const Released released;
    const auto prepared = preparation_.prepare(participants_[k].id, participants_[k].runs);
    return {pipeline::scaled_trials(prepared, choice_), choice_.preprocessing};
  }

 private:
  std::unique_ptr<io::BidsDataset> dataset_;  // where it is: the preparation looks at it
  std::vector<io::ParticipantRuns> participants_;
  pipeline::DecoderChoice choice_;
  pipeline::Preparation preparation_;
};

std::vector<std::string> ids_of(const BidsFolder& folder) {
  std::vector<std::string> ids;
  for (const io::ParticipantRuns& one : folder.participants()) ids.push_back(one.id);
  return ids;
}

Listener listener_at(const BidsFolder& folder, Index place) {
  const auto count = std::ssize(folder.participants());
  if (place < -count || place >= count) {
    throw py::index_error("listener " + std::to_string(place) + " of " + std::to_string(count));
  }
  Listener listener = folder.listener(static_cast<std::size_t>(place < 0 ? place + count : place));
  std::vector<std::string> notes;
  for (const std::string& note : listener.participant.notes) {
    notes.push_back("sub-" + listener.participant.id + ": " + note);
  }
  warn(notes);
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
  if (!slice.compute(std::ssize(folder.participants()), &place, &stop, &step, &count)) throw py::error_already_set();
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

BidsFolder open_folder(const std::filesystem::path& root, const py::dict& wanted, const py::dict& options,
                       const py::object& cache) {
  const auto recipe = recipe_named(wanted["recipe"].cast<std::string>());
  const Preprocessing usual = pipeline::with_recipe({}, recipe).preprocessing;
  pipeline::DecoderChoice choice{.preprocessing = preprocessing_of(options, usual)};
  choice.channels = names_of(wanted["channels"], "channels");
  return {root, selection_of(wanted), std::move(choice), cache_of(cache)};
}

// ---- listeners ----

Listener make_listener(std::string id, const std::vector<Trial>& trials, const py::object& preprocessing) {
  if (trials.empty()) refuse("trials", "a listener needs at least one");
  Listener listener{{.id = std::move(id), .trials = trials}, {}};
  for (const Trial& trial : trials) listener.participant.runs.push_back(trial.name);
  listener.how.targets = targets_of(py::cast(trials.front().targets));
  if (preprocessing.is_none()) {
    listener.how.sampling_frequency = trials.front().sampling_frequency;
  } else {
    if (!py::isinstance<py::dict>(preprocessing)) throw py::type_error("preprocessing: must be a dict or None");
    listener.how = preprocessing_of(preprocessing.cast<py::dict>(), listener.how);
  }
  for (const Trial& trial : trials) {
    if (trial.targets != io::names_of(listener.how.targets)) {
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
  return py::make_tuple(listener.participant.id, trials_of(self), listener.participant.runs, listener.participant.notes,
                        preprocessing_dict(listener.how));
}

Listener listener_of_state(const py::tuple& state) {
  if (state.size() != 5) refuse("state", "is not of a heed.Listener");
  Listener listener = make_listener(state[0].cast<std::string>(), state[1].cast<std::vector<Trial>>(), state[4]);
  listener.participant.runs = state[2].cast<std::vector<std::string>>();
  listener.participant.notes = state[3].cast<std::vector<std::string>>();
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

// heed's recipe begins with the signals.
void check_recipe(const py::dict& options, const Preprocessing& how) {
  const bool papers = how.low == Preprocessing{}.low && how.targets == Preprocessing{}.targets;
  if (!papers || !options.contains("recipe") || options["recipe"].cast<std::string>() != "heed") return;
  refuse("recipe", "the listener's signals are of the paper's; read them with heed.read_bids(..., recipe=\"heed\")");
}

py::list cross_validate(const Listener& listener, const py::dict& options, const py::object& windows) {
  const pipeline::DecoderChoice choice = choice_of(options, listener.how);
  check_recipe(options, listener.how);
  check_band(choice);
  const std::vector<Seconds> lengths = windows_of(windows);
  std::vector<ScoredParticipant> scored;
  {
    const Released released;
    scored = pipeline::cross_validate(listener.participant, choice, lengths, look_for_signals);
  }
  return to_list(std::move(scored));
}

py::list score_trials(const Listener& listener, const Decoder& decoder, const py::object& windows) {
  const std::vector<Seconds> lengths = windows_of(windows);
  std::vector<ScoredParticipant> scored;
  {
    const Released released;
    scored = pipeline::score_trials(listener.participant, decoder, lengths);
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
  type.def_property_readonly("notes", [](const Listener& self) { return self.participant.notes; });
  type.def_property_readonly("preprocessing", [](const Listener& self) { return preprocessing_dict(self.how); });
  type.def("__len__", [](const Listener& self) { return self.participant.trials.size(); });
  type.def("__repr__", [](const Listener& self) {
    return "<heed.Listener " + self.participant.id + ": " + std::to_string(self.participant.trials.size()) + " trials>";
  });
  add_pickling(type, &listener_state, &listener_of_state);
}

void bind_folder(py::module_& module) {
  py::class_<BidsFolder> type(module, "BidsFolder", texts::bids_folder);
  type.def_property_readonly("participants", &ids_of);
  type.def_property_readonly("root", &BidsFolder::root);
  type.def("__len__", [](const BidsFolder& self) { return self.participants().size(); });
  type.def("__getitem__", &listener_at);
  type.def("__getitem__", &listener_named);
  type.def("__getitem__", &listeners_in);
  type.def("__repr__", [](const BidsFolder& self) {
    return "<heed.BidsFolder " + self.root() + ": " + std::to_string(self.participants().size()) + " participants>";
  });
  serve_old_protocols(type);
}

}  // namespace

void bind_listeners(py::module_& module) {
  bind_trials(module);
  bind_listener(module);
  bind_folder(module);
  module.def("_open_folder", &open_folder);
  module.def("_cross_validate", &cross_validate);
  module.def("_score_trials", &score_trials);
}

}  // namespace heed::python
