// SPDX-License-Identifier: MIT
// Attention as it happens, fed with arrays: what heed.LiveSession stands on.
#include <heed/evaluate/gains.h>
#include <heed/live/session.h>
#include <live/calibrator.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/live_texts.h"
#include "native/eeg/arguments.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/keywords.h"
#include "native/model_arguments.h"
#include "native/pickling.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

using live::Block;
using live::BlockKind;

py::array_t<double> array_of(std::span<const double> values) {
  return to_numpy(std::vector<double>(values.begin(), values.end()));
}

// Decisions as dictionaries, of which heed.LiveDecision is made.
class Gathered final : public live::Sink {
 public:
  void decided(const live::Decision& decision) override {
    using namespace py::literals;
    py::object hindsight = py::none();
    if (!decision.hindsight.empty()) hindsight = array_of(decision.hindsight);
    decisions.append(py::dict("t"_a = decision.end.value, "onset"_a = decision.onset.value,
                              "window"_a = decision.window, "trial"_a = std::string(decision.trial),
                              "scores"_a = array_of(decision.scores), "posterior"_a = array_of(decision.posterior),
                              "decision"_a = decision.decision, "attended"_a = decision.attended,
                              "gains_db"_a = array_of(decision.gains), "state"_a = std::string(name(decision.standing)),
                              "held"_a = decision.held, "hindsight"_a = hindsight));
  }
  void relaxed(const live::Relaxation& relaxation) override { relaxed_gains = array_of(relaxation.gains); }

  py::list decisions{};
  py::object relaxed_gains = py::none();
};

live::StreamContent content_named(const std::string& word) {
  if (word == "signals") return live::StreamContent::signals;
  return word == "scores" ? live::StreamContent::scores : live::StreamContent::log_likelihoods;
}

live::StreamDescription stream_of(const Keywords& keywords) {
  live::StreamDescription stream{.name = "the session"};
  stream.speakers =
      keywords.optional<std::vector<std::string>>("speakers", "names").value_or(std::vector<std::string>{});
  stream.content = content_named(keywords.word("content").value_or("signals"));
  stream.window = Seconds{keywords.number("window").value_or(1)};
  if (const auto hop = keywords.number("hop")) stream.hop = Seconds{*hop};
  stream.sampling_frequency = Hertz{keywords.number("rate").value_or(0)};
  stream.channels =
      keywords.optional<std::vector<std::string>>("channels", "names").value_or(std::vector<std::string>{});
  stream.bad = keywords.optional<std::vector<std::string>>("bad", "names").value_or(std::vector<std::string>{});
  const auto audio = keywords.number("audio_rate");
  const auto envelope = keywords.number("envelope_rate");
  for (std::size_t s = 0; s < stream.speakers.size() && (audio || envelope); ++s) {
    stream.feeds.push_back({.speaker = static_cast<Speaker>(s),
                            .kind = audio ? live::FeedKind::audio : live::FeedKind::envelope,
                            .sampling_frequency = {audio ? *audio : *envelope}});
  }
  return stream;
}

live::SteeringOptions steering_of(const Keywords& keywords) {
  live::SteeringOptions steering;
  auto& gains = steering.gains;
  if (const auto map = keywords.word("gain_map")) gains = evaluate::with_map(*map, gains);
  gains.enhanced_decibel = keywords.number("enhanced_db").value_or(gains.enhanced_decibel);
  gains.suppressed_decibel = keywords.number("suppressed_db").value_or(gains.suppressed_decibel);
  gains.slew_decibel_per_second = keywords.number("slew_db_per_s").value_or(gains.slew_decibel_per_second);
  gains.lowest_decibel = keywords.number("lowest_db").value_or(gains.lowest_decibel);
  gains.highest_decibel = keywords.number("highest_db").value_or(gains.highest_decibel);
  steering.patience = keywords.whole("watchdog").value_or(steering.patience);
  return steering;
}

live::TrackingOptions tracking_of(const Keywords& keywords) {
  live::TrackingOptions tracking{.chain = chain_choice(keywords)};
  tracking.model = whole_model(keywords);
  if (const auto given = keywords.object("emission"); !tracking.model && !given.is_none()) {
    tracking.model = Model{.emission = emission_choice(keywords).given.value_or(Emission{})};
  }
  if (const auto half_life = keywords.number("adapt")) {
    tracking.adaptation = emission::AdaptiveOptions{.half_life = {*half_life}};
  }
  tracking.lag = Seconds{keywords.number("lag").value_or(0)};
  return tracking;
}

