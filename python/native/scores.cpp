// SPDX-License-Identifier: MIT
// Scores of participants as Python values, and their files.
#include "native/scores.h"

#include <data/text.h>
#include <heed/io/score_tables.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/score_texts.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/pickling.h"
#include "native/views.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

using Names = std::vector<std::string>;

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// When a trial begins and how its windows lie.
struct TrialClock {
  double onset = 0;
  double window = 1;
  std::optional<double> hop{};  // nothing: the window's length
};

// Labels are held to the speakers by the participant: of features the columns do not tell how many there are.
ScoredTrial make_trial(const py::object& scores, const py::object& attended, std::string name,
                       const TrialClock& clock) {
  const Rows rows = rows_of(scores, "scores");
  if (rows.view.rows == 0) refuse("scores", "no window: a trial has at least one");
  if (!(clock.window > 0) || !std::isfinite(clock.window)) refuse("window", "must be in seconds, above 0");
  const double hop = clock.hop.value_or(clock.window);
  if (!(hop > 0) || hop > clock.window) {
    refuse("hop", "must be in seconds, above 0 and at most the window's length, not " + data::shown(hop));
  }
  if (!std::isfinite(clock.onset)) refuse("onset", "must be in seconds");
  ScoredTrial trial{
      std::move(name), Seconds{clock.onset}, {copied(rows.view), Seconds{clock.window}, Seconds{hop}}, {}};
  const auto windows = static_cast<std::size_t>(rows.view.rows);
  if (attended.is_none()) {
    trial.attention.attended.assign(windows, unknown_speaker);
    return trial;
  }
  trial.attention = attention_of(attended, "attended", std::numeric_limits<Speaker>::max());
  if (trial.attention.attended.size() != windows) {
    refuse("attended", counted(trial.attention.attended.size(), "label") + " for " + counted(windows, "window") +
                           "; give one per window, -1 where it is not known");
  }
  return trial;
}

Names default_speakers(std::size_t count) {
  Names names;
  for (std::size_t k = 1; k <= count; ++k) names.push_back("speaker-" + std::to_string(k));
  return names;
}

std::string place(const ScoredTrial& trial, std::size_t number) {
  return trial.name.empty() ? "trial " + std::to_string(number) : "trial " + trial.name;
}

void check_trial(const ScoredTrial& trial, const ScoredParticipant& participant, const std::string& where) {
  const auto columns = static_cast<std::size_t>(trial.scores.values.cols());
  const Names& names = participant.features.empty() ? participant.speakers : participant.features;
  if (columns != names.size()) {
    refuse("trials", where + " has " + counted(columns, "column") + ", but there are " + std::to_string(names.size()) +
                         (participant.features.empty() ? " speakers" : " features"));
  }
  if (trial.scores.window != participant.window() || trial.scores.hop != participant.hop()) {
    refuse("trials", where + " has windows of another length or hop; all trials of a participant have one");
  }
  const auto speakers = static_cast<Speaker>(participant.speakers.size());
  const auto outside =
      std::ranges::find_if(trial.attention.attended, [speakers](Speaker label) { return label >= speakers; });
  if (outside == trial.attention.attended.end()) return;
  refuse("trials", where + ", window " + std::to_string(outside - trial.attention.attended.begin() + 1) +
                       ": attended is " + std::to_string(*outside) + "; speakers count from 0 to " +
                       std::to_string(speakers - 1));
}

void check_names(const Names& names, const char* argument) {
  Names sorted = names;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) refuse(argument, "'" + *twice + "' appears twice");
}

void check(const ScoredParticipant& participant) {
  if (participant.speakers.size() < 2) refuse("speakers", "attention needs two or more to choose between");
  check_names(participant.speakers, "speakers");
  check_names(participant.features, "features");
  Names trials;
  for (const ScoredTrial& trial : participant.trials) {
    check_trial(trial, participant, place(trial, trials.size() + 1));
    trials.push_back(trial.name);
  }
  check_names(trials, "trials: the name");
}

