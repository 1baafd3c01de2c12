// SPDX-License-Identifier: MIT
// Decoders trained on arrays or listeners, and what they make of signals. heed/decoders.py has the estimators.
#include <heed/decode/cca.h>
#include <heed/decode/score.h>
#include <heed/io/model_file.h>
#include <pipeline/scoring/training.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <numeric>
#include <optional>

#include "native/bindings.h"
#include "native/docs/decoder_texts.h"
#include "native/eeg/arguments.h"
#include "native/eeg/trials.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/pickling.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

// ---- training ----

// Signals of the caller: X, and beside it what was heard, the attended speaker first.
struct Heard {
  Rows eeg{};
  Rows stimuli{};
  std::vector<Index> lengths{};
  std::vector<std::string> targets{};

  [[nodiscard]] Index speakers() const { return stimuli.view.columns / std::ssize(targets); }
};

struct HeardArrays {
  py::object eeg;
  py::object stimuli;
  py::object lengths;
};

Heard heard(const HeardArrays& arrays, std::vector<std::string> targets) {
  const auto& [eeg, stimuli, lengths] = arrays;
  Heard result{rows_of(eeg, "X"), stimulus_rows(stimuli), {}, std::move(targets)};
  const Index rows = result.eeg.view.rows;
  if (result.stimuli.view.rows != rows) {
    refuse("stimuli", std::to_string(result.stimuli.view.rows) + " samples, X has " + std::to_string(rows));
  }
  result.lengths = lengths.is_none() ? std::vector<Index>{rows} : lengths_of(lengths, rows);
  return result;
}

// Every sequence as a trial. Its EEG is the caller's channels by the names of a decoder.
std::vector<Trial> trials_of(const Heard& signals, Hertz sampling_frequency, const std::vector<std::string>& channels) {
  std::vector<Trial> trials;
  Index first = 0;
  for (const Index count : signals.lengths) {
    Trial trial{.sampling_frequency = sampling_frequency, .channels = channels};
    if (signals.lengths.size() > 1) trial.name = "sequence " + std::to_string(trials.size() + 1);
    RecordedRows rows = recorded_rows(signals.eeg.view.middle_rows(first, count));
    trial.eeg = std::move(rows.values);
    trial.missing = std::move(rows.missing);
    trial.targets = signals.targets;
    trial.stimuli = one_a_speaker(signals.stimuli.view.middle_rows(first, count), trial.targets.size());
    trial.speakers = counted_names(signals.speakers());
    trials.push_back(std::move(trial));
    first += count;
  }
  return trials;
}

// CCA without anybody who was not attended: pairs, and no discriminant.
pipeline::TrainedDecoder train_pairs(const std::vector<Trial>& trials, const pipeline::DecoderChoice& choice) {
  const decode::TrainingOptions options = pipeline::training_options(choice, Seconds{1});
  std::vector<decode::TrialStatistics> statistics;
  statistics.reserve(trials.size());
  for (const Trial& trial : trials) statistics.push_back(decode::trial_statistics(trial, options.lags));
  std::vector<decode::TrainingTrial> training;
  training.reserve(trials.size());
  for (std::size_t k = 0; k < trials.size(); ++k) training.push_back({&trials[k], &statistics[k]});
  return pipeline::finished(decode::train_pairs(training, options), decode::total(statistics), choice, {});
}

// (decoder, pattern channels x lags)
py::tuple handed_over(pipeline::TrainedDecoder&& trained) {
  return py::make_tuple(std::move(trained.decoder), to_numpy(std::move(trained.pattern.values)));
}

py::tuple train_on_arrays(const HeardArrays& arrays, const std::vector<std::string>& channels, const py::dict& options,
                          double window) {
  const auto choice = pipeline::resolve(request_of(options));
  const Heard signals = heard(arrays, io::names_of(choice.preprocessing.targets));
  pipeline::TrainedDecoder trained;
  {
    Released released;
    pipeline::ParticipantTrials one{.id = "array"};
    one.trials = trials_of(signals, choice.preprocessing.sampling_frequency, channels);
    for (Trial& trial : one.trials) trial.attention = {{{0, trial.samples()}, 0}};
    released.check();
    const bool alone = choice.kind == pipeline::DecoderKind::cca && signals.speakers() == 1;
    trained = alone ? train_pairs(one.trials, choice) : pipeline::train(one, choice, Seconds{window});
    trained.decoder.origin = "arrays of " + std::to_string(signals.eeg.view.rows) + " samples";
  }
  return handed_over(std::move(trained));
}

// Listeners may be a list, or a folder that reads each when it is asked for.
py::tuple train_on_listeners(const py::sequence& listeners, const py::dict& options, double window) {
  const auto load = [&](std::size_t k) {
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return py::object(listeners[k]).cast<const Listener&>().participant;
  };
  const std::size_t count = listeners.size();  // asked for while Python may be asked
  if (count == 0) refuse("X", "there is no listener to train on");
  const auto first = py::object(listeners[0]);
  const auto choice = choice_for(first.cast<const Listener&>(), request_of(options));
  pipeline::TrainedDecoder trained;
  {
    const Released released;
    trained = pipeline::train(count, load, choice, Seconds{window});
  }
  return handed_over(std::move(trained));
}

