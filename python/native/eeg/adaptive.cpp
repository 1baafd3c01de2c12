// SPDX-License-Identifier: MIT
// A decoder that learns while it listens: what heed.AdaptiveDecoder stands on.
#include <decode/dense/dense.h>
#include <heed/hmm/filter.h>
#include <heed/io/model_file.h>
#include <live/adaptive_start.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/eeg/arguments.h"
#include "native/eeg/trials.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/keywords.h"
#include "native/pickling.h"
#include "native/scores.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

// Windows x speakers.
struct HeardWindows {
  std::vector<double> scores{};
  std::vector<double> log_likelihoods{};
  std::vector<double> posteriors{};
};

py::array_t<double> table_of(const std::vector<double>& values, Index columns) {
  return to_numpy(Matrix(Eigen::Map<const Matrix>(values.data(), std::ssize(values) / columns, columns)));
}

live::AdaptiveStartRequest request_from(const Keywords& keywords) {
  live::AdaptiveStartRequest request{.decoder = request_of(keywords.object("decoder")),
                                     .listener = keywords.word("listener").value_or(""),
                                     .window = {keywords.number("window").value_or(1)},
                                     .learn = keywords.flag("learn")};
  if (const py::object population = keywords.object("population"); !population.is_none()) {
    request.population = {.given = std::make_shared<const Population>(population.cast<const Population&>()),
                          .name = "population"};
  }
  if (const py::object learnt = keywords.object("learnt"); !learnt.is_none()) {
    request.learnt = learnt.cast<const LearntListener&>();
  }
  return request;
}

pipeline::PriorRequest trials_heard(const Listener& listener) {
  pipeline::PriorRequest heard{listener.participant.id, sources_of(listener), {}};
  for (const Trial& trial : listener.participant.trials) heard.tests.push_back({trial.name});
  return heard;
}

}  // namespace

class AdaptiveEngine {
 public:
  // Of a listener's trials it starts from whoever heard other sounds than the first of them.
  AdaptiveEngine(std::vector<std::string> channels, Index speakers, const py::dict& options, const Listener* first)
      : request_(request_from(Keywords(options))), channels_(std::move(channels)), begun_(first == nullptr) {
    Notes notes;
    {
      const Released released;
      session_ = session_for(first, notes);
      const decode::AdaptiveScorer::Shape shape{.channels = std::ssize(channels_),
                                                .lags = session_.eeg_lags,
                                                .talkers = speakers,
                                                .sampling_frequency = session_.preprocessing.sampling_frequency,
                                                .window = request_.window};
      scorer_.emplace(session_.starts.empty() ? decode::AdaptiveStart{} : session_.starts.front(), shape,
                      session_.adaptation);
      filter_.emplace(hmm::Chain::sticky(speakers, session_.adaptation.switch_probability));
      if (session_.learnt) scorer_->decoder().resume(*session_.learnt);
    }
    speakers_ = speakers;
    warn(warnings_of(notes));
  }

  // (scores, log-likelihoods, posteriors) of the windows that became complete.
  py::tuple push(const py::object& eeg, const py::object& stimuli) {
    const Rows rows = rows_of(eeg, "X");
    const Rows heard = stimulus_rows(stimuli);
    if (rows.view.columns != std::ssize(channels_)) {
      refuse("X", std::to_string(rows.view.columns) + " columns, but the decoder has " +
                      std::to_string(channels_.size()) + " channels");
    }
    if (heard.view.rows != rows.view.rows || heard.view.columns != speakers_) {
      refuse("y", "must hold the speech of " + std::to_string(speakers_) + " speakers in " +
                      std::to_string(rows.view.rows) + " samples, as many as X has; it is " +
                      std::to_string(heard.view.rows) + " x " + std::to_string(heard.view.columns));
    }
    HeardWindows windows;
    {
      const Released released;
      const RecordedRows recorded = recorded_rows(rows.view);
      const std::vector<Matrix> speech = one_a_speaker(heard.view, 1);
      std::vector<MatrixView> views;
      for (const Matrix& one : speech) views.push_back(data::view(one));
      scorer_->push({data::view(recorded.values), views, recorded.missing}, windows.scores);
      follow(windows);
    }
    return handed_over(windows);
  }