ScoreType type_named(const std::string& name) {
  if (const auto type = data::score_type_named(name)) return *type;
  refuse("score_type", "is '" + name + "'; give " + std::string(data::score_type_words));
}

// Keys of the sidecar; what is not known is not there.
struct OriginKey {
  const char* name;
  std::string ScoreOrigin::*value;
};
constexpr std::array origin_keys{
    OriginKey{"Decoder", &ScoreOrigin::decoder}, OriginKey{"Preprocessing", &ScoreOrigin::preprocessing},
    OriginKey{"Recipe", &ScoreOrigin::recipe}, OriginKey{"Population", &ScoreOrigin::population},
    OriginKey{"Kernels", &ScoreOrigin::kernels}};

py::dict origin_dict(const ScoreOrigin& origin) {
  py::dict result;
  for (const auto& [name, value] : origin_keys) {
    if (!(origin.*value).empty()) result[name] = origin.*value;
  }
  return result;
}

ScoreOrigin origin_of(const py::dict& texts) {
  ScoreOrigin origin;
  for (const auto& [key, text] : texts) {
    const auto word = py::str(key).cast<std::string>();
    const auto* const known = std::ranges::find_if(origin_keys, [&](const OriginKey& one) { return word == one.name; });
    if (known == origin_keys.end()) {
      refuse("origin", "has the key '" + word + "'; keys are Decoder, Preprocessing, Recipe, Population and Kernels");
    }
    if (!py::isinstance<py::str>(text)) refuse("origin", "its values must be text");
    origin.*known->value = text.cast<std::string>();
  }
  return origin;
}

struct Columns {
  std::optional<Names> speakers{};
  std::string type = "correlation";
  std::optional<Names> features{};
};

ScoredParticipant make_participant(std::string id, std::vector<ScoredTrial> trials, const Columns& columns) {
  if (trials.empty()) refuse("trials", "is empty: a participant has at least one");
  if (columns.features && !columns.speakers) refuse("features", "need speakers too: the names of the states");
  ScoredParticipant participant{std::move(id), {}, type_named(columns.type), std::move(trials), {}};
  participant.features = columns.features.value_or(Names{});
  const auto count = static_cast<std::size_t>(participant.trials.front().scores.values.cols());
  participant.speakers = columns.speakers.value_or(default_speakers(count));
  if (participant.trials.size() > 1) {
    for (std::size_t k = 0; k < participant.trials.size(); ++k) {
      if (participant.trials[k].name.empty()) participant.trials[k].name = std::to_string(k + 1);
    }
  }
  check(participant);
  return participant;
}

py::array_t<double> scores_view(const py::object& self) {
  const Matrix& values = self.cast<const ScoredTrial&>().scores.values;
  return read_only_view(values.data(), {values.rows(), values.cols()}, self);
}

py::array_t<Speaker> attended_view(const py::object& self) {
  const std::vector<Speaker>& attended = self.cast<const ScoredTrial&>().attention.attended;
  return read_only_view(attended.data(), {std::ssize(attended)}, self);
}

py::tuple trials_of(const py::object& self) {
  const auto& trials = self.cast<const ScoredParticipant&>().trials;
  py::tuple result(trials.size());
  for (std::size_t k = 0; k < trials.size(); ++k) {
    result[k] = py::cast(trials[k], py::return_value_policy::reference_internal, self);
  }
  return result;
}

// A window that is missing in both is the same in both.
bool same(const ScoredTrial& a, const ScoredTrial& b) {
  const auto equal = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  const Matrix& first = a.scores.values;
  const Matrix& second = b.scores.values;
  return a.name == b.name && a.onset == b.onset && a.scores.window == b.scores.window && a.scores.hop == b.scores.hop &&
         a.attention.attended == b.attention.attended && first.cols() == second.cols() &&
         std::equal(first.data(), first.data() + first.size(), second.data(), second.data() + second.size(), equal);
}