// One listener with what others lend, with or without labels: (decoder, pattern, attention of each trial or None,
// certainty of each pass).
py::tuple train_on_listener(const Listener& listener, const py::dict& options, double window, const py::object& lenders,
                            bool label_free) {
  pipeline::DecoderRequest request = request_of(options);
  const auto spread = label_free ? std::optional(Seconds{window}) : std::nullopt;
  const Others others(lenders, listener, request, std::nullopt, spread);
  pipeline::TrainResult result;
  result.choice = others.choice();
  {
    const Released released;
    pipeline::train_listener({listener.participant, sources_of(listener), others.lender(), Seconds{window}, label_free},
                             result);
  }
  warn_of(result.notes);
  py::list attention;
  std::vector<double> certainty;
  if (auto& learnt = result.label_free) {
    for (TrackedTrial& trial : learnt->attention.trials) attention.append(to_numpy(std::move(trial.posteriors.values)));
    for (const pipeline::LabelFreePass& pass : learnt->passes) certainty.push_back(pass.certainty);
  }
  auto& [decoder, pattern] = result.trained;
  return py::make_tuple(std::move(decoder), to_numpy(std::move(pattern.values)), attention, certainty);
}

// ---- use ----

// What is filtered: a side of the decoder.
struct Side {
  std::vector<Matrix> filters{};
  LagRange lags{};
  SignalScales scales{};
};

Side eeg_side(const Decoder& decoder) { return {decode::eeg_filters(decoder), decoder.eeg_lags, decoder.eeg_scales}; }

Side stimulus_side(const Decoder& decoder) {
  return {decode::stimulus_filters(decoder), decoder.stimulus_lags, decoder.stimulus_scales};
}

// samples x pairs. A sample whose lags see a NaN is NaN.
py::array_t<double> filtered(const Side& side, const Rows& rows, const py::object& lengths) {
  const std::vector<Index> counts =
      lengths.is_none() ? std::vector<Index>{rows.view.rows} : lengths_of(lengths, rows.view.rows);
  Matrix result(rows.view.rows, std::ssize(side.filters));
  {
    Released released;
    Index first = 0;
    for (const Index count : counts) {
      decode::LaggedFilter filter(side.filters, side.lags, side.scales);
      const Matrix begin = filter.push(rows.view.middle_rows(first, count));
      result.middleRows(first, begin.rows()) = begin;
      result.middleRows(first + begin.rows(), count - begin.rows()) = filter.finish();
      first += count;
      released.check();
    }
  }
  return to_numpy(std::move(result));
}

// (windows x speakers, windows of each sequence)
py::tuple window_scores(const Decoder& decoder, const Heard& signals, const decode::WindowLayout& layout) {
  std::vector<Matrix> scores;
  std::vector<Index> counts;
  Matrix together;
  {
    Released released;
    for (const Trial& trial : trials_of(signals, decoder.preprocessing.sampling_frequency, decoder.channels)) {
      scores.push_back(decode::score(decoder, trial, layout).values);
      counts.push_back(scores.back().rows());
      released.check();
    }
    together.resize(std::accumulate(counts.begin(), counts.end(), Index{0}), signals.speakers());
    Index first = 0;
    for (const Matrix& part : scores) {
      together.middleRows(first, part.rows()) = part;
      first += part.rows();
    }
  }
  return py::make_tuple(to_numpy(std::move(together)), counts);
}

// ---- the value ----

// [pair] lags x channels as one array.
py::array_t<double> stacked(const std::vector<Matrix>& filters) {
  const Index lags = filters.front().rows();
  Matrix together(std::ssize(filters) * lags, filters.front().cols());
  for (Index p = 0; p < std::ssize(filters); ++p) {
    together.middleRows(p * lags, lags) = filters[static_cast<std::size_t>(p)];
  }
  const Index columns = together.cols();
  return py::array_t<double>(to_numpy(std::move(together)).reshape({std::ssize(filters), lags, columns}));
}

py::array_t<double> seconds_of(const LagRange& lags, Hertz rate) {
  std::vector<double> seconds;
  for (Index lag = lags.first; lag <= lags.last; ++lag) seconds.push_back(static_cast<double>(lag) / rate.value);
  return to_numpy(std::move(seconds));
}

const CcaDecoder* pairs_of(const Decoder& decoder) { return std::get_if<CcaDecoder>(&decoder.filters); }

bool can_score(const Decoder& decoder) {
  const CcaDecoder* pairs = pairs_of(decoder);
  return pairs == nullptr || pairs->discriminant.weights.size() > 0;
}