decode::WindowLayout layout_of(const Keywords& keywords) {
  if (const auto step = keywords.number("step")) return decode::WindowLayout::in_steps({*step});
  const Seconds window{keywords.number("window").value_or(1)};
  return {window, Seconds{keywords.number("hop").value_or(window.value)}};
}

}  // namespace

// One listener. Calls keep the GIL, but for training.
class LiveEngine {
 public:
  LiveEngine(const Keywords& stream, const Keywords& options)
      : training_(training_of(options)), session_(stream_of(stream), options_of(options, training_)) {
    warn(warnings_of(session_.notes()));
  }

  py::list push_eeg(const py::object& samples, std::optional<double> stamp, double now) {
    const Rows rows = rows_of(samples, "eeg");
    if (rows.view.columns != std::ssize(session_.description().channels)) {
      refuse("eeg", std::to_string(rows.view.columns) + " columns, but the session has " +
                        std::to_string(session_.description().channels.size()) + " channels");
    }
    begin(BlockKind::eeg, rows.view.rows, stamp);
    for (Index t = 0; t < rows.view.rows; ++t) {
      for (const double x : rows.view.row(t)) block_.samples.push_back(static_cast<float>(x));
    }
    return push(now);
  }

  py::list push_sound(Index speaker, const py::object& samples, std::optional<double> stamp, double now) {
    const auto& feeds = session_.description().feeds;
    const std::vector<double> values = numbers_of(samples, "sound");
    if (feeds.empty()) refuse("sound", "this session takes none; make it with audio_rate or envelope_rate");
    begin(BlockKind::sound, std::ssize(values), stamp);
    block_.feed = speaker;
    if (feeds.front().kind == live::FeedKind::audio) {
      for (const double x : values) block_.samples.push_back(static_cast<float>(x));
    } else {
      block_.values = values;
    }
    return push(now);
  }

  py::list push_windows(const py::object& values, std::optional<double> stamp, double now) {
    const Rows rows = rows_of(values, "windows");
    const auto speakers = std::ssize(session_.description().speakers);
    if (rows.view.columns != speakers) {
      refuse("windows",
             std::to_string(rows.view.columns) + " columns, but there are " + std::to_string(speakers) + " speakers");
    }
    const bool scores = session_.description().content == live::StreamContent::scores;
    begin(scores ? BlockKind::scores : BlockKind::log_likelihoods, rows.view.rows, stamp);
    for (Index t = 0; t < rows.view.rows; ++t) {
      const auto row = rows.view.row(t);
      block_.values.insert(block_.values.end(), row.begin(), row.end());
    }
    return push(now);
  }

  // kinds: "attended", "trial", "end"
  py::list tell(const std::string& kind, Speaker speaker, const std::string& text, std::optional<double> stamp,
                double now) {
    begin(kind == "attended" ? BlockKind::attended : kind == "trial" ? BlockKind::trial : BlockKind::end, 0, stamp);
    block_.speaker = speaker;
    block_.text = text;
    return push(now);
  }

  // Decisions, and gains where the watchdog moved them.
  py::tuple wait(double now) {
    Gathered gathered;
    session_.wait({now}, gathered);
    return py::make_tuple(gathered.decisions, gathered.relaxed_gains);
  }

  void change(const Keywords& options) {
    session_.offer(session_.make_parameters(tracking_of(options), steering_of(options)));
  }

  Decoder train(bool label_free, const Population* population, const Keywords& options) {
    if (!training_) refuse("train", "this session has a decoder; make it with calibrate=SECONDS to train one");
    live::CalibratorOptions training{.choice = *training_, .label_free = label_free};
    if (population != nullptr) training.population.given = std::make_shared<const Population>(*population);
    const live::TrackingOptions tracking = tracking_of(options);
    const live::SteeringOptions steering = steering_of(options);
    Notes notes;
    std::optional<Decoder> decoder;
    {
      const std::vector<Trial> trials = session_.calibration();
      const py::gil_scoped_release others_may_run;
      decoder = live::calibrated_decoder(trials, training, notes);
      session_.offer(session_.make_parameters(tracking, steering, &*decoder));
    }
    warn(warnings_of(notes));
    return *decoder;
  }