  // Zeros for the lags beyond the end; then the trial is over.
  py::tuple finish() {
    HeardWindows windows;
    {
      const Released released;
      scorer_->finish(windows.scores);
      follow(windows);
      filter_->reset();
    }
    return handed_over(windows);
  }

  void reset() {
    scorer_->reset();
    filter_->reset();
  }

  // A listener's trials in turn, each by the others who heard other sounds.
  py::object listen(const Listener& listener) {
    const auto shape = pipeline::scorer_shape(listener.participant, session_.eeg_lags, request_.window);
    if (listener.participant.trials.front().channels != channels_ || shape.talkers != speakers_) {
      refuse("listener", "has other channels or another number of speakers than the decoder");
    }
    if (listener.preprocessing != session_.preprocessing) {
      refuse("listener", "was prepared in another way than the decoder's signals: " +
                             io::describe(listener.preprocessing) + ", not " + io::describe(session_.preprocessing));
    }
    Notes notes;
    std::vector<ScoredParticipant> scored;
    {
      const Released released;
      reset();
      session_.starts = session_for(&listener, notes).starts;
      if (!session_.starts.empty() && begun_) scorer_->lean_on(session_.starts.front());
      begun_ = true;
      scored.push_back(pipeline::listen(listener.participant, request_.window, *scorer_, session_.starts).scores);
      scored.back().origin = {"least squares, learning while it listens", io::describe(listener.preprocessing), "n/a",
                              "", decode::kernel_name()};
    }
    warn(warnings_of(notes));
    return to_list(std::move(scored))[0];
  }

  void learn(bool wanted) {
    const Released released;
    reset();
    scorer_->decoder().learn(wanted);
  }

  [[nodiscard]] LearntListener learnt_listener() const {
    LearntListener learnt = live::learnt_listener(session_, scorer_->decoder(), request_.window);
    learnt.listener = request_.listener;
    learnt.origin = "arrays";
    return learnt;
  }

  [[nodiscard]] py::dict learnt() const {
    using namespace py::literals;
    const decode::LearningState state = scorer_->decoder().learnt();
    const double window = request_.window.value;
    std::optional<double> guarded;
    if (state.guarded) guarded = static_cast<double>(*state.guarded) * window;
    return py::dict("labelled"_a = state.labelled_windows * window, "eeg"_a = state.eeg_windows * window,
                    "population_share"_a = state.population_share, "learning"_a = state.learning, "guarded"_a = guarded,
                    "decoders"_a = state.decoders, "mu_attended"_a = state.emission.mu_attended,
                    "mu_unattended"_a = state.emission.mu_unattended, "sigma"_a = state.emission.sigma_attended);
  }

  // Lags x channels; None while there is no decoder.
  [[nodiscard]] py::object weights() const { return by_lag(scorer_->decoder().weights()); }
  [[nodiscard]] py::object pattern() const { return by_lag(scorer_->decoder().pattern()); }
  [[nodiscard]] py::array_t<double> lags() const {
    std::vector<double> seconds;
    for (Index lag = session_.eeg_lags.first; lag <= session_.eeg_lags.last; ++lag) {
      seconds.push_back(static_cast<double>(lag) / session_.preprocessing.sampling_frequency.value);
    }
    return to_numpy(std::move(seconds));
  }

 private:
  [[nodiscard]] live::AdaptiveSession session_for(const Listener* listener, Notes& notes) const {
    live::AdaptiveStartRequest request = request_;
    if (listener != nullptr) request.heard = trials_heard(*listener);
    return live::adaptive_session(channels_, request, notes);
  }