// Files hold whole decoders only: pairs alone are pickled with a discriminant of zeros, and a word that there is none.
py::tuple state_of(const Decoder& decoder) {
  Decoder whole = decoder;
  if (!can_score(decoder)) {
    auto& pairs = std::get<CcaDecoder>(whole.filters);
    pairs.discriminant.weights = Eigen::VectorXd::Zero(std::ssize(pairs.eeg_filters));
  }
  return py::make_tuple(io::decoder_text(whole), can_score(decoder));
}

Decoder from_state(const py::tuple& state) {
  if (state.size() != 2) refuse("state", "is not of a decoder");
  Decoder decoder = io::parse_decoder(state[0].cast<std::string>());
  if (!state[1].cast<bool>()) std::get<CcaDecoder>(decoder.filters).discriminant = {};
  return decoder;
}

void bind_decoder(py::module_& module) {
  py::class_<Decoder> type(module, "Decoder", texts::decoder);
  type.def_static("load", &io::read_decoder, py::arg("path"), texts::decoder_load);
  type.def_static("from_json", &io::parse_decoder, py::arg("text"), texts::decoder_from_json);
  type.def(
      "save", [](const Decoder& self, const std::filesystem::path& path) { io::write_decoder(path, self); },
      py::arg("path"), texts::decoder_save);
  type.def("to_json", &io::decoder_text, texts::decoder_to_json);
  type.def_property_readonly("kind", [](const Decoder& self) { return pairs_of(self) != nullptr ? "cca" : "ls"; });
  type.def_property_readonly("can_score", &can_score);
  type.def_property_readonly("sampling_frequency",
                             [](const Decoder& self) { return self.preprocessing.sampling_frequency.value; });
  type.def_property_readonly("preprocessing",
                             [](const Decoder& self) { return preprocessing_dict(self.preprocessing); });
  type.def_property_readonly(
      "lags", [](const Decoder& self) { return seconds_of(self.eeg_lags, self.preprocessing.sampling_frequency); });
  type.def_property_readonly("stimulus_lags", [](const Decoder& self) {
    return seconds_of(self.stimulus_lags, self.preprocessing.sampling_frequency);
  });
  type.def_property_readonly("eeg_filters", [](const Decoder& self) { return stacked(decode::eeg_filters(self)); });
  type.def_property_readonly("stimulus_filters",
                             [](const Decoder& self) { return stacked(decode::stimulus_filters(self)); });
  type.def_property_readonly(
      "window", [](const Decoder& self) { return pairs_of(self) != nullptr ? pairs_of(self)->window.value : 1.0; });
  type.def_property_readonly(
      "score", [](const Decoder& self) { return self.rule.measure == WindowMeasure::cosine ? "cosine" : "pearson"; });
  type.def_property_readonly("score_shrinkage", [](const Decoder& self) { return self.rule.shrinkage; });
  type.def_property_readonly("score_memory", [](const Decoder& self) {
    return self.rule.memory ? std::optional(self.rule.memory->value) : std::nullopt;
  });
  type.def_readonly("channels", &Decoder::channels);
  type.def_readonly("targets", &Decoder::targets);
  type.def_readonly("participants", &Decoder::participants);
  type.def_readonly("runs", &Decoder::runs);
  type.def_readonly("origin", &Decoder::origin);
  type.def("__repr__", [](const Decoder& self) { return "<heed: " + io::describe(self) + ">"; });
  type.def(
      "__eq__", [](const Decoder& a, const Decoder& b) { return state_of(a).equal(state_of(b)); }, py::is_operator());
  type.attr("__hash__") = py::none();  // equal by what they hold, which is much
  add_pickling(type, &state_of, &from_state);
}

}  // namespace

void bind_decoders(py::module_& module) {
  bind_decoder(module);
  module.def("_train_on_arrays", [](const py::object& eeg, const py::object& stimuli, const py::object& lengths,
                                    const std::vector<std::string>& channels, const py::dict& options, double window) {
    return train_on_arrays({eeg, stimuli, lengths}, channels, options, window);
  });
  module.def("_train_on_listeners", &train_on_listeners);
  module.def("_train_on_listener", &train_on_listener);
  module.def("_filtered_eeg", [](const Decoder& decoder, const py::object& eeg, const py::object& lengths) {
    return filtered(eeg_side(decoder), rows_of(eeg, "X"), lengths);
  });
  module.def("_filtered_stimulus", [](const Decoder& decoder, const py::object& stimulus, const py::object& lengths) {
    return filtered(stimulus_side(decoder), rows_of(stimulus, "y"), lengths);
  });
  module.def("_window_scores", [](const Decoder& decoder, const py::object& eeg, const py::object& stimuli,
                                  const py::object& lengths, const py::tuple& layout,
                                  const std::vector<std::string>& targets) {
    const auto [window, hop, step] = layout.cast<std::tuple<double, std::optional<double>, std::optional<double>>>();
    const auto wanted = layouts_of(py::float_(window), hop, step).front();
    return window_scores(decoder, heard({eeg, stimuli, lengths}, targets), wanted);
  });
}

}  // namespace heed::python