  [[nodiscard]] py::dict counts() const {
    using namespace py::literals;
    const live::SessionCounts& all = session_.counts();
    const live::ClockCounts& clock = all.clock;
    return py::dict("windows"_a = all.windows, "calibrating"_a = all.calibrating, "held"_a = all.held,
                    "refused"_a = all.refused, "switches"_a = all.switches, "relaxations"_a = all.relaxations,
                    "jittered"_a = clock.jittered, "gaps"_a = clock.gaps, "lost_samples"_a = clock.lost_samples,
                    "flat_samples"_a = clock.flat_samples, "duplicates"_a = clock.duplicates,
                    "backwards"_a = clock.backwards, "jumps"_a = clock.jumps, "shifted"_a = clock.shifted,
                    "late_sound"_a = clock.late_sound, "drift_ppm"_a = clock.drift_ppm);
  }
  [[nodiscard]] py::dict delays() const {
    using namespace py::literals;
    const live::StageDelays& all = session_.delays();
    return py::dict("eeg"_a = all.eeg.value, "sound"_a = all.sound.value, "lags"_a = all.lags.value,
                    "band_pass"_a = all.band_pass.value, "window"_a = all.window.value,
                    "until_decision"_a = all.until_decision().value);
  }
  [[nodiscard]] bool is_calibrating() const { return session_.is_calibrating(); }
  [[nodiscard]] std::vector<std::string> awaited() const { return session_.awaited(); }
  [[nodiscard]] bool can_train() const { return session_.has_calibration() && session_.is_calibrating(); }

 private:
  static std::optional<pipeline::DecoderChoice> training_of(const Keywords& keywords) {
    if (!keywords.number("calibrate")) return std::nullopt;
    return pipeline::resolve({.kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal});
  }
  static live::SessionOptions options_of(const Keywords& keywords,
                                         const std::optional<pipeline::DecoderChoice>& training) {
    live::SessionOptions options{.window = layout_of(keywords)};
    if (const auto decoder = keywords.object("decoder"); !decoder.is_none()) options.decoder = decoder.cast<Decoder>();
    if (training) options.calibration = live::calibration_options(*training, {*keywords.number("calibrate")});
    options.tracking = tracking_of(keywords);
    options.steering = steering_of(keywords);
    options.rail = keywords.number("rail");
    return options;
  }

  void begin(BlockKind kind, Index rows, std::optional<double> stamp) {
    block_.kind = kind;
    block_.rows = rows;
    block_.stamp = stamp ? std::optional(Seconds{*stamp}) : std::nullopt;
    block_.samples.clear();
    block_.values.clear();
  }
  py::list push(double now) {
    Gathered gathered;
    session_.push(block_, {now}, gathered);
    return gathered.decisions;
  }

  std::optional<pipeline::DecoderChoice> training_;  // of the decoder that is trained in the session
  live::Session session_;
  Block block_{};
};

void bind_live_session(py::module_& module) {
  py::class_<LiveEngine> type(module, "LiveEngine", texts::live_engine);
  type.def(py::init([](const py::dict& stream, const py::dict& options) {
             return std::make_unique<LiveEngine>(Keywords(stream), Keywords(options));
           }),
           py::arg("stream"), py::arg("options"));
  type.def("push_eeg", &LiveEngine::push_eeg, py::arg("samples"), py::arg("stamp"), py::arg("now"));
  type.def("push_sound", &LiveEngine::push_sound, py::arg("speaker"), py::arg("samples"), py::arg("stamp"),
           py::arg("now"));
  type.def("push_windows", &LiveEngine::push_windows, py::arg("values"), py::arg("stamp"), py::arg("now"));
  type.def("tell", &LiveEngine::tell, py::arg("kind"), py::arg("speaker"), py::arg("text"), py::arg("stamp"),
           py::arg("now"));
  type.def("wait", &LiveEngine::wait, py::arg("now"));
  type.def(
      "change", [](LiveEngine& self, const py::dict& options) { self.change(Keywords(options)); }, py::arg("options"));
  type.def(
      "train",
      [](LiveEngine& self, bool label_free, const Population* population, const py::dict& options) {
        return self.train(label_free, population, Keywords(options));
      },
      py::arg("label_free"), py::arg("population"), py::arg("options"));
  type.def_property_readonly("counts", &LiveEngine::counts);
  type.def_property_readonly("delays", &LiveEngine::delays);
  type.def_property_readonly("is_calibrating", &LiveEngine::is_calibrating);
  type.def_property_readonly("can_train", &LiveEngine::can_train);
  type.def_property_readonly("awaited", &LiveEngine::awaited);
  serve_old_protocols(type);
}

}  // namespace heed::python