bool same(const ScoredParticipant& a, const ScoredParticipant& b) {
  return a.id == b.id && a.speakers == b.speakers && a.type == b.type && a.features == b.features &&
         std::ranges::equal(a.trials, b.trials, [](const auto& x, const auto& y) { return same(x, y); });
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string windows_text(std::size_t windows, const Scores& scores) {
  return counted(windows, "window") + " of " + data::shown(scores.window.value) + " s" +
         data::shown_hop(scores.window, scores.hop);
}

std::string describe(const ScoredTrial& trial) {
  return "<heed.ScoredTrial" + (trial.name.empty() ? "" : " " + trial.name) + ": " +
         windows_text(trial.attention.attended.size(), trial.scores) + ", " +
         counted(static_cast<std::size_t>(trial.scores.values.cols()), "column") + ">";
}

std::string describe(const ScoredParticipant& participant) {
  std::size_t windows = 0;
  for (const ScoredTrial& trial : participant.trials) windows += trial.attention.attended.size();
  const std::string columns = participant.features.empty() ? "speakers " + joined(participant.speakers)
                                                           : "features " + joined(participant.features) + ", states " +
                                                                 joined(participant.speakers);
  return "<heed.Participant " + participant.id + ": " + counted(participant.trials.size(), "trial") + ", " +
         windows_text(windows, participant.trials.front().scores) + ", " + columns + ">";
}

template <typename Value>
void add_value_habits(py::class_<Value>& type) {
  type.def("__repr__", [](const Value& self) { return describe(self); });
  type.def(
      "__eq__", [](const Value& self, const Value& other) { return same(self, other); }, py::is_operator());
  type.attr("__hash__") = py::none();  // equal by what they hold, which may be much
}

void bind_trial(py::module_& module) {
  py::class_<ScoredTrial> type(module, "ScoredTrial", texts::scored_trial);
  type.def(py::init([](const py::object& scores, const py::object& attended, std::string name, double onset,
                       double window, std::optional<double> hop) {
             return make_trial(scores, attended, std::move(name), {onset, window, hop});
           }),
           py::arg("scores"), py::arg("attended") = py::none(), py::kw_only(), py::arg("name") = "",
           py::arg("onset") = 0.0, py::arg("window") = 1.0, py::arg("hop") = py::none());
  type.def_property_readonly("scores", &scores_view);
  type.def_property_readonly("attended", &attended_view);
  type.def_readonly("name", &ScoredTrial::name);
  type.def_property_readonly("onset", [](const ScoredTrial& self) { return self.onset.value; });
  type.def_property_readonly("window", [](const ScoredTrial& self) { return self.scores.window.value; });
  type.def_property_readonly("hop", [](const ScoredTrial& self) { return self.scores.hop.value; });
  add_pickling(
      type,
      [](const py::object& self) {
        const auto& trial = self.cast<const ScoredTrial&>();
        return py::make_tuple(scores_view(self), attended_view(self), trial.name, trial.onset.value,
                              trial.scores.window.value, trial.scores.hop.value);
      },
      [](const py::tuple& state) {
        return make_trial(state[0], state[1], state[2].cast<std::string>(),
                          {state[3].cast<double>(), state[4].cast<double>(), state[5].cast<double>()});
      });
  add_value_habits(type);
}

void bind_participant(py::module_& module) {
  py::class_<ScoredParticipant> type(module, "Participant", texts::participant);
  type.def(py::init([](std::string id, std::vector<ScoredTrial> trials, std::optional<Names> speakers,
                       std::string score_type, std::optional<Names> features, const std::optional<py::dict>& origin) {
             auto participant = make_participant(std::move(id), std::move(trials),
                                                 {std::move(speakers), std::move(score_type), std::move(features)});
             if (origin) participant.origin = origin_of(*origin);
             return participant;
           }),
           py::arg("id"), py::arg("trials"), py::kw_only(), py::arg("speakers") = py::none(),
           py::arg("score_type") = "correlation", py::arg("features") = py::none(), py::arg("origin") = py::none());
  type.def_readonly("id", &ScoredParticipant::id);
  type.def_readonly("speakers", &ScoredParticipant::speakers);
  type.def_readonly("features", &ScoredParticipant::features);
  type.def_property_readonly("score_type",
                             [](const ScoredParticipant& self) { return std::string(data::name_of(self.type)); });
  type.def_property_readonly("window", [](const ScoredParticipant& self) { return self.window().value; });
  type.def_property_readonly("hop", [](const ScoredParticipant& self) { return self.hop().value; });
  type.def_property_readonly("trials", &trials_of);
  type.def_property_readonly("origin", [](const ScoredParticipant& self) { return origin_dict(self.origin); });
  add_pickling(
      type,
      [](const py::object& self) {
        const auto& one = self.cast<const ScoredParticipant&>();
        return py::make_tuple(one.id, trials_of(self), one.speakers, std::string(data::name_of(one.type)), one.features,
                              origin_dict(one.origin));
      },
      [](const py::tuple& state) {
        ScoredParticipant one{state[0].cast<std::string>(), state[2].cast<Names>(),
                              type_named(state[3].cast<std::string>()), state[1].cast<std::vector<ScoredTrial>>(),
                              state[4].cast<Names>()};
        if (state.size() > 5) one.origin = origin_of(state[5].cast<py::dict>());
        if (one.trials.empty()) refuse("trials", "the pickle holds none");
        check(one);
        return one;
      });
  add_value_habits(type);
}

py::list read_scores(const py::object& paths, const std::optional<Names>& states, bool probabilities) {
  const auto files = paths_of(paths, "paths");
  const io::ScoreReadOptions options{states.value_or(Names{}), probabilities};
  return to_list(read_cohort(files, options));
}

void write_scores(const std::filesystem::path& path, const ScoredParticipant& participant, int digits) {
  if (digits < 1 || digits > 17) refuse("digits", "must be from 1 to 17");
  const Released released;
  io::write_scores(path, participant, {.digits = digits});
}

}  // namespace

