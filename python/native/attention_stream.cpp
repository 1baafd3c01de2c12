// SPDX-License-Identifier: MIT
// Attention window by window: scores in, a belief and a decision out. What AttentionHMM.step and .predict stand on.
#include <heed/core/decision.h>
#include <heed/emission/adaptive.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/stream_texts.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/model_arguments.h"
#include "native/pickling.h"

namespace heed::python {

// One listener. Calls keep the GIL: a step takes less than handing it over would.
class AttentionStream {
 public:
  // Of a known switch probability, of an unknown one, or of scores that depend on each other.
  using AnyStream = std::variant<hmm::Stream, hmm::BankStream, emission::DependentStream>;

  AttentionStream(Model model, std::optional<emission::AdaptiveGaussian> adaptive, Index columns, AnyStream stream)
      : model_(std::move(model)),
        adaptive_(std::move(adaptive)),
        columns_(columns),
        stream_(std::move(stream)),
        evidence_{Matrix(1, states()), model_.window},
        belief_(static_cast<std::size_t>(states())) {}

  // The belief about the window `lag` ago, or None where there was none yet. A refused window leaves all as it was.
  py::object step(const py::object& scores) {
    const std::vector<double> row = numbers_of(scores, "x");
    if (std::cmp_not_equal(row.size(), columns_)) {
      refuse("x", std::to_string(row.size()) + " numbers, but a window has " + std::to_string(columns_) +
                      "; give one per column");
    }
    if (adaptive_) model_.emission = adaptive_->emission();
    emission::log_likelihoods_into(model_.emission, {row.data(), 1, columns_, columns_}, data::view(evidence_.values));
    evidence_ = emission::tempered(std::move(evidence_), model_.temperature);
    decided_ = std::visit(
        [&](auto& stream) {
          take(stream, row);
          if (adaptive_) adaptive_->update(row, stream.belief());
          return stream.look_back(stream.lag(), belief_);
        },
        stream_);
    if (!decided_) return py::none();
    decision_ = rule_.decide(belief_);
    return belief();
  }

  // The rows still waited for, as if the trial ended here; then the start again.
  py::array_t<double> finish() {
    Matrix result = std::visit(
        [](auto& stream) {
          const Index count = std::min(stream.lag(), stream.windows());
          Matrix rows(count, std::ssize(stream.belief()));
          for (Index t = 0; t < count; ++t) (void)stream.look_back(count - 1 - t, data::view(rows).row(t));
          return rows;
        },
        stream_);
    reset();
    return to_numpy(std::move(result));
  }

  void reset() {
    std::visit([](auto& stream) { stream.reset(); }, stream_);
    rule_.reset();
    decided_ = false;
  }

  [[nodiscard]] py::object belief() const {
    if (!decided_) return py::none();
    return py::array_t<double>(std::ssize(belief_), belief_.data());
  }
  [[nodiscard]] std::optional<std::size_t> decision() const {
    return decided_ ? std::optional(decision_) : std::nullopt;
  }
  [[nodiscard]] Index windows() const {
    return std::visit([](const auto& stream) { return stream.windows(); }, stream_);
  }
  // What is known of an unknown switch probability; None of a known one.
  [[nodiscard]] py::object switching() const {
    if (const auto* unknown = std::get_if<hmm::BankStream>(&stream_)) return switching_dict(unknown->switching());
    const auto* dependent = std::get_if<emission::DependentStream>(&stream_);
    const auto found = dependent == nullptr ? std::nullopt : dependent->switching();
    return found ? py::object(switching_dict(*found)) : py::object(py::none());
  }
  // Goes on with what another stream has learnt of the same listener's switching.
  void learn_from(const AttentionStream& other) {
    std::visit(
        [&](auto& stream) {
          using Stream = std::remove_reference_t<decltype(stream)>;
          if constexpr (!std::is_same_v<Stream, hmm::Stream>) {
            if (const auto* before = std::get_if<Stream>(&other.stream_)) stream.learn_from(*before);
          }
        },
        stream_);
  }

 private:
  // Scores that depend on each other are looked at themselves, others by their log-likelihoods.
  static void take(emission::DependentStream& stream, std::span<const double> scores) { stream.step(scores); }
  template <typename Stream>
  void take(Stream& stream, std::span<const double> /*scores*/) {
    stream.step(data::view(evidence_.values).row(0));
  }
  [[nodiscard]] Index states() const {
    return std::visit([](const auto& stream) { return std::ssize(stream.belief()); }, stream_);
  }