  void follow(HeardWindows& windows) {
    const auto fresh = scorer_->log_likelihoods();
    const auto width = static_cast<std::size_t>(speakers_);
    windows.log_likelihoods.assign(fresh.begin(), fresh.end());
    for (std::size_t first = 0; first < fresh.size(); first += width) {
      (void)filter_->step(fresh.subspan(first, width));
      const auto belief = filter_->belief();
      windows.posteriors.insert(windows.posteriors.end(), belief.begin(), belief.end());
    }
  }

  [[nodiscard]] py::tuple handed_over(const HeardWindows& windows) const {
    return py::make_tuple(table_of(windows.scores, speakers_), table_of(windows.log_likelihoods, speakers_),
                          table_of(windows.posteriors, speakers_));
  }

  [[nodiscard]] py::object by_lag(std::span<const double> values) const {
    if (values.empty()) return py::none();
    return table_of({values.begin(), values.end()}, std::ssize(channels_));
  }

  live::AdaptiveStartRequest request_;
  std::vector<std::string> channels_;
  bool begun_;  // it may lean on another start than that of the next trial
  Index speakers_ = 0;
  live::AdaptiveSession session_;
  std::optional<decode::AdaptiveScorer> scorer_;
  std::optional<hmm::Stream> filter_;
};

namespace {

void bind_learnt_listener(py::module_& module) {
  py::class_<LearntListener> type(module, "LearntListener");
  type.def_static("load", &io::read_listener, py::arg("path"));
  type.def(
      "save", [](const LearntListener& self, const std::filesystem::path& path) { io::write_listener(path, self); },
      py::arg("path"));
  type.def_readonly("channels", &LearntListener::channels);
  type.def_readonly("listener", &LearntListener::listener);
  type.def_property_readonly("window", [](const LearntListener& self) { return self.window.value; });
  type.def_property_readonly("sampling_frequency",
                             [](const LearntListener& self) { return self.preprocessing.sampling_frequency.value; });
  type.def_property_readonly("preprocessing",
                             [](const LearntListener& self) { return preprocessing_dict(self.preprocessing); });
  type.def_property_readonly("lags", [](const LearntListener& self) {
    const double rate = self.preprocessing.sampling_frequency.value;
    return py::make_tuple(static_cast<double>(self.lags.first) / rate, static_cast<double>(self.lags.last) / rate);
  });
  add_pickling(
      type, [](const LearntListener& self) { return py::make_tuple(io::listener_text(self)); },
      [](const py::tuple& state) {
        if (state.size() != 1) refuse("state", "is not of a learnt listener");
        return io::parse_listener(state[0].cast<std::string>());
      });
}

}  // namespace

void bind_adaptive(py::module_& module) {
  bind_learnt_listener(module);
  py::class_<AdaptiveEngine> type(module, "AdaptiveEngine");
  type.def(py::init<std::vector<std::string>, Index, const py::dict&, const Listener*>(), py::arg("channels"),
           py::arg("speakers"), py::arg("options"), py::arg("first") = py::none());
  type.def("push", &AdaptiveEngine::push, py::arg("eeg"), py::arg("stimuli"));
  type.def("finish", &AdaptiveEngine::finish);
  type.def("reset", &AdaptiveEngine::reset);
  type.def("listen", &AdaptiveEngine::listen, py::arg("listener"));
  type.def("learn", &AdaptiveEngine::learn, py::arg("wanted"));
  type.def("learnt_listener", &AdaptiveEngine::learnt_listener);
  type.def_property_readonly("learnt", &AdaptiveEngine::learnt);
  type.def_property_readonly("weights", &AdaptiveEngine::weights);
  type.def_property_readonly("pattern", &AdaptiveEngine::pattern);
  type.def_property_readonly("lags", &AdaptiveEngine::lags);
  serve_old_protocols(type);
}

}  // namespace heed::python
