// SPDX-License-Identifier: MIT
#include "native/tracker_call.h"

#include <heed/emission/log_likelihoods.h>

#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "native/emissions.h"
#include "native/errors.h"
#include "native/model_arguments.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

std::vector<Index> lengths_of(const Rows& rows, const py::object& lengths) {
  if (rows.sequences == 0) {
    return lengths.is_none() ? std::vector<Index>{rows.view.rows} : python::lengths_of(lengths, rows.view.rows);
  }
  if (!lengths.is_none()) refuse("lengths", "needs two dimensions; in a block, all sequences have the same length");
  const Index each = rows.view.rows / rows.sequences;
  return std::vector<Index>(static_cast<std::size_t>(rows.sequences), each);
}

double window_of(const Options& options, const std::optional<Model>& model) {
  if (!options.window.is_none()) return number_of(options.window, "window");
  return model && py::isinstance<Model>(options.emission) ? model->hop.value : 1;
}

std::size_t threads_of(const py::object& threads) {
  if (threads.is_none()) return 1;
  const double count = number_of(threads, "threads");
  if (!(count >= 0 && count <= 1e6 && count == std::floor(count))) {
    refuse("threads", "give a whole number, 1 or more, or 0 for as many as the machine has");
  }
  return count > 0 ? static_cast<std::size_t>(count) : std::max(1U, std::thread::hardware_concurrency());
}

// A binary classifier gives one number for two speakers.
std::string both(const std::optional<Model>& model) {
  if (!model) return "";
  if (std::holds_alternative<SoftmaxEmission>(model->emission)) {
    return "; of the logit s of the second, make both columns: np.column_stack([0 * s, s])";
  }
  if (std::holds_alternative<ProbabilityEmission>(model->emission)) {
    return "; of the probability q of the second, make both columns: np.column_stack([1 - q, q])";
  }
  return "";
}

// What classifiers give is easily handed on as if it were log-likelihoods, and says next to nothing then.
bool are_probabilities(const MatrixView& rows) {
  constexpr Index enough = 10;  // fewer could be so by chance
  constexpr double rounding = 1e-6;
  if (rows.rows < enough) return false;
  for (Index t = 0; t < rows.rows; ++t) {
    double sum = 0;
    for (const double value : rows.row(t)) {
      if (!(value >= 0)) return false;
      sum += value;
    }
    if (!(std::abs(sum - 1) < rounding)) return false;
  }
  return true;
}

}  // namespace

Call parse(const py::object& values, const Options& options) {
  Rows rows = rows_of(values, "values", Dimensions::two_or_three);
  std::vector<Index> lengths = lengths_of(rows, options.lengths);
  std::optional<Model> model = model_of(options.emission);
  const Index columns = rows.view.columns;
  const Index states = model ? emission::states_of(model->emission, columns) : columns;
  if (states < 2) refuse("values", "1 column: attention needs two speakers or more to choose between" + both(model));
  constexpr Index many = 16;  // more columns than anybody has speakers, and more of them than rows
  if (columns > many && columns > rows.view.rows) {
    warn({"values: " + std::to_string(rows.view.rows) + " rows and " + std::to_string(columns) +
          " columns; rows are windows and columns are speakers, so transpose the array if it lies on its side"});
  }
  if (!model && are_probabilities(rows.view)) {
    warn(
        {"values: the rows sum to one, as probabilities do, but are taken for log-likelihoods, as there is no "
         "emission; "
         "give emission=heed.ProbabilityEmission(), or their logarithms"});
  }
  const ChainArguments arguments{options.switch_probability, options.transition, options.initial,
                                 window_of(options, model)};
  hmm::Chain chain = chain_of(arguments, states);
  auto bank = bank_of(arguments, states);
  auto dependent = model ? emission::dependent_model(*model, states) : std::nullopt;
  return {std::move(rows),           std::move(lengths), std::move(model),     std::move(chain),
          Seconds{arguments.window}, std::move(bank),    std::move(dependent), threads_of(options.threads)};
}

std::vector<Slice> slices_of(const Call& call) {
  std::vector<Slice> slices;
  Slice slice;
  for (std::size_t k = 0; k < call.lengths.size(); ++k) {
    slice.count += 1;
    slice.rows += call.lengths[k];
    if (slice.rows < call.rows_at_a_time() && k + 1 < call.lengths.size()) continue;
    slices.push_back(slice);
    slice = {k + 1, 0, slice.row + slice.rows, 0};
  }
  return slices;
}

MatrixView Evidence::of(const Slice& slice) {
  const MatrixView scores = call_.rows.view.middle_rows(slice.row, slice.rows);
  if (!call_.model && scores.stride == scores.columns) return scores;
  made_.values.resize(slice.rows, call_.chain.states());
  const MutableMatrixView out = data::view(made_.values);
  for (Index row = 0; row < slice.rows;) {
    const Index count = std::min(call_.rows_at_a_time(), slice.rows - row);
    make(scores.middle_rows(row, count), out.middle_rows(row, count), slice.row + row);
    released_.check();
    row += count;
  }
  if (call_.model && call_.model->temperature != 1) {
    made_ = emission::tempered(std::move(made_), call_.model->temperature);
  }
  return data::view(made_.values);
}

void Evidence::make(const MatrixView& scores, const MutableMatrixView& out, Index windows_before) const {
  if (call_.model) {
    emission::log_likelihoods_into(call_.model->emission, scores, out, windows_before);
    return;
  }
  for (Index t = 0; t < scores.rows; ++t) std::ranges::copy(scores.row(t), out.row(t).begin());
}

std::vector<py::ssize_t> shape_of(const Call& call, std::optional<Index> columns) {
  std::vector<py::ssize_t> shape{call.rows.view.rows};
  if (call.rows.sequences > 0) shape = {call.rows.sequences, call.rows.view.rows / call.rows.sequences};
  if (columns) shape.push_back(*columns);
  return shape;
}

LogLikelihoods copied_windows(const Call& call, const MatrixView& rows) {
  return {Eigen::Map<const Matrix>(rows.data, rows.rows, rows.columns), call.window, call.window};
}

}  // namespace heed::python
