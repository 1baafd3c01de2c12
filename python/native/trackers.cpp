// SPDX-License-Identifier: MIT
// filter, smooth, viterbi and fixed_lag on arrays: one sequence, many below each other (lengths), or a block of
// sequences of one length. The engine's in-place tiers read the caller's array and write the array that is returned.
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/fixed_lag.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/chain_arguments.h"
#include "native/docs/tracker_texts.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/interrupt.h"

namespace heed::python {
namespace {

using hmm::SequenceSummary;

// Between two looks for Ctrl-C: a few milliseconds of work.
constexpr Index windows_at_a_time = 1 << 20;

// What all four functions take, parsed.
struct Call {
  Rows rows{};
  std::vector<Index> lengths{};
  std::optional<Model> model{};
  hmm::Chain chain;
  Matrix evidence{};  // log-likelihoods, where an emission made them of scores

  [[nodiscard]] bool single() const { return lengths.size() == 1; }
  [[nodiscard]] Index longest() const { return lengths.empty() ? 0 : *std::ranges::max_element(lengths); }
};

struct Options {
  ChainArguments chain{};
  py::object emission = py::none();
  py::object lengths = py::none();
};

std::vector<Index> lengths_of(const Rows& rows, const py::object& lengths) {
  if (rows.sequences == 0) {
    return lengths.is_none() ? std::vector<Index>{rows.view.rows} : python::lengths_of(lengths, rows.view.rows);
  }
  if (!lengths.is_none()) refuse("lengths", "goes with two dimensions; a block says itself how long its sequences are");
  const Index each = rows.view.rows / rows.sequences;
  return std::vector<Index>(static_cast<std::size_t>(rows.sequences), each);
}

Call parse(const py::object& values, const Options& options) {
  Rows rows = rows_of(values, "values", Dimensions::two_or_three);
  std::vector<Index> lengths = lengths_of(rows, options.lengths);
  std::optional<Model> model = model_of(options.emission);
  const Index columns = rows.view.columns;
  const Index states = model ? emission::states_of(model->emission, columns) : columns;
  if (states < 2) refuse("values", "1 column: attention needs two speakers or more to choose between");
  hmm::Chain chain = chain_of(options.chain, states);
  return {std::move(rows), std::move(lengths), std::move(model), std::move(chain), {}};
}

// Without the GIL.
MatrixView log_likelihoods(Call& call, double window) {
  if (!call.model) return call.rows.view;
  LogLikelihoods made{Matrix(call.rows.view.rows, call.chain.states()), Seconds{window}};
  emission::log_likelihoods_into(call.model->emission, call.rows.view, data::view(made.values));
  if (call.model->temperature != 1) made = emission::tempered(std::move(made), call.model->temperature);
  call.evidence = std::move(made.values);
  return data::view(call.evidence);
}

// Sequences first ... first+count-1 lie in `rows` rows from `row` on.
struct Slice {
  std::size_t first = 0;
  std::size_t count = 0;
  Index row = 0;
  Index rows = 0;
};

// Calls work(slice) over all sequences, some at a time, and looks for Ctrl-C in between.
template <typename Work>
void in_slices(const std::vector<Index>& lengths, Released& released, const Work& work) {
  Slice slice;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    slice.count += 1;
    slice.rows += lengths[k];
    if (slice.rows < windows_at_a_time && k + 1 < lengths.size()) continue;
    work(slice);
    released.check();
    slice = {k + 1, 0, slice.row + slice.rows, 0};
  }
}

std::vector<py::ssize_t> shape_of(const Call& call, std::optional<Index> columns) {
  std::vector<py::ssize_t> shape{call.rows.view.rows};
  if (call.rows.sequences > 0) shape = {call.rows.sequences, call.rows.view.rows / call.rows.sequences};
  if (columns) shape.push_back(*columns);
  return shape;
}

py::object evidences(const Call& call, const std::vector<SequenceSummary>& summaries) {
  if (call.single() && call.rows.sequences == 0) return py::float_(summaries.front().log_evidence);
  std::vector<double> values;
  values.reserve(summaries.size());
  for (const SequenceSummary& summary : summaries) values.push_back(summary.log_evidence);
  return to_numpy(std::move(values));
}

py::object with_evidence(const Call& call, py::object result, const std::vector<SequenceSummary>& summaries,
                         bool wanted) {
  if (!wanted) return result;
  return py::make_tuple(std::move(result), evidences(call, summaries));
}

// run(log_likelihoods, slice, lengths, out): writes the posteriors of a slice.
template <typename Run>
py::object posteriors(Call call, double window, bool return_log_evidence, const Run& run) {
  const Index states = call.chain.states();
  py::array_t<double> result(shape_of(call, states));
  std::vector<SequenceSummary> summaries(call.lengths.size());
  const MutableMatrixView out{result.mutable_data(), call.rows.view.rows, states, states};
  {
    Released released;
    const MatrixView all = log_likelihoods(call, window);
    in_slices(call.lengths, released, [&](const Slice& slice) {
      const auto lengths = std::span<const Index>(call.lengths).subspan(slice.first, slice.count);
      const hmm::BatchView batch{all.middle_rows(slice.row, slice.rows), lengths};
      run(call, batch,
          hmm::BatchPosteriorsView{out.middle_rows(slice.row, slice.rows),
                                   std::span(summaries).subspan(slice.first, slice.count)});
    });
  }
  return with_evidence(call, std::move(result), summaries, return_log_evidence);
}

py::object filter(const py::object& values, const Options& options, bool return_log_evidence) {
  hmm::FilterWorkspace workspace;
  return posteriors(parse(values, options), options.chain.window, return_log_evidence,
                    [&](const Call& call, const hmm::BatchView& batch, const hmm::BatchPosteriorsView& out) {
                      workspace.prepare(call.chain.states());
                      (void)hmm::filter_batch_into(call.chain, batch, workspace, out);
                    });
}

py::object smooth(const py::object& values, const Options& options, bool return_log_evidence) {
  hmm::SmoothWorkspace workspace;
  return posteriors(parse(values, options), options.chain.window, return_log_evidence,
                    [&](const Call& call, const hmm::BatchView& batch, const hmm::BatchPosteriorsView& out) {
                      if (call.single()) {
                        workspace.prepare(call.longest(), call.chain.states());
                      } else {
                        workspace.prepare_batch(call.longest(), call.chain.states());
                      }
                      (void)hmm::smooth_batch_into(call.chain, batch, workspace, out);
                    });
}

py::object fixed_lag(const py::object& values, double lag, const Options& options, bool return_log_evidence) {
  const Index lag_windows = hmm::lag_in_windows(Seconds{lag}, Seconds{options.chain.window});
  hmm::SmoothWorkspace workspace;
  return posteriors(parse(values, options), options.chain.window, return_log_evidence,
                    [&](const Call& call, const hmm::BatchView& batch, const hmm::BatchPosteriorsView& out) {
                      workspace.prepare(call.longest(), call.chain.states());
                      Index row = 0;
                      for (std::size_t k = 0; k < batch.lengths.size(); ++k) {
                        const Index count = batch.lengths[k];
                        out.sequences[k].log_evidence =
                            hmm::fixed_lag_into(call.chain, {batch.log_likelihood.middle_rows(row, count), lag_windows},
                                                workspace, out.values.middle_rows(row, count));
                        row += count;
                      }
                    });
}

py::object viterbi(const py::object& values, const Options& options, bool return_log_probability) {
  Call call = parse(values, options);
  py::array_t<Speaker> result(shape_of(call, std::nullopt));
  std::vector<SequenceSummary> summaries(call.lengths.size());
  const std::span<Speaker> out(result.mutable_data(), static_cast<std::size_t>(call.rows.view.rows));
  {
    Released released;
    const MatrixView all = log_likelihoods(call, options.chain.window);
    hmm::ViterbiWorkspace workspace(call.longest(), call.chain.states());
    in_slices(call.lengths, released, [&](const Slice& slice) {
      const auto lengths = std::span<const Index>(call.lengths).subspan(slice.first, slice.count);
      const auto states = out.subspan(static_cast<std::size_t>(slice.row), static_cast<std::size_t>(slice.rows));
      (void)hmm::viterbi_batch_into(call.chain, {all.middle_rows(slice.row, slice.rows), lengths}, workspace,
                                    {states, std::span(summaries).subspan(slice.first, slice.count)});
    });
  }
  return with_evidence(call, std::move(result), summaries, return_log_probability);
}

std::string docstring(const texts::TrackerText& text) {
  return std::string(text.opening) + texts::tracker_parameters + text.rest;
}

// The keywords all four share, as pybind11 hands them over.
Options options_of(std::optional<double> switch_probability, const py::object& emission, const py::object& transition,
                   const py::object& initial, double window, const py::object& lengths) {
  return {{switch_probability, transition, initial, window}, emission, lengths};
}

template <auto function>
void define(py::module_& module, const char* name, const char* extra, const texts::TrackerText& text) {
  module.def(
      name,
      [](const py::object& values, std::optional<double> switch_probability, const py::object& emission,
         const py::object& transition, const py::object& initial, double window, const py::object& lengths,
         bool with_extra) {
        return function(values, options_of(switch_probability, emission, transition, initial, window, lengths),
                        with_extra);
      },
      py::arg("values"), py::arg("switch_probability") = py::none(), py::kw_only(), py::arg("emission") = py::none(),
      py::arg("transition") = py::none(), py::arg("initial") = py::none(), py::arg("window") = 1.0,
      py::arg("lengths") = py::none(), py::arg(extra) = false, docstring(text).c_str());
}

void define_fixed_lag(py::module_& module) {
  module.def(
      "fixed_lag",
      [](const py::object& values, std::optional<double> switch_probability, double lag, const py::object& emission,
         const py::object& transition, const py::object& initial, double window, const py::object& lengths,
         bool return_log_evidence) {
        return fixed_lag(values, lag, options_of(switch_probability, emission, transition, initial, window, lengths),
                         return_log_evidence);
      },
      py::arg("values"), py::arg("switch_probability") = py::none(), py::kw_only(),
      py::arg("lag") = hmm::default_lag.value, py::arg("emission") = py::none(), py::arg("transition") = py::none(),
      py::arg("initial") = py::none(), py::arg("window") = 1.0, py::arg("lengths") = py::none(),
      py::arg("return_log_evidence") = false, docstring(texts::fixed_lag).c_str());
}

}  // namespace

void bind_trackers(py::module_& module) {
  define<filter>(module, "filter", "return_log_evidence", texts::filter);
  define<smooth>(module, "smooth", "return_log_evidence", texts::smooth);
  define<viterbi>(module, "viterbi", "return_log_probability", texts::viterbi);
  define_fixed_lag(module);
}

}  // namespace heed::python
