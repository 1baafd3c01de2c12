// SPDX-License-Identifier: MIT
// heed.evaluate on arrays: posteriors or decisions against the attention that is known; and from posteriors to gains,
// and what those are worth.
#include <heed/evaluate/gains.h>
#include <heed/pipeline/evaluate.h>
#include <heed/track/tracker.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <variant>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/evaluation_texts.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/json_objects.h"
#include "native/views.h"

namespace heed::python {
namespace {

struct EvaluateOptions {
  py::object decisions = py::none();
  double window = 1;
  std::optional<double> hop{};  // nothing: the window's length
  py::object lengths = py::none();
  double look_ahead = 0;
  std::optional<int> speakers{};
  std::vector<evaluate::GainOptions> gains{};
};

// What was tracked, all trials below each other.
struct Tracked {
  Rows posteriors{};                 // without a row: decisions alone
  std::vector<Speaker> decisions{};  // empty: the most probable, by the rule of every tracker
  std::vector<Speaker> attended{};
  std::vector<Index> lengths{};
  Index speakers = 0;
};

// Decisions alone do not say how many speakers there are. Nobody listens to more; a label beyond is a mistake.
constexpr Index any_speaker = 1000;

bool is_flat(const py::object& values) {
  const py::array array = py::array::ensure(values);
  if (!array) PyErr_Clear();  // whoever takes the values says so better
  return array && array.ndim() == 1;
}

// A block of sequences has its labels in as many rows.
py::object flat(const py::object& labels, bool block) {
  const py::array array = block ? py::array::ensure(labels) : py::array();
  if (!array) PyErr_Clear();  // as above
  return block && array ? py::object(array.attr("reshape")(-1)) : labels;
}

std::vector<Speaker> labels_of(const py::object& values, const char* argument, Index speakers) {
  return attention_of(values, argument, speakers).attended;
}

void check_count(const std::vector<Speaker>& labels, const char* argument, Index windows) {
  if (std::ssize(labels) == windows) return;
  refuse(argument, std::to_string(labels.size()) + " for " + std::to_string(windows) + " windows; give one per window");
}

Tracked from_posteriors(const py::object& posteriors, const py::object& attended, const EvaluateOptions& options) {
  Tracked tracked;
  tracked.posteriors = rows_of(posteriors, "posteriors", Dimensions::two_or_three);
  const MatrixView& view = tracked.posteriors.view;
  const bool block = tracked.posteriors.sequences > 0;
  tracked.speakers = view.columns;
  if (options.speakers && *options.speakers != view.columns) refuse("speakers", "posteriors have a column for each");
  if (block && !options.lengths.is_none()) {
    refuse("lengths", "needs two dimensions; in a block, all sequences have the same length");
  }
  if (block) {
    tracked.lengths.assign(static_cast<std::size_t>(tracked.posteriors.sequences),
                           view.rows / tracked.posteriors.sequences);
  }
  tracked.attended = labels_of(flat(attended, block), "attended", view.columns);
  if (!options.decisions.is_none()) {
    tracked.decisions = labels_of(flat(options.decisions, block), "decisions", view.columns);
    check_count(tracked.decisions, "decisions", view.rows);
  }
  return tracked;
}

Tracked from_decisions(const py::object& decisions, const py::object& attended, const EvaluateOptions& options) {
  if (!options.decisions.is_none()) refuse("decisions", "are given twice; give posteriors first");
  Tracked tracked;
  const Index most = options.speakers.value_or(any_speaker);
  if (most > any_speaker) refuse("speakers", "must be at most 1000");
  tracked.decisions = labels_of(decisions, "posteriors", most);
  tracked.attended = labels_of(attended, "attended", most);
  Speaker last = 1;  // two speakers at least
  for (const auto* labels : {&tracked.decisions, &tracked.attended}) {
    for (const Speaker label : *labels) last = std::max(last, label);
  }
  tracked.speakers = options.speakers.value_or(last + 1);
  return tracked;
}

Tracked parse(const py::object& values, const py::object& attended, const EvaluateOptions& options) {
  const bool decisions = is_flat(values);
  Tracked tracked = decisions ? from_decisions(values, attended, options) : from_posteriors(values, attended, options);
  if (tracked.speakers < 2) refuse("speakers", "attention needs two or more to choose between");
  const Index windows = decisions ? std::ssize(tracked.decisions) : tracked.posteriors.view.rows;
  check_count(tracked.attended, "attended", windows);
  if (tracked.lengths.empty()) {
    tracked.lengths = options.lengths.is_none() ? std::vector<Index>{windows} : lengths_of(options.lengths, windows);
  }
  if (std::ranges::all_of(tracked.attended, [](Speaker label) { return label == unknown_speaker; })) {
    refuse("attended", "no label is known, so nothing can be measured");
  }
  return tracked;
}

TrackedTrial trial_of(const Tracked& tracked, Index row, Index count, const EvaluateOptions& options) {
  const auto part = [&](const std::vector<Speaker>& labels) {
    return std::vector<Speaker>(labels.begin() + row, labels.begin() + row + count);
  };
  TrackedTrial trial;
  if (tracked.posteriors.view.rows > 0) {
    trial.posteriors.values = copied(tracked.posteriors.view.middle_rows(row, count));
  }
  trial.posteriors.window = Seconds{options.window};
  trial.posteriors.hop = Seconds{options.hop.value_or(options.window)};
  trial.decisions =
      tracked.decisions.empty()
          ? track::decide(trial.posteriors)
          : Path{.states = part(tracked.decisions), .window = trial.posteriors.window, .hop = trial.posteriors.hop};
  trial.attention.attended = part(tracked.attended);
  return trial;
}

TrackedParticipant participant_of(const Tracked& tracked, const EvaluateOptions& options) {
  TrackedParticipant participant;
  participant.speakers.resize(static_cast<std::size_t>(tracked.speakers));
  participant.look_ahead = Seconds{options.look_ahead};
  Index row = 0;
  for (const Index length : tracked.lengths) {
    participant.trials.push_back(trial_of(tracked, row, length, options));
    participant.trials.back().name = std::to_string(participant.trials.size());
    row += length;
  }
  return participant;
}

// A word for a map, or several.
using MapWords = std::optional<std::variant<std::string, std::vector<std::string>>>;

std::vector<evaluate::GainOptions> gain_options(const MapWords& gain, double range, double slew) {
  std::vector<evaluate::GainOptions> all;
  if (!gain) return all;
  const auto* one = std::get_if<std::string>(&*gain);
  for (const std::string& word : one != nullptr ? std::vector{*one} : std::get<std::vector<std::string>>(*gain)) {
    all.push_back(evaluate::with_range(range, evaluate::with_map(word)));
    all.back().slew_decibel_per_second = slew;
  }
  return all;
}

py::object evaluate(const py::object& values, const py::object& attended, const EvaluateOptions& options,
                    const std::string& id) {
  TrackedParticipant participant = participant_of(parse(values, attended, options), options);
  participant.id = id;
  std::string text;
  {
    const Released released;
    const auto evaluation = pipeline::evaluate_posteriors({.participants = {&participant, 1}, .gains = options.gains});
    text = pipeline::participant_json(evaluation, 0);
  }
  return from_json(text);
}

std::vector<Index> lengths_or_all(const py::object& lengths, Index rows) {
  return lengths.is_none() ? std::vector<Index>{rows} : lengths_of(lengths, rows);
}

py::array_t<double> gains(const py::object& posteriors, const evaluate::GainOptions& options, double hop,
                          const py::object& lengths) {
  const Rows rows = rows_of(posteriors, "posteriors");
  Matrix decibels(rows.view.rows, rows.view.columns);
  Index first = 0;
  for (const Index length : lengths_or_all(lengths, rows.view.rows)) {
    TrackedTrial trial;
    trial.posteriors = {.values = copied(rows.view.middle_rows(first, length)), .window = {hop}, .hop = {hop}};
    decibels.middleRows(first, length) = evaluate::gains_of(trial, rows.view.columns, options);
    first += length;
  }
  return to_numpy(std::move(decibels));
}

py::dict gain_worth(const py::object& decibels, const py::object& attended, double hop, const py::object& lengths) {
  const Rows rows = rows_of(decibels, "gains");
  const AttentionTrack labels = attention_of(attended, "attended", rows.view.columns);
  check_count(labels.attended, "attended", rows.view.rows);
  evaluate::GainWorth worth;
  Index first = 0;
  for (const Index length : lengths_or_all(lengths, rows.view.rows)) {
    const auto part =
        std::span(labels.attended).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length));
    worth += evaluate::GainWorth::measure(rows.view.middle_rows(first, length), part, {hop});
    first += length;
  }
  return py::dict(py::arg("benefit") = worth.benefit(), py::arg("wrong_emphasis") = worth.wrong_emphasis(),
                  py::arg("travel") = worth.travel(), py::arg("wrong_share") = worth.wrong_share());
}

}  // namespace