std::vector<std::filesystem::path> paths_of(const py::object& value, const char* argument, const char* wanted) {
  if (py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__")) return {value.cast<std::filesystem::path>()};
  const auto refused = [&] { return py::type_error(std::string(argument) + ": expected " + wanted); };
  std::vector<std::filesystem::path> paths;
  try {
    for (const py::handle one : value) paths.push_back(one.cast<std::filesystem::path>());
  } catch (const py::cast_error&) {
    throw refused();
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError)) throw;  // of the caller's own iterator, or Ctrl-C
    throw refused();
  }
  if (paths.empty()) refuse(argument, "is empty: give at least one file or folder");
  return paths;
}

std::vector<ScoredParticipant> read_cohort(const std::vector<std::filesystem::path>& paths,
                                           const io::ScoreReadOptions& options) {
  io::ScoresCohort cohort;
  {
    const Released released;
    cohort = io::read_scores_cohort(paths, options);
  }
  warn(cohort.warnings);
  return std::move(cohort.participants);
}

py::list to_list(std::vector<ScoredParticipant>&& participants) {
  py::list result;
  for (ScoredParticipant& one : participants) result.append(py::cast(std::move(one)));
  return result;
}

void bind_scores(py::module_& module) {
  bind_trial(module);
  bind_participant(module);
  module.def("read_scores", &read_scores, py::arg("paths"), py::kw_only(), py::arg("states") = py::none(),
             py::arg("probabilities") = false, texts::read_scores);
  module.def("write_scores", &write_scores, py::arg("path"), py::arg("participant"), py::kw_only(),
             py::arg("digits") = 6, texts::write_scores);
}

}  // namespace heed::python