  Model model_;
  std::optional<emission::AdaptiveGaussian> adaptive_;  // what it has learnt outlasts a trial
  Index columns_;
  AnyStream stream_;
  LogLikelihoods evidence_;  // of one window
  std::vector<double> belief_;
  core::DecisionRule<double> rule_;
  std::size_t decision_ = 0;
  bool decided_ = false;
};

namespace {

std::optional<emission::AdaptiveGaussian> adaptation_of(const Model& model, Index states, Seconds window) {
  const auto* start = std::get_if<GaussianEmission>(&model.emission);
  if (start == nullptr) refuse("model", "adaptation starts from a GaussianEmission");
  if (model.dependence) refuse("model", "has a dependence between windows, which an adaptation does not go with");
  return emission::AdaptiveGaussian::make(*start, states, window);
}

struct StreamOptions {
  double lag = 0;  // s
  bool adaptive = false;
};

AttentionStream make_stream(const Model& model, Index columns, const ChainArguments& chain,
                            const StreamOptions& options) {
  const Index states = emission::states_of(model.emission, columns);
  emission::check(model.emission, states);
  const Seconds window{chain.window};
  auto adaptation = options.adaptive ? adaptation_of(model, states, window) : std::nullopt;
  const hmm::Chain known = chain_of(chain, states);
  const Index lag = hmm::lag_in_windows(Seconds{options.lag}, window);
  const auto dependent = emission::dependent_model(model, states);
  const auto bank = bank_of(chain, states);
  if (dependent) {
    auto stream =
        bank ? emission::DependentStream(*bank, *dependent, lag) : emission::DependentStream(known, *dependent, lag);
    return {model, std::move(adaptation), columns, std::move(stream)};
  }
  if (bank) return {model, std::move(adaptation), columns, hmm::BankStream(*bank, lag)};
  return {model, std::move(adaptation), columns, hmm::Stream(known, lag)};
}

py::array_t<Speaker> decide(const py::object& posteriors, const py::object& lengths) {
  const Rows rows = rows_of(posteriors, "posteriors");
  const std::vector<Index> sequences =
      lengths.is_none() ? std::vector<Index>{rows.view.rows} : lengths_of(lengths, rows.view.rows);
  std::vector<Speaker> decisions;
  decisions.reserve(static_cast<std::size_t>(rows.view.rows));
  for (const Index length : sequences) {
    core::DecisionRule<double> rule;
    const auto first = std::ssize(decisions);
    for (Index t = 0; t < length; ++t) {
      const auto row = rows.view.row(first + t);
      if (std::ranges::any_of(row, [](double p) { return std::isnan(p); })) {
        refuse("posteriors", "row " + std::to_string(first + t + 1) + " holds NaN, which decides nothing");
      }
      decisions.push_back(static_cast<Speaker>(rule.decide(row)));
    }
  }
  return to_numpy(std::move(decisions));
}

}  // namespace

void bind_attention_stream(py::module_& module) {
  py::class_<AttentionStream> type(module, "AttentionStream", texts::attention_stream);
  type.def(
      py::init([](const Model& model, Index columns, const py::object& switch_probability, const py::object& transition,
                  const py::object& initial, double window, double lag, bool adaptive) {
        return make_stream(model, columns, {switch_probability, transition, initial, window}, {lag, adaptive});
      }),
      py::arg("model"), py::arg("columns"), py::kw_only(), py::arg("switch_probability") = py::none(),
      py::arg("transition") = py::none(), py::arg("initial") = py::none(), py::arg("window") = 1.0,
      py::arg("lag") = 0.0, py::arg("adaptive") = false);
  type.def("step", &AttentionStream::step, py::arg("x"), texts::stream_step);
  type.def("finish", &AttentionStream::finish, texts::stream_finish);
  type.def("reset", &AttentionStream::reset, texts::stream_reset);
  type.def_property_readonly("belief", &AttentionStream::belief);
  type.def_property_readonly("decision", &AttentionStream::decision);
  type.def_property_readonly("windows", &AttentionStream::windows);
  type.def_property_readonly("switching", &AttentionStream::switching);
  type.def("learn_from", &AttentionStream::learn_from, py::arg("other"), texts::stream_learn_from);
  serve_old_protocols(type);
  module.def("decide", &decide, py::arg("posteriors"), py::kw_only(), py::arg("lengths") = py::none(), texts::decide);
}

}  // namespace heed::python