void bind_evaluation(py::module_& module) {
  const evaluate::GainOptions usual;
  module.def(
      "evaluate",
      [](const py::object& posteriors, const py::object& attended, const py::object& decisions, double window,
         std::optional<double> hop, const py::object& lengths, double look_ahead, std::optional<int> speakers,
         const MapWords& gain, double gain_range, double gain_slew, const std::string& id) {
        return evaluate(
            posteriors, attended,
            {decisions, window, hop, lengths, look_ahead, speakers, gain_options(gain, gain_range, gain_slew)}, id);
      },
      py::arg("posteriors"), py::arg("attended"), py::kw_only(), py::arg("decisions") = py::none(),
      py::arg("window") = 1.0, py::arg("hop") = py::none(), py::arg("lengths") = py::none(),
      py::arg("look_ahead") = 0.0, py::arg("speakers") = py::none(), py::arg("gain") = py::none(),
      py::arg("gain_range") = usual.enhanced_decibel - usual.suppressed_decibel,
      py::arg("gain_slew") = usual.slew_decibel_per_second, py::arg("id") = "01", texts::evaluate);
  module.def(
      "gains",
      [](const py::object& posteriors, const std::string& map, double enhanced, double suppressed, double slew,
         double lowest, double highest, double hop, const py::object& lengths) {
        evaluate::GainOptions options = evaluate::with_map(map);
        options.enhanced_decibel = enhanced;
        options.suppressed_decibel = suppressed;
        options.slew_decibel_per_second = slew;
        options.lowest_decibel = lowest;
        options.highest_decibel = highest;
        return gains(posteriors, options, hop, lengths);
      },
      py::arg("posteriors"), py::arg("map") = evaluate::map_word(usual), py::kw_only(),
      py::arg("enhanced") = usual.enhanced_decibel, py::arg("suppressed") = usual.suppressed_decibel,
      py::arg("slew") = usual.slew_decibel_per_second, py::arg("lowest") = usual.lowest_decibel,
      py::arg("highest") = usual.highest_decibel, py::arg("hop") = 1.0, py::arg("lengths") = py::none(), texts::gains);
  module.def("gain_worth", gain_worth, py::arg("gains"), py::arg("attended"), py::kw_only(), py::arg("hop") = 1.0,
             py::arg("lengths") = py::none(), texts::gain_worth);
}

}  // namespace heed::python
